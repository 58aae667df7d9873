import { objectThen } from "@inlethq/log/documents/objectThen"
import { toldActivity } from "@inlethq/log/documents/activityDocument"
import { toActivityView, type ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import { provenanceOf, withoutCall } from "@inlethq/core/log/ActivityEntry"
import { svcIdText, type SubjectKey } from "@inlethq/core/values/Identifier"
import type { NamesThen } from "@inlethq/log/history/IdentifierWalk"
import type { LakeRow } from "../columns.ts"
import { jsonCell, textCell } from "./cells.ts"
import { provenanceCells } from "./provenanceCells.ts"
import { isDeletion } from "./isDeletion.ts"

/**
 * Returns the row of a log entry, or null if the entry is erased. What was kept of a rejected call stays in the log, which
 * keeps it for a few days only. `names` is what the person or visitor was called right after the entry, or null to take what they
 * are called today.
 */
export const activityRow = (record: ActivityRecord, names: NamesThen | null): LakeRow | null => {
  const { entry } = record
  if (record.isErased && !isDeletion(entry.kind)) return null
  const own = entry.call === null ? record : { ...record, entry: withoutCall(entry) }
  return rowOf(toldActivity(own, toActivityView(own), "svc"), record, names)
}

/** Returns the `svc_id`, the `id`, the `email` and the anonymous id of whom a row is about. */
const namesIn = (
  { subject }: ReturnType<typeof toldActivity>,
  { entry }: ActivityRecord,
  names: NamesThen | null,
): LakeRow => {
  const anonymousId = textCell(subject.anonymous_id ?? names?.anonymousId ?? null)
  if (names === null) return [subject.svc_id, textCell(subject.id), textCell(subject.email), anonymousId]
  const svcId = names.person === null ? null : svcIdText(entry.workspace, names.person)
  return [svcId, textCell(names.id), textCell(names.email), anonymousId]
}

/** Returns the type and the id of the object that a row is about, also if it was deleted since. */
const objectIn = (document: ReturnType<typeof toldActivity>): LakeRow => {
  const { object_id, object_type_id } = objectThen(document)
  return [textCell(object_type_id), textCell(object_id)]
}

const rowOf = (
  document: ReturnType<typeof toldActivity>,
  record: ActivityRecord,
  names: NamesThen | null,
): LakeRow => [
  document.sequence,
  document.operation_id,
  record.entry.receivedAt,
  record.entry.at,
  document.kind,
  textCell(document.name),
  document.outcome,
  document.rule,
  textCell(document.reason),
  document.source,
  record.entry.subject,
  ...namesIn(document, record, names),
  ...objectIn(document),
  textCell(document.id),
  document.data === null ? null : jsonCell(document.data),
  document.changes.length === 0 ? null : jsonCell(document.changes),
  document.effects.length === 0 ? null : jsonCell(document.effects),
  othersCell(othersIn(record, names)),
  document.kept_as.length === 0 ? null : jsonCell(document.kept_as),
  document.reasons.length === 0 ? null : jsonCell(document.reasons),
  ...provenanceCells(provenanceOf(record.entry)),
  record.entry.plan === undefined || record.isErased ? null : jsonCell(record.entry.plan),
]

const othersCell = (others: ReadonlySet<SubjectKey>): string | null =>
  others.size === 0 ? null : jsonCell([...others])

/**
 * Returns whom the row names besides its subject: the recipient of a delivery, the people of an object, whom a person was
 * merged with, from whom they got a device, and who had their id or email before a merge. The row changes once one of these is
 * deleted.
 */
const othersIn = (
  { entry, owner, subject }: ActivityRecord,
  names: NamesThen | null,
): ReadonlySet<SubjectKey> => {
  const others = new Set([...entry.parts, ...entry.overwritten].map((part) => part.subject))
  if (entry.subject !== null) others.delete(entry.subject)
  for (const { other } of entry.refused) if (other !== null) others.add(other)
  for (const key of names?.from ?? []) others.add(key)
  if (owner !== null && subject?._tag === "Delivery") others.add(owner.key)
  return others
}
