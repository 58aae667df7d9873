import {
  listedTypes,
  objectTypesMax,
  type ObjectRecord,
  type RelatedRecord,
} from "@inlethq/core/catalog/Catalog"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { DataObject } from "@inlethq/core/state/DataObject"
import { Person } from "@inlethq/core/state/Person"
import { Visitor } from "@inlethq/core/state/Visitor"
import { objectText, type SubjectKey, type WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Page, PageRequest } from "@inlethq/core/values/Page"
import { Effect, Option, Schema } from "effect"
import { stateCodes } from "../columns/codes.ts"
import { integer, type Row } from "../columns/columns.ts"
import { subjectFromRow } from "../rows/subjectRows.ts"
import type { ObjectTypes, Read, SubjectList } from "./ReadQueries.ts"
import { readPage } from "./subjectPages.ts"

const decodeObject = Schema.decodeUnknownSync(DataObject)
const decodeRelated = Schema.decodeUnknownSync(Schema.Union([Person, Visitor]))

const recordOf = (row: Row): ObjectRecord => ({
  object: decodeObject(subjectFromRow(row)),
  peopleTotal: integer(row["size"]),
})

export const readObject = (
  read: Read,
  workspace: WorkspaceId,
  typeId: string,
  objectId: string,
): Effect.Effect<Option.Option<ObjectRecord>, StoreUnavailable> =>
  read((ask) =>
    Effect.map(ask.byText(workspace, objectText(typeId, objectId), stateCodes.object), Option.map(recordOf)),
  )

/** Lists the objects of one type, or of all types, in the order of their keys. */
export const readObjects = (
  read: Read,
  workspace: WorkspaceId,
  typeId: string | null,
  page: PageRequest<SubjectKey>,
): Effect.Effect<Page<ObjectRecord, SubjectKey>, StoreUnavailable> => {
  const list: SubjectList =
    typeId === null ? { _tag: "OfKind", state: stateCodes.object } : { _tag: "ObjectsOfType", typeId }
  return readPage(read, workspace, list, page, recordOf)
}

/** The largest number of types at which one slice looks. */
const typesPerSlice = 100

/** Lists the types of the objects that there are. */
export const readObjectTypes = Effect.fnUntraced(function* (
  read: Read,
  workspace: WorkspaceId,
): Effect.fn.Return<ReadonlyArray<string>, StoreUnavailable> {
  const found: Array<string> = []
  for (let after: string | null = null; found.length < objectTypesMax;) {
    const from: string | null = after
    const { next, types }: ObjectTypes = yield* read((ask) => ask.objectTypes(workspace, from, typesPerSlice))
    found.push(...types)
    if (next === null) break
    after = next
  }
  return listedTypes(found)
})

/** Lists the people and visitors related to an object, in the order of their keys. */
export const readRelated = (
  read: Read,
  workspace: WorkspaceId,
  object: SubjectKey,
  page: PageRequest<SubjectKey>,
): Effect.Effect<Page<RelatedRecord, SubjectKey>, StoreUnavailable> => {
  const relatedOf = (row: Row): RelatedRecord | null => {
    const subject = decodeRelated(subjectFromRow(row))
    const attributes = subject.relationships.get(object)
    return attributes === undefined ? null : { subject, attributes }
  }
  return Effect.map(
    readPage(read, workspace, { _tag: "LinkedTo", target: object }, page, relatedOf),
    ({ items, next }) => ({ items: items.filter((item) => item !== null), next }),
  )
}
