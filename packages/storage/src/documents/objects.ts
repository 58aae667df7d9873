import type { DataObject } from "@inlet/core/state/DataObject"
import type { Segment, SegmentRule } from "@inlet/core/state/Segment"
import type { SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import { integer, text, type Row } from "../columns.ts"
import { fromStored } from "../storedText.ts"
import { attributesOf, flatAttributes, type FlatAttributes } from "./attributes.ts"

/*
 * The documents of objects and segments in rows of `subjects`. Fields that are null or empty are left out.
 */

interface ObjectDocument {
  readonly objectId: string
  readonly attributes: FlatAttributes | undefined
}

interface SegmentDocument {
  readonly name: string
  readonly description: string | undefined
  readonly rule?: SegmentRule | undefined
}

export const objectDocument = ({ attributes, createdAt, objectId }: DataObject): string => {
  const document: ObjectDocument = { objectId, attributes: flatAttributes(attributes, createdAt) }
  return JSON.stringify(document)
}

export const objectFromRow = (key: SubjectKey, workspace: WorkspaceId, row: Row): DataObject => {
  const document: ObjectDocument = JSON.parse(text(row["doc"]))
  const createdAt = integer(row["created"])
  return {
    _tag: "DataObject",
    key,
    workspace,
    typeId: fromStored(text(row["name"])),
    objectId: document.objectId,
    attributes: attributesOf(document.attributes, createdAt),
    createdAt,
    updatedAt: integer(row["updated"]),
  }
}

export const segmentDocument = ({ description, name, rule }: Segment): string => {
  const document: SegmentDocument = {
    name,
    description: description ?? undefined,
    rule: rule ?? undefined,
  }
  return JSON.stringify(document)
}

export const segmentFromRow = (key: SubjectKey, workspace: WorkspaceId, row: Row): Segment => {
  const document: SegmentDocument = JSON.parse(text(row["doc"]))
  return {
    _tag: "Segment",
    key,
    workspace,
    name: document.name,
    description: document.description ?? null,
    rule: document.rule ?? null,
    createdAt: integer(row["created"]),
  }
}
