import { isTrue } from "../values/flags.ts"
import type { Json } from "../values/Json.ts"
import type { EpochMillis } from "../values/Timestamp.ts"
import { numberIn } from "./numberIn.ts"

/*
 * The operators of rules. An operator is one row here: what it takes, what it is called, and when it holds. The schema of
 * rules and its decoder, their messages, evaluation, the page of the documentation and the rule builder of the console are
 * made from these rows. This module loads no schema, because the console loads it.
 */

export type Scalar = string | number | boolean

/** What is the same for all operators. */
interface Named {
  /** The operator in words. `…` is the place of the value if it is not at the end. */
  readonly says: string
  /** A value as somebody types it. */
  readonly example: string
  /** What other tools and languages call the operator. */
  readonly otherNames: ReadonlyArray<string>
}

/** An operator by what it takes as `value`. A value that is missing is never tested. */
type OperatorRow = Named &
  (
    | { readonly takes: "scalar"; readonly holds: (value: Json, given: Scalar) => boolean }
    | { readonly takes: "scalars"; readonly holds: (value: Json, given: ReadonlyArray<Scalar>) => boolean }
    /** Tests numbers, and texts that are numbers. */
    | { readonly takes: "number"; readonly holds: (value: number, given: number) => boolean }
    /** Tests texts, and numbers as they are written. */
    | { readonly takes: "text"; readonly holds: (value: string, given: string) => boolean }
    | { readonly takes: "nothing"; readonly holds: (value: Json) => boolean }
    /** Compares a time with another. */
    | { readonly takes: "instant"; readonly holds: (at: EpochMillis, given: EpochMillis) => boolean }
    /** Compares a time with the present, so the passing of time alone can change the result. */
    | {
        readonly takes: "duration"
        readonly holds: (at: EpochMillis, ms: number, now: EpochMillis) => boolean
        /** Returns the times at which the result changes, in order. */
        readonly flips: (at: EpochMillis, ms: number) => ReadonlyArray<EpochMillis>
      }
  )

/**
 * A number equals a text that spells it, and true and false equal their names, because filters and forms often carry
 * values as text.
 */
const equals = (value: Json, given: Scalar): boolean => {
  if (value === given) return true
  if (typeof value === "object" || typeof value === typeof given) return false
  if (typeof value === "boolean" || typeof given === "boolean") return String(value) === String(given)
  const number = numberIn(value)
  return number !== undefined && number === numberIn(given)
}

export const operators = {
  eq: {
    takes: "scalar",
    says: "is",
    example: "pro",
    otherNames: ["=", "==", "===", "is", "equals"],
    holds: equals,
  },
  ne: {
    takes: "scalar",
    says: "is not",
    example: "pro",
    otherNames: ["!=", "<>", "is_not", "not_equal", "not_equals"],
    holds: (value, given) => !equals(value, given),
  },
  gt: {
    takes: "number",
    says: ">",
    example: "10",
    otherNames: [">", "greater_than"],
    holds: (value, given) => value > given,
  },
  gte: {
    takes: "number",
    says: "≥",
    example: "10",
    otherNames: [">=", "at_least"],
    holds: (value, given) => value >= given,
  },
  lt: {
    takes: "number",
    says: "<",
    example: "10",
    otherNames: ["<", "less_than"],
    holds: (value, given) => value < given,
  },
  lte: {
    takes: "number",
    says: "≤",
    example: "10",
    otherNames: ["<=", "at_most"],
    holds: (value, given) => value <= given,
  },
  in: {
    takes: "scalars",
    says: "is one of",
    example: "pro, team",
    otherNames: ["one_of", "any_of"],
    holds: (value, given) => given.some((one) => equals(value, one)),
  },
  contains: {
    takes: "text",
    says: "contains",
    example: "pro",
    otherNames: ["includes", "like"],
    holds: (value, given) => value.includes(given),
  },
  starts_with: {
    takes: "text",
    says: "starts with",
    example: "pro",
    otherNames: ["begins_with", "prefix"],
    holds: (value, given) => value.startsWith(given),
  },
  ends_with: {
    takes: "text",
    says: "ends with",
    example: "pro",
    otherNames: ["suffix"],
    holds: (value, given) => value.endsWith(given),
  },
  exists: {
    takes: "nothing",
    says: "is set",
    example: "",
    otherNames: ["is_set", "present"],
    holds: () => true,
  },
  /** Holds for what counts as true in `unsubscribed`: true, 1, "1" and "true" in any case. */
  is_true: {
    takes: "nothing",
    says: "is true",
    example: "",
    otherNames: ["true"],
    holds: isTrue,
  },
  before: {
    takes: "instant",
    says: "is before",
    example: "2026-01-31T12:00:00Z",
    otherNames: ["until"],
    holds: (at, given) => at < given,
  },
  after: {
    takes: "instant",
    says: "is after",
    example: "2026-01-31T12:00:00Z",
    otherNames: ["since"],
    holds: (at, given) => at > given,
  },
  within_past: {
    takes: "duration",
    says: "is within the past",
    example: "30d",
    otherNames: ["within", "in_the_last"],
    holds: (at, ms, now) => at <= now && now < at + ms,
    flips: (at, ms) => [at, at + ms],
  },
  within_next: {
    takes: "duration",
    says: "is within the next",
    example: "7d",
    otherNames: ["in_the_next"],
    holds: (at, ms, now) => now < at && at - ms <= now,
    flips: (at, ms) => [at - ms, at],
  },
  more_than_ago: {
    takes: "duration",
    says: "is more than … ago",
    example: "30d",
    otherNames: [],
    holds: (at, ms, now) => at + ms <= now,
    flips: (at, ms) => [at + ms],
  },
  more_than_ahead: {
    takes: "duration",
    says: "is more than … ahead",
    example: "7d",
    otherNames: [],
    holds: (at, ms, now) => now < at - ms,
    flips: (at, ms) => [at - ms],
  },
} as const satisfies Readonly<Record<string, OperatorRow>>

export type Operator = keyof typeof operators

export type Takes = OperatorRow["takes"]

/** The operators that take a kind of value. */
export type OperatorTaking<Kind extends Takes> = {
  [Name in Operator]: (typeof operators)[Name]["takes"] extends Kind ? Name : never
}[Operator]

/** Returns whether an operator takes a kind of value. */
export const takes = <Kind extends Takes>(operator: Operator, kind: Kind): operator is OperatorTaking<Kind> =>
  operators[operator].takes === kind

/** Returns a test in words, such as `is more than 30d ago`. `value` is empty for an operator that takes none. */
export const testInWords = (operator: Operator, value: string): string => {
  const { says } = operators[operator]
  if (value === "") return says
  return says.includes("…") ? says.replace("…", () => value) : `${says} ${value}`
}

/** What a test that ignores case says at its end. */
export const inAnyCase = "in any case"

/** Returns whether the values of an operator are texts, or may be, so that it can ignore case. */
export const testsText = (operator: Operator): operator is OperatorTaking<"scalar" | "scalars" | "text"> =>
  takes(operator, "scalar") || takes(operator, "scalars") || takes(operator, "text")

/** The words for the operators of `count`. */
export const counts = { gte: "at least", lte: "at most", eq: "exactly" } as const

/** The words for the operators of `age`. */
export const ages = { gte: "at least", lt: "less than" } as const
