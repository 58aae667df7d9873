import type { ActivityDocument } from "../../api/documents.ts"
import type { KnownValue } from "./QueryLanguage.ts"

type Kind = NonNullable<ActivityDocument["kind"]>

/**
 * The keys of the filter language (docs/filters.md), each with a description of the values that it is compared with.
 */
export const activityKeys = {
  kind: "kind of operation",
  outcome: "what was decided",
  name: "name of the event",
  person: "id, email or svc_id",
  object: "id, or TYPE/ID",
  source: "API that received it",
  reason: "why, as a code or in words",
  key: "id or name of the key",
  client: "user agent of the client",
  rule: "rule that decided",
  operation: "operation id",
  id: "deduplication key",
  entered: "id of a segment that somebody entered",
  left: "id of a segment that somebody left",
  segment: "id of a segment that somebody entered or left",
  page: "address or path of the page",
  campaign: "name of the campaign",
  app: "name of the app",
  country: "where the call came from",
  bot: "whether a bot called",
  library: "name of the library, or NAME/VERSION",
}

const kinds: Readonly<Record<Kind, string>> = {
  identify: "person set",
  event: "event",
  page: "page view",
  screen: "screen view",
  anonymous_event: "event without a person",
  delete: "person deleted",
  suppress: "person suppressed",
  unsuppress: "suppression removed",
  merge: "two people merged",
  unmerge: "merge undone",
  add_device: "device added",
  delete_device: "device deleted",
  add_relationships: "relationships added",
  delete_relationships: "relationships deleted",
  object_identify: "object set",
  object_delete: "object deleted",
  delivery_metric: "delivery report",
  unsubscribe: "unsubscribe",
  form_submission: "form submitted",
  segment_add: "added to a segment",
  segment_remove: "removed from a segment",
  segment_change: "segments changed by time or a new rule",
}

const outcomes: Readonly<Record<ActivityDocument["outcome"], string>> = {
  applied: "stored or updated",
  created: "created something",
  partial: "applied in part",
  rejected: "answered 4xx",
  dropped: "nothing to update",
  duplicate: "received before",
  ignored: "suppressed person or a bot",
  pending: "waits for a person",
}

const sources: Readonly<Record<ActivityDocument["source"], string>> = {
  "track-v1": "Track API v1",
  "track-v2": "Track API v2",
  pipelines: "Pipelines API",
  csv: "import",
  management: "management API",
  system: "Inlet itself",
}

/** The values of keys that have only these. */
export const activityValues: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  kind: kinds,
  outcome: outcomes,
  source: sources,
  bot: { true: "by its user agent" },
}

let countries: ReadonlyArray<readonly [code: string, name: string]> | undefined

/** Returns the countries that the browser knows, by their codes, with their English names. */
const countryNames = (): ReadonlyArray<readonly [code: string, name: string]> => {
  if (countries !== undefined) return countries
  const names = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" })
  const letters = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
  countries = letters.flatMap((first) =>
    letters.flatMap((second) => {
      const code = first + second
      const name = names.of(code)
      // Codes that are out of use stand for others, as DD for DE.
      const isInUse = name !== undefined && new Intl.Locale(`und-${code}`).region === code
      return isInUse ? [[code, name] as const] : []
    }),
  )
  return countries
}

/** The most countries that are offered at once. */
const countriesMax = 12

/** Returns the countries whose code or a word of whose name begins with a text, those that were found first. */
export const countriesLike = (typed: string, found: ReadonlyArray<KnownValue>): ReadonlyArray<KnownValue> => {
  const text = typed.toLowerCase()
  const counts = new Map(found.map(({ count = 0, value }) => [value, count]))
  return countryNames()
    .filter(
      ([code, name]) =>
        code !== typed && [code, ...name.split(/[ -]/)].some((word) => word.toLowerCase().startsWith(text)),
    )
    .map(([value, hint]) => ({ value, hint, ...(counts.has(value) && { count: counts.get(value) ?? 0 }) }))
    .toSorted((a, b) => (b.count ?? 0) - (a.count ?? 0))
    .slice(0, countriesMax)
}
