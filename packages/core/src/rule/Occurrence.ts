import { reportNamed } from "../state/metricEventNames.ts"
import type { ActivityEntry } from "../log/ActivityEntry.ts"
import { tookEffect } from "../log/Outcome.ts"
import type { Channel } from "../state/Delivery.ts"
import { isJsonObject, type Json } from "../values/Json.ts"
import { eventMeetsAll, meetsAll } from "./evaluateLeaf.ts"
import { jsonFields } from "./fields.ts"
import type { Counted } from "../state/LeafState.ts"
import { fitsWindow } from "./Ring.ts"
import type { CountingLeaf, OccurringKind } from "./Rule.ts"
import type { CountedMetric } from "./ruleLanguage.ts"

/** What rules can count in a log entry. */
export type Occurrence =
  | { readonly _tag: "Occurred"; readonly kind: OccurringKind; readonly name: string }
  | { readonly _tag: "Reported"; readonly channel: Channel | null; readonly metric: CountedMetric }
  | { readonly _tag: "Submitted"; readonly form: string }

/** Returns what rules can count in an entry, or null if they count nothing in it. */
export const occurrenceIn = ({ kind, name, outcome }: ActivityEntry): Occurrence | null => {
  if (name === null || !tookEffect(outcome)) return null
  switch (kind) {
    case "event":
    case "page":
    case "screen":
      return { _tag: "Occurred", kind, name }
    case "anonymous_event":
      return { _tag: "Occurred", kind: "event", name }
    case "form_submission":
      return { _tag: "Submitted", form: name }
    case "unsubscribe":
      return { _tag: "Reported", channel: "email", metric: "unsubscribed" }
    case "delivery_metric": {
      const report = reportNamed(name)
      return report === undefined ? null : { _tag: "Reported", ...report }
    }
    default:
      return null
  }
}

/** Returns the occurrence that an entry records, as rings keep it. */
export const countedIn = ({ at, receivedAt, sequence }: ActivityEntry): Counted => ({
  at: Math.min(at, receivedAt),
  receivedAt,
  position: sequence,
})

/**
 * Returns whether a leaf counts an entry. The leaf must have been found by the kind and the name of the entry, so only the
 * rest is checked.
 */
export const counts = (leaf: CountingLeaf, entry: ActivityEntry, { at }: Counted): boolean => {
  if (!fitsWindow(at, leaf.window)) return false
  const { data } = entry
  switch (leaf._tag) {
    case "Occurred":
      return eventMeetsAll(leaf.where, entry, at)
    case "Submitted":
      return meetsAll(leaf.where, jsonFields(data), at)
    case "Reported":
      return leaf.source.every(({ name, value }) => sourceIn(data, name) === value)
  }
}

const sourceIn = (data: Json, name: string): string | null => {
  const properties = isJsonObject(data) ? data["properties"] : undefined
  const value = isJsonObject(properties) ? properties[name] : undefined
  return value == null ? null : String(value)
}
