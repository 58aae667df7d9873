export type Placeholder<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never

export type Values<Names extends string> = [Names] extends [never]
  ? []
  : [values: Readonly<Record<Names, string | number>>]

/** Returns a text with values in place of its placeholders, such as `{reason}`. */
export const fillText = <const T extends string>(template: T, ...[values]: Values<Placeholder<T>>): string =>
  fill(template, values ?? {})

/** Returns a text with values in place of its placeholders, and nothing in place of those without a value. */
export const fill = (template: string, values: Readonly<Record<string, string | number>>): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ""))
