import type { EvidenceRecord } from "@inlethq/core/catalog/Catalog"
import { evidenceRecords } from "@inlethq/core/catalog/evidenceRecords"
import { evidenceIn } from "@inlethq/core/log/evidence"
import type { Slices } from "@inlethq/core/Slices"
import { Sequence, type SubjectKey } from "@inlethq/core/values/Identifier"
import type { Page, PageRequest } from "@inlethq/core/values/Page"
import type { Island } from "./MemoryImage.ts"
import { recordOf } from "./queries.ts"

/** The largest number of log positions that one slice visits. */
const slicePositionsMax = 1000

/** Reads operations which say that two people may be one, newest first. */
export function* evidencePage(
  island: Island,
  between: ReadonlyArray<SubjectKey> | null,
  { after, limit }: Pick<PageRequest<Sequence>, "after" | "limit">,
): Slices<Page<EvidenceRecord, Sequence>> {
  const { everything, log } = island
  const isBetween = (key: SubjectKey) => between === null || between.includes(key)
  const items: Array<EvidenceRecord> = []
  let found = 0
  let last: Sequence | null = null
  for (let at = (after ?? everything.nextSequence) - 1; at >= 1; at--) {
    if (at % slicePositionsMax === 0) yield
    const entry = log.get(Sequence.make(at))
    if (entry?.subject == null || !isBetween(entry.subject)) continue
    const record = recordOf(island, entry)
    if (!evidenceIn(record.entry).some(({ other }) => isBetween(other))) continue
    if (found++ === limit) return { items, next: last }
    last = entry.sequence
    items.push(...evidenceRecords(record, everything.subjects))
  }
  return { items, next: null }
}
