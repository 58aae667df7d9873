import { causesMax, type CauseDocument } from "@inlethq/contract/types/EventTypes"
import type { TextValues } from "@inlethq/core/log/Reason"
import { dayMs, hourMs } from "@inlethq/core/values/Timestamp"
import type { WrittenBrand } from "@inlethq/wire/texts/WrittenBrand"
import { reasonTexts } from "@inlethq/wire/texts/reasonTexts"
import { sentenceOf } from "@inlethq/wire/texts/sentences"
import type { CauseSummary } from "./CauseSummary.ts"
import { daysOf, hoursOf, senderOf, sighting, type Shown } from "./sightings.ts"

/** A period of receipt times, and from when on a cause is new. */
export interface CausePeriod {
  readonly since: number
  readonly until: number
  readonly newSince: number
}

/** Returns the causes of a period, most frequent first. */
export const causeDocuments = (
  shown: Shown,
  brand: WrittenBrand,
  causes: Iterable<readonly [cause: string, summary: CauseSummary]>,
  period: CausePeriod,
): ReadonlyArray<CauseDocument> =>
  Array.from(causes, ([cause, summary]) => causeDocument(shown, brand, cause, summary, period))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count || (a.last.at < b.last.at ? 1 : -1))
    .slice(0, causesMax)

const causeDocument = (
  shown: Shown,
  brand: WrittenBrand,
  key: string,
  summary: CauseSummary,
  period: CausePeriod,
): CauseDocument => {
  const { affected, cause, counted } = summary
  const { count, exact } = countIn(summary, period)
  return {
    cause: key,
    outcome: cause.outcome,
    kind: cause.kind,
    rule: cause.rule,
    reason: sentenceOf(
      brand,
      cause.reasons.map((reason) => ({ ...reason, values: leftOpen(reason.code) })),
    ),
    reasons: cause.reasons,
    filter: filterOf(summary),
    sender: senderOf(shown, cause.sender),
    count,
    exact,
    total: counted.count,
    affected,
    new: counted.first.receivedAt >= period.newSince,
    first: sighting(shown, counted.first),
    last: sighting(shown, counted.last),
    hours: hoursOf(counted),
    days: daysOf(counted),
  }
}

/** Values differ from operation to operation, so the sentence of a cause has a gap for each. */
const leftOpen = (code: string): TextValues =>
  Object.fromEntries(
    Array.from(reasonTexts.get(code)?.template.matchAll(/\{(\w+)\}/g) ?? [], ([, name = ""]) => [name, "…"]),
  )

/** Counts whole hours where they are kept, and else whole days. */
const countIn = ({ counted }: CauseSummary, { since, until }: CausePeriod) => {
  const { count, days, first, hours, last } = counted
  if (last.receivedAt < since || first.receivedAt >= until) return { count: 0, exact: true }
  if (first.receivedAt >= since && last.receivedAt < until) return { count, exact: true }
  const hasHours = (hours[0]?.hour ?? Infinity) * hourMs <= since
  const [unit, parts] = hasHours
    ? [hourMs, hours.map((one) => ({ at: one.hour * hourMs, count: one.count }))]
    : [dayMs, days.map((one) => ({ at: one.day * dayMs, count: one.count }))]
  return {
    count: parts.reduce((sum, one) => (one.at + unit > since && one.at < until ? sum + one.count : sum), 0),
    exact: since % unit === 0 && (until % unit === 0 || last.receivedAt < until),
  }
}

/** Returns the filter that finds the operations, as far as filters can tell causes apart. */
const filterOf = ({ cause: { kind, outcome, reasons } }: CauseSummary): string =>
  [
    `outcome:${outcome}`,
    ...(kind === null ? [] : [`kind:${kind}`]),
    ...reasons.slice(0, 1).map(({ code }) => `reason:${code}`),
  ].join(" ")
