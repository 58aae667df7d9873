import type { ActivityDocument } from "../../api/documents.ts"

type Kind = NonNullable<ActivityDocument["kind"]>

/** A text that completes the term at the caret. */
export interface Completion {
  readonly text: string
  readonly hint: string
  /** The start of the part of the filter that `text` replaces. */
  readonly from: number
  /** The end of the part of the filter that `text` replaces. */
  readonly to: number
}

/**
 * The keys of the filter language (docs/filters.md), each with a description of the values that it is compared with.
 */
const keys = {
  kind: "kind of operation",
  outcome: "what was decided",
  name: "name of the event",
  person: "id, email or svc_id",
  object: "id, or TYPE/ID",
  source: "API that received it",
  reason: "why, as a code or in words",
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
} as const

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

const values: Readonly<Record<string, Readonly<Record<string, string>>>> = {
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

/** Returns the countries whose code or a word of whose name begins with a text. */
const countriesLike = (typed: string): ReadonlyArray<readonly [code: string, name: string]> => {
  const text = typed.toLowerCase()
  return countryNames()
    .filter(([code, name]) =>
      [code, ...name.split(/[ -]/)].some((word) => word.toLowerCase().startsWith(text)),
    )
    .slice(0, countriesMax)
}

const examples: ReadonlyArray<readonly [text: string, hint: string]> = [
  ["-outcome:applied,created", "everything that went wrong"],
  ["kind:event", "events only"],
  ["reason:*", "with a reason"],
]

/** Returns the completions of the term at the caret, best first. */
export const completionsAt = (filter: string, caret: number): ReadonlyArray<Completion> => {
  const start = filter.slice(0, caret).search(/\S*$/)
  const term = filter.slice(start, caret)
  const range = { from: start, to: caret }
  if (filter.trim() === "")
    return examples.map(([text, hint]) => ({ ...range, text, hint })).concat(keysFor("", range))
  const [, sign = "", key = "", typed = ""] = /^(-?)(\w+):(.*)$/.exec(term) ?? []
  if (key === "") return keysFor(term, range)
  const last = typed.slice(typed.lastIndexOf(",") + 1)
  const before = `${sign}${key}:${typed.slice(0, typed.length - last.length)}`
  if (key === "country") {
    return countriesLike(last)
      .filter(([code]) => code !== last)
      .map(([code, name]) => ({ ...range, text: `${before}${code}`, hint: name }))
  }
  const known = values[key]
  if (known === undefined) return []
  return Object.entries(known)
    .filter(([value]) => value.startsWith(last) && value !== last)
    .map(([value, hint]) => ({ ...range, text: `${before}${value}`, hint }))
}

const keysFor = (term: string, range: Pick<Completion, "from" | "to">): ReadonlyArray<Completion> => {
  const sign = term.startsWith("-") ? "-" : ""
  const typed = term.slice(sign.length)
  return Object.entries(keys)
    .filter(([key]) => key.startsWith(typed))
    .map(([key, hint]) => ({ ...range, text: `${sign}${key}:`, hint }))
}

/** Returns the filter with the completion inserted, and the position of the caret after the completion. */
export const complete = (filter: string, { from, text, to }: Completion): readonly [string, number] => [
  filter.slice(0, from) + text + filter.slice(to),
  from + text.length,
]
