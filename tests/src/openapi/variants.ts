export type Value =
  | string
  | number
  | boolean
  | null
  | ReadonlyArray<Value>
  | { readonly [key: string]: Value }

/** A body that differs from a valid body in one place. */
export interface Variant {
  readonly about: string
  readonly body: Value
}

/** The lengths of texts around the limits of the APIs: names of events, ids, values and keys of deduplication. */
const lengths = [100, 101, 150, 151, 1000, 1001]

/** The values that each field of a body gets in turn. Their names are parts of the descriptions of variants. */
const values: ReadonlyArray<readonly [about: string, value: Value]> = [
  ["null", null],
  ["an empty text", ""],
  ["a space", " "],
  ["a text", "text"],
  ["an email", "x@example.com"],
  ["zero", 0],
  ["a fraction", 1.5],
  ["an inexact integer", 2 ** 60],
  ["true", true],
  ["a list", []],
  ["a list of numbers", [1]],
  ["an object", {}],
  ["a text of digits", "1700000000"],
  ["a day", "2026-01-31"],
  ["a time without seconds", "2026-01-31T12:00+01:00"],
  ["a month", "2026-01"],
  ...lengths.map((length) => [`${length} characters`, "x".repeat(length)] as const),
]

/**
 * Returns the body in which each field in turn is missing or has another value. `skipped` lists paths of fields to leave
 * as they are, such as `data.email`.
 */
export const variantsOf = (
  body: Value,
  skipped: ReadonlySet<string> = new Set(),
  path = "",
): Array<Variant> => {
  const own = values.map(([about, value]) => ({
    about: `${path === "" ? "the body" : path} is ${about}`,
    body: value,
  }))
  const first = skipped.has(path) ? [] : own
  if (Array.isArray(body)) return [...first, ...variantsOfItem(body, skipped, path)]
  return isObject(body) ? [...first, ...variantsOfFields(body, skipped, path)] : first
}

const isObject = (value: Value): value is { readonly [key: string]: Value } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const variantsOfItem = (
  [item = null, ...others]: ReadonlyArray<Value>,
  skipped: ReadonlySet<string>,
  path: string,
): Array<Variant> =>
  variantsOf(item, skipped, `${path}.0`).map(({ about, body }) => ({ about, body: [body, ...others] }))

const variantsOfFields = (
  body: { readonly [key: string]: Value },
  skipped: ReadonlySet<string>,
  path: string,
): Array<Variant> =>
  Object.entries(body).flatMap(([key, value]) => {
    const at = path === "" ? key : `${path}.${key}`
    if (skipped.has(at)) return []
    const { [key]: _left, ...rest } = body
    const missing = { about: `${at} is missing`, body: rest }
    const changed = variantsOf(value, skipped, at).map((one) => ({
      about: one.about,
      body: { ...body, [key]: one.body },
    }))
    return [missing, ...changed]
  })
