import { toldActivity } from "@inlethq/log/documents/activityDocument"
import { toActivityView, type ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import { provenanceOf, withoutCall, type ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import type { SubjectKey } from "@inlethq/core/values/Identifier"
import type { LakeRow } from "../columns.ts"
import { jsonCell, textCell } from "./cells.ts"
import { provenanceCells } from "./provenanceCells.ts"
import { isDeletion } from "./isDeletion.ts"

/**
 * Returns the row of a log entry, or null if the entry is erased. What was kept of a rejected call stays in the log, which
 * keeps it for a few days only.
 */
export const activityRow = (record: ActivityRecord): LakeRow | null => {
  const { entry } = record
  if (record.isErased && !isDeletion(entry.kind)) return null
  const own = entry.call === null ? record : { ...record, entry: withoutCall(entry) }
  return rowOf(toldActivity(own, toActivityView(own), "svc"), record, entry)
}

const rowOf = (
  document: ReturnType<typeof toldActivity>,
  record: ActivityRecord,
  entry: ActivityEntry,
): LakeRow => [
  document.sequence,
  document.operation_id,
  entry.receivedAt,
  entry.at,
  document.kind,
  textCell(document.name),
  document.outcome,
  document.rule,
  textCell(document.reason),
  document.source,
  entry.subject,
  document.subject.svc_id,
  textCell(document.subject.id),
  textCell(document.subject.email),
  textCell(document.subject.anonymous_id),
  textCell(document.subject.object_type_id),
  textCell(document.subject.object_id),
  textCell(document.id),
  document.data === null ? null : jsonCell(document.data),
  document.changes.length === 0 ? null : jsonCell(document.changes),
  document.effects.length === 0 ? null : jsonCell(document.effects),
  othersCell(othersIn(record)),
  document.kept_as.length === 0 ? null : jsonCell(document.kept_as),
  document.reasons.length === 0 ? null : jsonCell(document.reasons),
  ...provenanceCells(provenanceOf(entry)),
]

const othersCell = (others: ReadonlySet<SubjectKey>): string | null =>
  others.size === 0 ? null : jsonCell([...others])

/**
 * Returns whom the row names besides its subject: the recipient of a delivery, the people of an object, whom a person was
 * merged with, and from whom they got a device. The row changes once one of these is deleted.
 */
const othersIn = ({ entry, owner, subject }: ActivityRecord): ReadonlySet<SubjectKey> => {
  const others = new Set([...entry.parts, ...entry.overwritten].map((part) => part.subject))
  if (entry.subject !== null) others.delete(entry.subject)
  for (const { other } of entry.refused) if (other !== null) others.add(other)
  if (owner !== null && subject?._tag === "Delivery") others.add(owner.key)
  return others
}
