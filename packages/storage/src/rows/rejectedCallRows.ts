import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import { RejectedCall, rejectedSize, rejectedText, type PlacedCall } from "@inlethq/core/log/RejectedCall"
import type { Sequence } from "@inlethq/core/values/Identifier"
import { dayMs, type EpochMillis } from "@inlethq/core/values/Timestamp"
import { rejectedDaysDefault } from "@inlethq/core/workspace/Workspace"
import { isJsonObject, type Json } from "@inlethq/core/values/Json"
import { Schema } from "effect"
import { kindCodes, outcomeCodes } from "../columns/codes.ts"
import { integer, text, type Row } from "../columns/columns.ts"
import { sequenceIn } from "./entryRows.ts"
import { sequenceOf } from "../columns/ids.ts"

/*
 * Rows of `rejected_calls`, which keeps what was sent in rejected calls for a few days. All rows of a workspace together
 * are small (`rejectedCharactersMax`), so the commit that deletes a person searches all of them.
 *
 * A call that was erased leaves an empty row that was received at 0. Housekeeping removes it as it removes calls whose
 * days are over: with the entry, if the entry has been kept only for the call.
 */

/** SQL for a row that still holds its call. */
export const sqlHoldsCall = "characters > 0"

/** SQL that empties a row. */
export const sqlEmptied = "received = 0, characters = 0, doc = ''"

/** Returns SQL for the receipt time before which the calls of a workspace are no longer kept. */
export const sqlCallsKeptSince = (now: string, rejectedDays: string, retentionDays: string): string =>
  `${now} - ${dayMs} * CASE WHEN ${retentionDays} < ${rejectedDays} THEN ${retentionDays} ELSE coalesce(${rejectedDays}, ${rejectedDaysDefault}) END`

/** A row of `rejected_calls`, with the names of its columns. */
export interface RejectedCallRow {
  readonly sequence: Sequence
  readonly received: EpochMillis
  readonly characters: number
  readonly doc: string
}

export const rejectedCallRow = (
  sequence: Sequence,
  receivedAt: EpochMillis,
  call: RejectedCall,
): RejectedCallRow => {
  const doc = rejectedText(call)
  return { sequence, received: receivedAt, characters: rejectedSize(doc), doc }
}

const decodeCall = Schema.decodeUnknownSync(Schema.fromJsonString(RejectedCall))

/**
 * Reads what `erasedCalls` searches of the columns `sequence` and `doc`. Decoding all calls of a workspace with their
 * schema would hold up commits for half a second.
 */
export const searchedCallFromRow = (row: Row): PlacedCall => {
  const doc: Json = JSON.parse(text(row["doc"]))
  const { data = null, path = null } = isJsonObject(doc) ? doc : {}
  return {
    sequence: sequenceOf(integer(row["sequence"])),
    call: { data, path: typeof path === "string" ? path : null },
  }
}

/** Decodes the columns `sequence` and `doc` of a row of `rejected_calls`. */
const rejectedCallFromRow = (row: Row) => ({
  sequence: sequenceOf(integer(row["sequence"])),
  call: decodeCall(text(row["doc"])),
})

/** Returns the positions of the entries in rows of `activity` that may have a row in `rejected_calls`. */
export const rejectedPositions = (rows: ReadonlyArray<Row>): ReadonlyArray<Sequence> =>
  rows.flatMap((row) => (mayHaveCall(row) ? [sequenceIn(row)] : []))

/** Segment calls keep ids that nobody has as rejected calls are kept. */
const mayHaveCall = ({ kind, outcome }: Row): boolean =>
  outcome === outcomeCodes.rejected || kind === kindCodes.segment_add || kind === kindCodes.segment_remove

/** Adds to log entries what is kept of their calls. */
export const addCalls = (
  entries: ReadonlyArray<ActivityEntry>,
  rows: ReadonlyArray<Row>,
): ReadonlyArray<ActivityEntry> => {
  if (rows.length === 0) return entries
  const calls = new Map(rows.map(rejectedCallFromRow).map(({ call, sequence }) => [sequence, call]))
  return entries.map((entry) => {
    const call = calls.get(entry.sequence)
    return call === undefined ? entry : { ...entry, call }
  })
}
