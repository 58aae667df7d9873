import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import { faultyOutcomes } from "@inlethq/contract/activity/Reasons"
import { Outcome } from "@inlethq/core/log/Outcome"
import { isPlanCode } from "@inlethq/core/plan/planTexts"
import { Schema } from "effect"
import { Counted, StoredCount } from "./Counted.ts"
import { protocolNames } from "./protocolNames.ts"
import type { Seen } from "./Seen.ts"
import { anyKey } from "./ShapeSummary.ts"
import { Sketch } from "./Sketch.ts"

/** The most reasons of one entry that a cause tells apart. */
const reasonsMax = 8

/** Why operations were not applied completely, and who sent them. */
export const Cause = Schema.Struct({
  outcome: Outcome,
  rule: Schema.NullOr(Schema.String),
  kind: Schema.NullOr(Schema.String),
  reasons: Schema.Array(Schema.Struct({ code: Schema.String, field: Schema.String })),
  /** The number of the sender, or 0. */
  sender: Schema.Int,
})
export type Cause = typeof Cause.Type

export const StoredCause = Schema.Struct({
  cause: Cause,
  count: StoredCount,
  people: Schema.String,
})
export type StoredCause = typeof StoredCause.Type

/**
 * Returns the cause of an entry, or null if it was applied completely. Keys that senders have chosen are `*`, unless `isShared`
 * says that more than one person has sent them: a cause stays when the person is erased.
 */
export const causeOf = (
  { kind, outcome, reasons, rule, sender }: ActivityEntry,
  isShared: (key: string) => boolean,
): Cause | null => {
  if (!faultyOutcomes.some((faulty) => faulty === outcome)) return null
  const found = new Map(
    reasons.map(({ code, field }) => {
      // The refusal by a plan names the keys of the plan, and `*` for others.
      const isPlanned = outcome === "rejected" && isPlanCode(code)
      const shown = withoutData(field, isPlanned ? () => true : isShared)
      return [`${code} ${shown}`, { code, field: shown }]
    }),
  )
  const sorted = [...found].toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return {
    outcome,
    rule,
    kind,
    reasons: sorted.slice(0, reasonsMax).map(([, reason]) => reason),
    sender: sender ?? 0,
  }
}

const withoutData = (field: string, isKnown: (key: string) => boolean): string =>
  field
    .split(".")
    .map((segment) => {
      if (segment === "" || protocolNames.has(segment)) return segment
      if (isPlace(segment)) return "[]"
      return isKnown(segment) ? segment : anyKey
    })
    .join(".")

/** The place in a list says nothing about a cause. */
const isPlace = (segment: string): boolean => /^\d{1,5}$/.test(segment)

/** Returns the text by which a cause is known. */
export const causeKey = ({ kind, outcome, reasons, rule, sender }: Cause): string =>
  JSON.stringify([outcome, rule, kind, reasons.map(({ code, field }) => [code, field]), sender])

/** How often a cause kept operations from being applied. */
export class CauseSummary {
  readonly cause: Cause
  readonly counted: Counted
  private readonly people: Sketch

  constructor(cause: Cause, counted: Counted, people = new Sketch()) {
    this.cause = cause
    this.counted = counted
    this.people = people
  }

  static from({ cause, count, people }: StoredCause): CauseSummary {
    return new CauseSummary(cause, Counted.from(count), Sketch.fromText(people))
  }

  /** Adds an entry. `subject` is the number of whom or what it is about, or 0. */
  add(seen: Seen, subject: number): void {
    if (this.counted.has(seen)) return
    this.counted.add(seen)
    if (subject > 0) this.people.add(String(subject))
  }

  /** About how many people and objects it concerned. */
  get affected(): number {
    return this.people.estimate
  }

  stored(): StoredCause {
    return { cause: this.cause, count: this.counted.stored(), people: this.people.toText() }
  }
}
