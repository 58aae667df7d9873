import type { ActivityEntry, EntryPart } from "@inlethq/core/log/ActivityEntry"
import type { Provenance } from "@inlethq/core/log/Provenance"
import { hasLostDevice, isTakenIdentifier } from "@inlethq/core/log/evidence"
import { withoutFrom } from "@inlethq/core/decision/origins"
import { isOfOther, type Overwritten } from "@inlethq/core/log/Overwritten"
import type { RefusedValue } from "@inlethq/core/log/RefusedValue"
import type { Sequence, SubjectKey } from "@inlethq/core/values/Identifier"
import type { Json } from "@inlethq/core/values/Json"
import { integer, text, type Row } from "../columns/columns.ts"
import { changesOf } from "./entryRows.ts"
import { subjectKey } from "../columns/ids.ts"
import { beforeOf, storedBefore, type StoredBefore } from "./overwrittenRows.ts"
import { refusedItem, refusedValue, type RefusedItem } from "./refusedItems.ts"

/*
 * Rows of `entry_parts`. Each part of a log entry has its own row, so that erasing one of the thousand people in an
 * entry changes only one row. A part is the effect of the operation on one person, a refused value that belongs to
 * one, or what the operation overwrote of one.
 */

interface EffectDocument {
  readonly anonymousId: string | undefined
  readonly data: Json
  /** Three items for each change: path, old value, new value. */
  readonly changes: ReadonlyArray<Json>
  readonly provenance?: Provenance
}

interface RefusalDocument {
  readonly refused: RefusedItem
}

/** What the operation overwrote of the person. Times are relative to the receipt in the document. */
interface BeforeDocument {
  readonly before: StoredBefore
  readonly received: number
  /** The person whose part has something from this subject. */
  readonly within?: SubjectKey
}

/** A row of `entry_parts`, with the names of its columns. */
export interface PartRow {
  readonly sequence: Sequence
  readonly subject: SubjectKey
  readonly place: number
  readonly doc: string
}

/** A part of a log entry: the effect on one person or visitor, or a refused value that belongs to them. */
export type StoredPart =
  | { readonly _tag: "Effect"; readonly part: EntryPart }
  | { readonly _tag: "Refusal"; readonly refused: RefusedValue }
  | { readonly _tag: "Before"; readonly overwritten: Overwritten }

/**
 * The places of parts with evidence that two people may be one (`evidenceIn`) are this far from those of other parts, so that
 * an index of the former is small. Parts keep their order, so some without evidence may be as far.
 */
const evidencePlace = 1_000_000

/** A condition that holds for every row of `entry_parts` with evidence. It must not change, because indexes have it. */
export const sqlEvidence = `(place >= ${evidencePlace} OR place < -${evidencePlace})`

/** Returns whether `partRows` returns any row for an entry, which it does for few. */
export const hasPartRows = ({ overwritten, parts, refused, subject }: ActivityEntry): boolean =>
  parts.length > 0 ||
  refused.some(({ other }) => other !== null) ||
  overwritten.some((one) => one.subject !== subject)

/**
 * Returns the rows of the parts of a log entry. `place` is the index of the part in its entry; refused values come after
 * the effects. What the operation overwrote of other people than its subject comes first, with negative places: it
 * stays when the entry is redacted.
 */
export const partRows = ({
  kind,
  overwritten,
  parts,
  receivedAt,
  refused,
  sequence,
  subject: own,
}: ActivityEntry): ReadonlyArray<PartRow> => {
  const rows: Array<PartRow> = []
  for (const { anonymousId, changes, provenance, data, subject } of parts) {
    const document: EffectDocument = {
      anonymousId: anonymousId ?? undefined,
      data,
      changes: changes.flatMap(({ from, path, to }) => [path, from, to]),
      ...(provenance !== undefined && { provenance }),
    }
    rows.push({ sequence, subject, place: rows.length, doc: JSON.stringify(document) })
  }
  let shift = 0
  for (const one of refused) {
    if (one.other === null) continue
    if (isTakenIdentifier(one)) shift = evidencePlace
    const document: RefusalDocument = { refused: refusedItem(one) }
    rows.push({ sequence, subject: one.other, place: shift + rows.length, doc: JSON.stringify(document) })
  }
  const others = overwritten.filter((one) => one.subject !== own)
  const staying = others.filter((one) => isOfOther(one, own))
  const evident = staying.findLastIndex((one) => hasLostDevice({ kind, subject: own }, one))
  let kept = -staying.length
  for (const one of others) {
    const told = { changes: [], data: null, receivedAt }
    const document: BeforeDocument = {
      before: storedBefore(one.before, told),
      received: receivedAt,
      ...(one.within !== undefined && { within: one.within }),
    }
    const isStaying = isOfOther(one, own)
    const isEvident = isStaying && kept + staying.length <= evident
    const place = isStaying ? (isEvident ? kept++ - evidencePlace : kept++) : shift + rows.length
    rows.push({ sequence, subject: one.subject, place, doc: JSON.stringify(document) })
  }
  return rows
}

/**
 * Decodes a row of `entry_parts`. The code is written by hand for speed, because one entry can have a thousand parts. A
 * test proves that it agrees with the schema in `packages/core`.
 */
export const partFromRow = (row: Row): StoredPart => {
  const subject = subjectKey(integer(row["subject"]))
  const document: EffectDocument | RefusalDocument | BeforeDocument = JSON.parse(text(row["doc"]))
  if ("refused" in document) return { _tag: "Refusal", refused: refusedValue(document.refused, subject) }
  if ("before" in document) {
    const told = { changes: [], data: null, receivedAt: document.received }
    const { within } = document
    const before = beforeOf(document.before, told)
    return { _tag: "Before", overwritten: { subject, before, ...(within !== undefined && { within }) } }
  }
  const { anonymousId, changes, provenance, data } = document
  const part = {
    subject,
    anonymousId: anonymousId ?? null,
    data,
    changes: changesOf(changes, null),
    ...(provenance !== undefined && { provenance }),
  }
  return { _tag: "Effect", part }
}

/** Returns the document of a part without what came from a merged person who is gone, or null if it has nothing of theirs. */
export const withoutOriginsOf = (row: Row, isGone: (subject: SubjectKey) => boolean): string | null => {
  const part = partFromRow(row)
  if (part._tag !== "Before" || part.overwritten.before?.from === undefined) return null
  const { received }: BeforeDocument = JSON.parse(text(row["doc"]))
  const [before] = withoutFrom(part.overwritten.before, isGone)
  const told = { changes: [], data: null, receivedAt: received }
  return JSON.stringify({ before: storedBefore(before, told), received })
}
