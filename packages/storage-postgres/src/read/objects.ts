import type { ObjectRecord, RelatedRecord } from "@inlet/core/catalog/Catalog"
import type { Page, PageRequest } from "@inlet/core/values/Page"
import type { StoreUnavailable } from "@inlet/core/ports/Store"
import { DataObject } from "@inlet/core/state/DataObject"
import { Person } from "@inlet/core/state/Person"
import { Visitor } from "@inlet/core/state/Visitor"
import { objectText, type SubjectKey, type WorkspaceId } from "@inlet/core/values/Identifier"
import { stateCodes } from "@inlet/storage/codes"
import { integer, type Row } from "@inlet/storage/columns"
import { toStored } from "@inlet/storage/storedText"
import { subjectFromRow } from "@inlet/storage/subjectRows"
import { Effect, Option, Schema } from "effect"
import { indexedText } from "../tables/indexedText.ts"
import { indexedName, indexedNameLength } from "../tables/indexedColumns.ts"
import { pageOf, walkLinked, walkOf } from "./paging.ts"
import type { Read } from "./Read.ts"
import { withSize } from "./subjects.ts"

const decodeObject = Schema.decodeUnknownSync(DataObject)
const decodeRelated = Schema.decodeUnknownSync(Schema.Union([Person, Visitor]))

const recordOf = (row: Row): ObjectRecord => ({
  object: decodeObject(subjectFromRow(row)),
  peopleTotal: integer(row["size"]),
})

const isObject = `found.workspace = $1 AND found.state = ${stateCodes.object}`

const objectSql = `${withSize} WHERE ${isObject} AND found.key = (SELECT subject FROM identifiers WHERE workspace = $1 AND text = $2)`

/** Reads the object with the given type and id. */
export const readObject = (
  read: Read,
  workspace: WorkspaceId,
  typeId: string,
  objectId: string,
): Effect.Effect<Option.Option<ObjectRecord>, StoreUnavailable> =>
  Effect.map(
    read((connection) => connection.query(objectSql, [workspace, indexedText(objectText(typeId, objectId))])),
    ([row]) => Option.map(Option.fromUndefinedOr(row), recordOf),
  )

const walkAll = walkOf(`${withSize} WHERE ${isObject}`)
const walkType = walkOf(
  `${withSize} WHERE ${isObject} AND ${indexedName} = left($5, ${indexedNameLength}) AND name = $5`,
)

/** Lists the objects of one type, or of all types, in the order of their keys. */
export const readObjects = (
  read: Read,
  workspace: WorkspaceId,
  typeId: string | null,
  page: PageRequest<SubjectKey>,
): Effect.Effect<Page<ObjectRecord, SubjectKey>, StoreUnavailable> =>
  typeId === null
    ? pageOf(read, walkAll, workspace, [], page, recordOf)
    : pageOf(read, walkType, workspace, [toStored(typeId)], page, recordOf)

/** Lists the people and visitors related to an object, in the order of their keys. */
export const readRelated = (
  read: Read,
  workspace: WorkspaceId,
  object: SubjectKey,
  page: PageRequest<SubjectKey>,
): Effect.Effect<Page<RelatedRecord, SubjectKey>, StoreUnavailable> => {
  const relatedOf = (row: Row): RelatedRecord | undefined => {
    const subject = decodeRelated(subjectFromRow(row))
    const attributes = subject.relationships.get(object)
    return attributes === undefined ? undefined : { subject, attributes }
  }
  return Effect.map(pageOf(read, walkLinked, workspace, [object], page, relatedOf), ({ items, next }) => ({
    items: items.filter((item) => item !== undefined),
    next,
  }))
}
