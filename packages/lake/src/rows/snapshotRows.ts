import { objectDocument } from "@inlethq/contract/objects/Objects"
import { personDocument } from "@inlethq/contract/people/People"
import type { ObjectRecord, PersonRecord } from "@inlethq/core/catalog/Catalog"
import { readTimeOfAnyYear } from "@inlethq/core/values/Timestamp"
import type { LakeRow } from "../columns.ts"
import { jsonCell, textCell } from "./cells.ts"

/** Returns the row of a person. `created_at` is the client's if it sent one. */
export const personRow = (record: PersonRecord): LakeRow => {
  const { createdAt, key, updatedAt } = record.person
  const document = personDocument(record)
  return [
    key,
    document.svc_id,
    textCell(document.id),
    textCell(document.email),
    jsonCell(document.anonymous_ids),
    jsonCell(document.attributes),
    jsonCell(document.segments),
    jsonCell(document.relationships),
    jsonCell(document.devices),
    readTimeOfAnyYear(document.created_at) ?? createdAt,
    updatedAt,
  ]
}

export const objectRow = (record: ObjectRecord): LakeRow => {
  const { createdAt, key, updatedAt } = record.object
  const document = objectDocument(record)
  return [
    key,
    textCell(document.object_type_id) ?? "",
    textCell(document.object_id) ?? "",
    jsonCell(document.attributes),
    document.people_total,
    createdAt,
    updatedAt,
  ]
}
