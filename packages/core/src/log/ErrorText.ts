import type { Fault, FaultReason } from "./Outcome.ts"
import type { RuleName } from "./RuleName.ts"

/** An error text as `docs/errors.md` lists it. */
export interface DocumentedText {
  /** The message with its placeholders in braces. */
  readonly template: string
  /** The reason in the API's answer; null for texts that are not faults of a request. */
  readonly reason: FaultReason | null
  /** What the sender or the operator should do. */
  readonly remedy: string
}

type Placeholder<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never

type Values<Names extends string> = [Names] extends [never]
  ? []
  : [values: Readonly<Record<Names, string | number>>]

/** An error text. Called with the values of its placeholders, it returns the message. */
export interface ErrorText<T extends string = string> extends DocumentedText {
  (...values: Values<Placeholder<T>>): string
}

/**
 * The placeholders of a message that are filled from the path of the wrong value: `field` with the whole path, and
 * `name` with the last part of the path.
 */
type OfField = "field" | "name"

/**
 * The text of a fault. Called with the path of the wrong value (`field`), it creates the fault. The path fills the
 * placeholders `field` and `name` of the message, and `values` fill the other placeholders.
 */
export interface FaultText<T extends string = string> extends DocumentedText {
  (field: string, ...values: Values<Exclude<Placeholder<T>, OfField>>): Fault
}

/** Defines a message that is not a fault of a request. */
export const errorText = <const T extends string>(template: T, remedy: string): ErrorText<T> =>
  Object.assign((...[values]: Values<Placeholder<T>>) => filled(template, values ?? {}), {
    template,
    reason: null,
    remedy,
  })

/** Defines a fault that a request can have. `rule` decides about a value that is left out for the fault. */
export const faultText = <const T extends string>(
  reason: FaultReason,
  template: T,
  remedy: string,
  rule?: RuleName,
): FaultText<T> =>
  Object.assign(
    (field: string, ...[values]: Values<Exclude<Placeholder<T>, OfField>>): Fault => ({
      reason,
      field,
      message: filled(template, { ...values, field, name: field.slice(field.lastIndexOf(".") + 1) }),
      ...(rule !== undefined && { rule }),
    }),
    { template, reason, remedy },
  )

const filled = (template: string, values: Readonly<Record<string, string | number>>): string =>
  template.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ""))

/** The largest number of characters that an error message quotes from a client's value. */
export const tokenCharactersMax = 40

/**
 * Quotes and shortens a value that should be one of a closed set, such as a type. Do not use it for values that may be
 * personal data, because messages stay stored after the person is deleted.
 */
export const quoteValue = (value: unknown): string => {
  if (typeof value !== "string") return typeof value === "object" ? "(an object)" : `(a ${typeof value})`
  const characters = Array.from(value.slice(0, 2 * tokenCharactersMax + 1))
  const shown = characters.slice(0, tokenCharactersMax).join("")
  return JSON.stringify(characters.length > tokenCharactersMax ? `${shown}…` : shown)
}
