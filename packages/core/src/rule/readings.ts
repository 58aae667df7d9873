import type { ActivityEntry } from "../log/ActivityEntry.ts"
import { Channel } from "../state/Delivery.ts"
import type { Counted } from "../state/LeafState.ts"
import { metricEventName } from "../state/metricEventNames.ts"
import type { Reading } from "../state/RuleBuild.ts"
import type { SubjectKey } from "../values/Identifier.ts"
import { countedIn, counts, occurrenceIn } from "./Occurrence.ts"
import type { CountingLeaf } from "./Rule.ts"
import type { RuleIndex } from "./RuleIndex.ts"

/** Returns the parts of the log that contain what a leaf counts. */
export const readingsOf = (leaf: CountingLeaf): ReadonlyArray<Reading> => {
  switch (leaf._tag) {
    case "Occurred": {
      const isSearch = /[*+|\\]/.test(leaf.name)
      const named = { name: isSearch ? null : leaf.name, search: isSearch ? leaf.name : null }
      const own: Reading = { kind: leaf.kind, ...named }
      return leaf.kind === "event" ? [own, { kind: "anonymous_event", ...named }] : [own]
    }
    case "Submitted":
      return [{ kind: "form_submission", name: leaf.form, search: null }]
    case "Reported": {
      const { channel, metric } = leaf
      if (metric === "unsubscribed") return [{ kind: "unsubscribe", name: null, search: null }]
      const channels = channel === null ? [null, ...Channel.literals] : [channel]
      return channels.map((one) => ({
        kind: "delivery_metric",
        name: metricEventName(one, metric),
        search: null,
      }))
    }
  }
}

/** Something that leaves count, and by whom. */
export interface Found {
  readonly subject: SubjectKey
  readonly leaf: SubjectKey
  readonly counted: Counted
}

/** Returns what those of the given leaves count that are still being built. */
export const foundIn = (
  rules: RuleIndex,
  leaves: ReadonlySet<SubjectKey>,
  entries: Iterable<ActivityEntry>,
): ReadonlyArray<Found> => {
  const found: Array<Found> = []
  for (const entry of entries) {
    const { subject } = entry
    const occurrence = subject === null ? null : occurrenceIn(entry)
    if (subject === null || occurrence === null) continue
    const counted = countedIn(entry)
    for (const { counted: leaf, group } of rules.leaves.counts(occurrence)) {
      if (leaves.has(group.key) && counts(leaf, entry, counted))
        found.push({ subject, leaf: group.key, counted })
    }
  }
  return found
}
