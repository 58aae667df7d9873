import type { EvidenceRecord } from "@inlethq/core/catalog/Catalog"
import { evidenceRecords } from "@inlethq/core/catalog/evidenceRecords"
import { evidenceIn } from "@inlethq/core/log/evidence"
import type { Digest } from "@inlethq/core/ports/Digest"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { toPlainSubject, type Subject } from "@inlethq/core/state/Subject"
import type { Sequence, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Page, PageRequest } from "@inlethq/core/values/Page"
import { Effect } from "effect"
import { namedBy } from "./activityRecords.ts"
import { ReadBudget } from "../budgets/ReadBudget.ts"
import type { Read, ReadQueries } from "./ReadQueries.ts"
import { readRecords } from "./readRecords.ts"

/** Reads operations which say that two people may be one, newest first. */
export const readEvidence = Effect.fnUntraced(function* (
  read: Read,
  digest: Digest["Service"],
  workspace: WorkspaceId,
  between: ReadonlyArray<SubjectKey> | null,
  { after, limit }: Pick<PageRequest<Sequence>, "after" | "limit">,
): Effect.fn.Return<Page<EvidenceRecord, Sequence>, StoreUnavailable> {
  const found = yield* read((ask) => ask.evidence(workspace, between, after, limit + 1))
  const shown = found.slice(0, limit)
  const items: Array<EvidenceRecord> = []
  for (let from = 0; from < shown.length;) {
    const rest = shown.slice(from)
    const slice = yield* read((ask) => evidenceAt(ask, digest, workspace, rest))
    items.push(...slice.items)
    from += slice.looked
  }
  return { items, next: found.length > limit ? (shown.at(-1) ?? null) : null }
})

const evidenceAt = Effect.fnUntraced(function* <E>(
  ask: ReadQueries<E>,
  digest: Digest["Service"],
  workspace: WorkspaceId,
  positions: ReadonlyArray<Sequence>,
) {
  const budget = new ReadBudget()
  const { looked, records } = yield* readRecords(ask, digest, workspace, positions, budget, Infinity)
  const subjects = new Map<SubjectKey, Subject>()
  let wanted = new Set(records.flatMap(({ record }) => evidenceIn(record.entry).map(({ other }) => other)))
  // The other may have been merged, and its owner then too.
  while (wanted.size > 0) {
    const found = yield* ask.subjects(workspace, wanted)
    for (const subject of found) subjects.set(subject.key, toPlainSubject(subject))
    wanted = new Set(namedBy(found.filter(isAttached)).filter((key) => !subjects.has(key)))
  }
  return { looked, items: records.flatMap(({ record }) => evidenceRecords(record, subjects)) }
})

const isAttached = ({ _tag }: Subject): boolean => _tag === "Attached"
