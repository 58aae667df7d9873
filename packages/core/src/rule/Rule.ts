import type { Channel } from "../state/Delivery.ts"
import type { IdentifierKind, SubjectKey } from "../values/Identifier.ts"
import type { EpochMillis } from "../values/Timestamp.ts"
import type { CountedMetric, CountedSource } from "./ruleLanguage.ts"
import type { ages, counts, OperatorTaking, Scalar } from "./operators.ts"

/*
 * What a rule says, once decoded. A rule decides for each person whether they belong to a segment. Durations are
 * milliseconds.
 */

/** A test of text that ignores case has its own text in lower case. Otherwise the key is missing, so that the forms of leaves stay. */
export interface Cased {
  readonly ignoresCase?: true
}

/** A test of one value. A missing value fails every test. */
export type ValueTest =
  | (Cased & { readonly _tag: "Scalar"; readonly operator: OperatorTaking<"scalar">; readonly value: Scalar })
  | (Cased & {
      readonly _tag: "Scalars"
      readonly operator: OperatorTaking<"scalars">
      readonly values: ReadonlyArray<Scalar>
    })
  | { readonly _tag: "Number"; readonly operator: OperatorTaking<"number">; readonly value: number }
  | (Cased & { readonly _tag: "Text"; readonly operator: OperatorTaking<"text">; readonly value: string })
  | { readonly _tag: "Nothing"; readonly operator: OperatorTaking<"nothing"> }
  | { readonly _tag: "Instant"; readonly operator: OperatorTaking<"instant">; readonly at: EpochMillis }
  | { readonly _tag: "Duration"; readonly operator: OperatorTaking<"duration">; readonly ms: number }

/**
 * A test of the value at a dotted path. With `any`, the path leads through arrays, and one element that passes is
 * enough.
 */
export interface Condition {
  readonly field: string
  readonly any: boolean
  readonly test: ValueTest
}

/** How often something must have happened. */
export interface Count {
  readonly operator: keyof typeof counts
  readonly n: number
}

/**
 * The time in which something must have happened: ever, in the last `ms` milliseconds, or from the instant `from` to
 * before the instant `to`.
 */
export type Window =
  | { readonly _tag: "AllTime" }
  | { readonly _tag: "Within"; readonly ms: number }
  | { readonly _tag: "Between"; readonly from: EpochMillis; readonly to: EpochMillis }

/** The kinds of event that rules tell apart. */
export type OccurringKind = "event" | "page" | "screen"

/** A leaf that is decided by the newest times at which something happened. */
export type CountingLeaf = { readonly count: Count; readonly window: Window } & (
  | {
      readonly _tag: "Occurred"
      readonly kind: OccurringKind
      /** A search for names (contract §8). */
      readonly name: string
      readonly where: ReadonlyArray<Condition>
    }
  | {
      readonly _tag: "Reported"
      readonly channel: Channel | null
      readonly metric: CountedMetric
      readonly source: ReadonlyArray<{ readonly name: CountedSource; readonly value: string }>
    }
  | { readonly _tag: "Submitted"; readonly form: string; readonly where: ReadonlyArray<Condition> }
)

/** A leaf that is decided by what is stored about the person, and by the time. */
export type StateLeaf =
  | { readonly _tag: "HasAttribute"; readonly condition: Condition }
  | { readonly _tag: "HasIdentifier"; readonly kind: IdentifierKind }
  /** Compares the age of the profile. */
  | { readonly _tag: "Aged"; readonly operator: keyof typeof ages; readonly ms: number }
  /** One device meets all conditions. */
  | { readonly _tag: "HasDevice"; readonly where: ReadonlyArray<Condition> }
  /** Counts the related objects of a type. `where` tests the relationship, and `object` the object. */
  | {
      readonly _tag: "Related"
      readonly typeId: string
      readonly where: ReadonlyArray<Condition>
      readonly object: ReadonlyArray<Condition>
      readonly count: Count
    }
  | { readonly _tag: "Unsubscribed"; readonly value: boolean }
  | { readonly _tag: "Subscribed"; readonly topic: string; readonly value: boolean }
  | { readonly _tag: "InSegment"; readonly segment: SubjectKey }

export type Leaf = CountingLeaf | StateLeaf

/** The conditions of a rule, combined. `OldEnough` holds if its rule does and the profile is at least `ms` old. */
export type Rule =
  | Leaf
  | { readonly _tag: "And" | "Or"; readonly rules: ReadonlyArray<Rule> }
  | { readonly _tag: "Not"; readonly rule: Rule }
  | { readonly _tag: "OldEnough"; readonly rule: Rule; readonly ms: number }

export const isLeaf = (rule: Rule): rule is Leaf =>
  rule._tag !== "And" && rule._tag !== "Or" && rule._tag !== "Not" && rule._tag !== "OldEnough"

export const isCounting = (leaf: Leaf): leaf is CountingLeaf =>
  leaf._tag === "Occurred" || leaf._tag === "Reported" || leaf._tag === "Submitted"

/** Returns the leaf that tests whether a profile is old enough. */
export const ageLeaf = (ms: number): StateLeaf => ({ _tag: "Aged", operator: "gte", ms })

/** Returns the leaves of a rule in the order in which they are written, repeated ones too. */
export const leavesOf = (rule: Rule): ReadonlyArray<Leaf> => {
  if (isLeaf(rule)) return [rule]
  switch (rule._tag) {
    case "And":
    case "Or":
      return rule.rules.flatMap(leavesOf)
    case "Not":
      return leavesOf(rule.rule)
    case "OldEnough":
      return [...leavesOf(rule.rule), ageLeaf(rule.ms)]
  }
}

/** Returns the keys of the segments that a rule names. */
export const segmentsIn = (rule: Rule): ReadonlySet<SubjectKey> =>
  new Set(leavesOf(rule).flatMap((leaf) => (leaf._tag === "InSegment" ? [leaf.segment] : [])))
