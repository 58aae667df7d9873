import type { ObjectRecord, RelatedRecord } from "@inlet/core/catalog/Catalog"
import type { Page, PageRequest } from "@inlet/core/values/Page"
import { objectText, type SubjectKey, type WorkspaceId } from "@inlet/core/values/Identifier"
import { DataObject } from "@inlet/core/state/DataObject"
import { Person } from "@inlet/core/state/Person"
import type { Slices } from "@inlet/core/Slices"
import { Visitor } from "@inlet/core/state/Visitor"
import { Option, Schema } from "effect"
import { stateCodes } from "@inlet/storage/codes"
import { integer, type Row } from "@inlet/storage/columns"
import type { Database } from "../engine/Database.ts"
import { sqlRowId } from "../engine/rowIds.ts"
import { linkWalker, pageOf, walker } from "./paging.ts"
import { subjectColumns } from "./subjects.ts"
import { toStored } from "@inlet/storage/storedText"
import { subjectFromRow } from "@inlet/storage/subjectRows"

const decodeObject = Schema.decodeUnknownSync(DataObject)
const decodeRelated = Schema.decodeUnknownSync(Schema.Union([Person, Visitor]))

const recordOf = (row: Row): ObjectRecord => ({
  object: decodeObject(subjectFromRow(row)),
  peopleTotal: integer(row["size"]),
})

const withSize = `SELECT ${subjectColumns}, coalesce(size, 0) AS size FROM subjects AS found LEFT JOIN sizes ON sizes.id = found.id`

/** Reads the object with an id. */
export const readObject = (database: Database) => {
  const statement = database.prepare(
    `${withSize} WHERE found.id = (SELECT ${sqlRowId("workspace", "subject")} FROM identifiers WHERE workspace = ? AND text = ?) AND state = ${stateCodes.object}`,
  )
  return (workspace: WorkspaceId, typeId: string, objectId: string): Option.Option<ObjectRecord> => {
    const row = statement.get(workspace, toStored(objectText(typeId, objectId)))
    return Option.map(Option.fromUndefinedOr(row), recordOf)
  }
}

/** Lists the objects of one type, or of all types, in the order of their keys. */
export const readObjects = (database: Database) => {
  const all = walker(database, `${withSize} WHERE state = ${stateCodes.object}`)
  const ofType = walker(database, `${withSize} WHERE state = ${stateCodes.object} AND name = ?`)
  return (
    workspace: WorkspaceId,
    typeId: string | null,
    page: PageRequest<SubjectKey>,
  ): Slices<Page<ObjectRecord, SubjectKey>> => {
    const walk = (part: PageRequest<SubjectKey>) =>
      typeId === null ? all(workspace, [], part) : ofType(workspace, [toStored(typeId)], part)
    return pageOf(walk, page, recordOf)
  }
}

/** Lists the people and visitors related to an object, in the order of their keys. */
export const readRelated = (database: Database) => {
  const walk = linkWalker(database)
  return function* (
    workspace: WorkspaceId,
    object: SubjectKey,
    page: PageRequest<SubjectKey>,
  ): Slices<Page<RelatedRecord, SubjectKey>> {
    const relatedOf = (row: Row): RelatedRecord | undefined => {
      const subject = decodeRelated(subjectFromRow(row))
      const attributes = subject.relationships.get(object)
      return attributes === undefined ? undefined : { subject, attributes }
    }
    const { items, next } = yield* pageOf((part) => walk(workspace, [object], part), page, relatedOf)
    return { items: items.filter((item) => item !== undefined), next }
  }
}
