import { Outcome } from "@inlethq/core/log/Outcome"
import { Schema } from "effect"
import { ActivityDocument } from "./ActivityLog.ts"
import { IsoTime } from "../values/IsoTime.ts"

const ReasonCount = Schema.Struct({
  outcome: Outcome,
  /** The reasons of the newest of these operations, as a sentence. */
  reason: Schema.NullOr(Schema.String),
  reasons: ActivityDocument.fields.reasons,
  rule: Schema.NullOr(Schema.String),
  /** The key and the `User-Agent` of rejected calls, while they are kept. Null for any other operation. */
  key: Schema.NullOr(Schema.Struct({ key_id: Schema.String, name: Schema.String })),
  client: Schema.NullOr(Schema.String),
  count: Schema.Int,
  last_operation_id: Schema.String,
  last_received_at: IsoTime,
})
type ReasonCount = typeof ReasonCount.Type

/** The outcomes of operations that were not applied completely. */
export const faultyOutcomes = ["rejected", "partial", "dropped", "ignored"] as const

/**
 * For each outcome, the largest number of log entries in which reasons are counted, beginning with the newest entry.
 */
export const reasonsEntriesMax = 250

/** The largest number of reasons that one answer lists. */
const reasonsMax = 100

/** In how many entries with an outcome the causes were counted. */
const CountedOutcome = Schema.Struct({
  outcome: Outcome,
  entries: Schema.Int,
  counted_from: Schema.NullOr(IsoTime).annotate({
    description: "when the oldest of them was received; null if they are all that the log has",
  }),
})

export const ReasonsDocument = Schema.Struct({
  items: Schema.Array(ReasonCount),
  counted: Schema.Array(CountedOutcome),
}).annotate({
  identifier: "Reasons",
  description: `the reasons why operations were not applied completely, most frequent first, counted among the newest ${reasonsEntriesMax} operations of each of the outcomes ${faultyOutcomes.join(", ")}`,
})

/** Returns the key and the client of an operation. */
const senderOf = ({ request, sender }: ActivityDocument): Pick<ReasonCount, "client" | "key"> => {
  if (request === null) return { key: sender?.key ?? null, client: sender?.user_agent ?? null }
  const { key_id, key_name, user_agent } = request
  return { key: key_id === null || key_name === null ? null : { key_id, name: key_name }, client: user_agent }
}

/** Returns the codes and fields of reasons. Other values, or another order of faults, are the same cause. */
const causesIn = (reasons: ActivityDocument["reasons"]): ReadonlyArray<string> =>
  [...new Set(reasons.map(({ code, field }) => `${code} ${field}`))].toSorted()

/** Counts log entries by outcome, rule, codes and fields of reasons, key and client. The entries of each outcome must be sorted, newest first. */
export const reasonsIn = (entries: Iterable<ActivityDocument>): ReadonlyArray<ReasonCount> => {
  const found = new Map<string, ReasonCount>()
  for (const entry of entries) {
    const { operation_id, outcome, reason, reasons, received_at, rule } = entry
    const { client, key } = senderOf(entry)
    const cause = JSON.stringify([outcome, rule, causesIn(reasons), key?.key_id, client])
    const known = found.get(cause)
    const first = {
      outcome,
      reason,
      reasons,
      rule,
      key,
      client,
      count: 1,
      last_operation_id: operation_id,
      last_received_at: received_at,
    }
    found.set(cause, known === undefined ? first : { ...known, count: known.count + 1 })
  }
  return [...found.values()].toSorted((a, b) => b.count - a.count).slice(0, reasonsMax)
}
