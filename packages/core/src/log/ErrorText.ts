import type { Fault, FaultReason } from "./Outcome.ts"
import { noValues, type Reason } from "./Reason.ts"
import type { ClauseName } from "./ClauseName.ts"

/** An error text as `docs/errors.md` lists it. */
export interface DocumentedText {
  /** The message with its placeholders in braces. */
  readonly template: string
  /** The reason in the API's answer; null for texts that are not faults of a request. */
  readonly reason: FaultReason | null
  /** What the sender or the operator should do. */
  readonly remedy: string
}

/** A text of a catalogue. Log entries and answers refer to it by its code. */
export interface CodedText extends DocumentedText {
  readonly code: string
}

type Placeholder<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never

type Values<Names extends string> = [Names] extends [never]
  ? []
  : [values: Readonly<Record<Names, string | number>>]

/** An error text. Called with the values of its placeholders, it returns the message. */
export interface ErrorText<T extends string = string> extends DocumentedText {
  readonly template: T
  (...values: Values<Placeholder<T>>): string
}

/** A text in a catalogue that explains an operation as a whole. Called with the values of its placeholders, it returns the reason. */
export interface ReasonText<T extends string = string> extends CodedText {
  readonly template: T
  (...values: Values<Placeholder<T>>): Reason
}

/**
 * The placeholders of a message that are filled from the path of the wrong value: `field` with the whole path, and
 * `name` with the last part of the path.
 */
type OfField = "field" | "name"

/** The text of a fault that a request can have, before a catalogue gives it a code. */
export interface FaultDefinition<T extends string = string> extends DocumentedText {
  readonly template: T
  readonly reason: FaultReason
  /** Decides about a value that is left out for the fault. */
  readonly rule: ClauseName | undefined
}

/**
 * The text of a fault. Called with the path of the wrong value (`field`) and the values of the placeholders other than
 * `field` and `name`, it creates the fault.
 */
export interface FaultText<T extends string = string> extends FaultDefinition<T>, CodedText {
  readonly template: T
  readonly reason: FaultReason
  (field: string, ...values: Values<Exclude<Placeholder<T>, OfField>>): Fault
}

/** Defines a message that is not a fault of a request. */
export const errorText = <const T extends string>(template: T, remedy: string): ErrorText<T> =>
  Object.assign((...[values]: Values<Placeholder<T>>) => fillTemplate(template, values ?? noValues), {
    template,
    reason: null,
    remedy,
  })

/** Defines a fault that a request can have. `rule` decides about a value that is left out for the fault. */
export const faultText = <const T extends string>(
  reason: FaultReason,
  template: T,
  remedy: string,
  rule?: ClauseName,
): FaultDefinition<T> => ({ template, reason, remedy, rule })

type Definitions = Readonly<Record<string, ErrorText | FaultDefinition>>

/** The texts of a catalogue, which create reasons and faults with their codes. */
type Catalogue<D extends Definitions> = {
  readonly [K in keyof D]: D[K] extends FaultDefinition<infer T>
    ? FaultText<T>
    : D[K] extends ErrorText<infer T>
      ? ReasonText<T>
      : never
}

/**
 * Returns texts that log entries may refer to. The code of a text is its key in words with underscores, after `prefix`. It is
 * stored and must never change, whereas the wording may.
 */
export function catalogue<const D extends Definitions>(prefix: string, definitions: D): Catalogue<D>
export function catalogue(
  prefix: string,
  definitions: Definitions,
): Readonly<Record<string, FaultText | ReasonText>> {
  return Object.fromEntries(
    Object.entries(definitions).map(([key, definition]) => {
      const code = prefix + key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
      return [key, "rule" in definition ? codedFault(code, definition) : codedReason(code, definition)]
    }),
  )
}

const codedReason = (code: string, { remedy, template }: DocumentedText): ReasonText =>
  Object.assign((values: Reason["values"] = noValues): Reason => ({ code, field: "", values }), {
    code,
    template,
    reason: null,
    remedy,
  })

const codedFault = (code: string, definition: FaultDefinition): FaultText => {
  const { reason, rule } = definition
  const fault = (field: string, values: Reason["values"] = noValues): Fault => ({
    reason,
    code,
    field,
    values,
    ...(rule !== undefined && { rule }),
  })
  return Object.assign(fault, { ...definition, code })
}

/** Replaces the placeholders of a template. Braces in the values have no meaning. */
export const fillTemplate = (template: string, values: Readonly<Record<string, string | number>>): string =>
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
