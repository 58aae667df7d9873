import { isEventKind, isMergeKind, isPermanent, type ActivityKind } from "@inlethq/core/log/ActivityEntry"
import type { Visitor } from "@inlethq/core/state/Visitor"
import { deviceText, identifierText, type SubjectKey } from "@inlethq/core/values/Identifier"
import { dayMs } from "@inlethq/core/values/Timestamp"
import { historyDaysDefault } from "@inlethq/core/workspace/Workspace"
import { kindOf, outcomeOf } from "../columns/codes.ts"
import { integer, integerOrNull, text, type Row } from "../columns/columns.ts"
import { hasEffectsOnOthers } from "../rows/entryRows.ts"
import { toStored } from "../columns/storedText.ts"
import type { ErasedDocument } from "../rows/subjectRows.ts"

/*
 * Housekeeping erases a deleted person or object in this order: first the log entries, then references from other
 * documents, then the person's addresses in reports on deliveries, and last the row of the person or object.
 * `ErasedDocument` stores the progress.
 */

/**
 * The way to erase a log entry after a person or object was deleted. `part`: the entry is about another subject, so
 * only its effect on the deleted person or object is removed. `merge`: the entry is about another person, and about a
 * merge with the deleted person that was undone or failed, so its values are those of both; it is kept without its
 * details. `remove`: the entry is deleted. `redact`: the entry is kept without its details, apart from who else entered or left
 * segments because of it.
 */
export type EntryErasure = "part" | "merge" | "remove" | "redact"

/** Returns the kind in a row of `activity`. */
export const kindIn = (row: Row): ActivityKind | null => {
  const code = integerOrNull(row["kind"] ?? null)
  return code === null ? null : kindOf(code)
}

/** Returns how to erase a log entry. Reads its columns `subject`, `kind` and `detail`. */
export const entryErasure = (row: Row, deletedSubject: SubjectKey): EntryErasure => {
  const kind = kindIn(row)
  if (row["subject"] !== deletedSubject) return isMergeKind(kind) ? "merge" : "part"
  return isEventKind(kind) && !hasEffectsOnOthers(text(row["detail"]), deletedSubject) ? "remove" : "redact"
}

/** Removes the first address from the list of an erasure. Called when this address was removed from all deliveries. */
export const afterFirstAddress = (erased: ErasedDocument): ErasedDocument => ({
  ...erased,
  addresses: (erased.addresses ?? []).slice(1),
  addressedTo: undefined,
})

/** Returns SQL for the receipt time before which entries of a workspace that are not events are no longer kept. */
export const sqlHistorySince = (now: string, historyDays: string, retentionDays: string): string =>
  `${now} - ${dayMs} * CASE WHEN ${retentionDays} < coalesce(${historyDays}, ${historyDaysDefault}) THEN ${retentionDays} ELSE coalesce(${historyDays}, ${historyDaysDefault}) END`

/**
 * Returns whether pruning removes a log entry after its retention has ended. Reads its columns `kind` and `outcome`, and
 * `has_call`, which is 1 if the rejected call is still kept. Returns false for such an entry, and for entries that
 * `isPermanent` exempts from pruning.
 */
export const isPruned = (row: Row): boolean => {
  if (row["has_call"] === 1) return false
  const kind = integerOrNull(row["kind"] ?? null)
  return !isPermanent(kind === null ? null : kindOf(kind), outcomeOf(integer(row["outcome"])))
}

/** Returns the lookup texts of a visitor: its identifier and its device tokens. */
export const textsOfVisitor = ({ devices, knownAs }: Visitor): ReadonlyArray<string> => [
  toStored(identifierText(knownAs.kind, knownAs.value)),
  ...Array.from(devices.keys(), (token) => toStored(deviceText(token))),
]
