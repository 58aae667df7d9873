import { Effect } from "effect"
import type { EvidenceRecord } from "@inlethq/core/catalog/Catalog"
import type { EvidenceReason } from "@inlethq/core/log/evidence"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { Sequence } from "@inlethq/core/values/Identifier"
import type { Page } from "@inlethq/core/values/Page"
import {
  evidenceOf,
  isDismissed,
  nameOf,
  type DuplicatePage,
  type DuplicatePair,
  type DuplicatesRequest,
  type Sources,
} from "./duplicatePairs.ts"
import { pageOperationsMax } from "@inlethq/core/log/evidenceBounds"

const operationsPerRead = 100

/**
 * Lists the pairs of people who may be one, each at its newest operation, newest first. With a reason, only the pairs that have
 * it are listed. The pairs of one operation are on one page, so it may have a few more than `limit`.
 */
export const duplicatePairs = Effect.fnUntraced(function* (
  sources: Sources,
  { after, limit, reason }: DuplicatesRequest,
): Effect.fn.Return<DuplicatePage, StoreUnavailable> {
  const seen = new Set<string>()
  const items: Array<DuplicatePair> = []
  let searchedTo = after
  for (let looked = 0; looked < pageOperationsMax; looked += operationsPerRead) {
    const read = { after: searchedTo, limit: operationsPerRead }
    const page: Page<EvidenceRecord, Sequence> = yield* sources.catalog.evidence(
      sources.workspace,
      null,
      read,
    )
    for (const record of page.items) {
      const { sequence } = record.entry
      if (items.length >= limit && sequence !== searchedTo) return { items, next: searchedTo }
      searchedTo = sequence
      if (reason !== null && record.reason !== reason) continue
      const name = nameOf(record.people)
      if (seen.has(name)) continue
      seen.add(name)
      const pair = yield* pairIn(sources, record, reason)
      if (pair !== null) items.push(pair)
    }
    searchedTo = page.next ?? searchedTo
    if (page.next === null) return { items, next: null }
  }
  return { items, next: searchedTo }
})

/**
 * Returns the pair that an operation is evidence of. Returns null if the pair was dismissed, or if a newer operation says the
 * same, at which the pair is listed.
 */
const pairIn = Effect.fnUntraced(function* (
  sources: Sources,
  record: EvidenceRecord,
  reason: EvidenceReason | null,
): Effect.fn.Return<DuplicatePair | null, StoreUnavailable> {
  const [a, b] = record.people
  const people = a.key < b.key ? ([a, b] as const) : ([b, a] as const)
  const all = yield* evidenceOf(sources, people)
  const newest = all.find((one) => reason === null || one.reason === reason)
  if (newest !== undefined && newest.entry.sequence > record.entry.sequence) return null
  if (yield* isDismissed(sources, people)) return null
  const found = all.length === 0 ? [record] : all
  const operations = new Map(found.map(({ entry }) => [entry.sequence, entry]))
  const said = new Set([record.reason, ...found.map((one) => one.reason)])
  return {
    people,
    reasons: [...said].toSorted(),
    operations: [...operations.values()],
  }
})
