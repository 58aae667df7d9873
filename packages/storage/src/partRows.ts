import type { EntryPart } from "@inlet/core/log/ActivityEntry"
import type { Sequence, SubjectKey } from "@inlet/core/values/Identifier"
import type { Json } from "@inlet/core/values/Json"
import { integer, text, type Row } from "./columns.ts"
import { changesOf } from "./entryRows.ts"
import { subjectKey } from "./ids.ts"

/*
 * Rows of `entry_parts`. Each part of a log entry (its effect on one person) has its own row, so that erasing one of
 * the thousand people in an entry changes only one row.
 */

interface PartDocument {
  readonly anonymousId: string | undefined
  readonly data: Json
  /** Three items for each change: path, old value, new value. */
  readonly changes: ReadonlyArray<Json>
}

/** The values of the columns `sequence, subject, place, doc` of the table `entry_parts`. */
export type PartRow = readonly [sequence: Sequence, subject: SubjectKey, place: number, doc: string]

/**
 * Returns the row of one part of a log entry (its effect on one person). `place` is the index of the part in its entry.
 */
export const partRow = (
  sequence: Sequence,
  place: number,
  { anonymousId, changes, data, subject }: EntryPart,
): PartRow => {
  const document: PartDocument = {
    anonymousId: anonymousId ?? undefined,
    data,
    changes: changes.flatMap(({ from, path, to }) => [path, from, to]),
  }
  return [sequence, subject, place, JSON.stringify(document)]
}

/**
 * Decodes a row of `entry_parts`. The code is written by hand for speed, because one entry can have a thousand parts. A
 * test proves that it agrees with the schema in `packages/core`.
 */
export const partFromRow = (row: Row): EntryPart => {
  const { anonymousId, changes, data }: PartDocument = JSON.parse(text(row["doc"]))
  return {
    subject: subjectKey(integer(row["subject"])),
    anonymousId: anonymousId ?? null,
    data,
    changes: changesOf(changes, null),
  }
}
