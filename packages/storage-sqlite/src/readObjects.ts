import {
  relatedListedMax,
  relatedShownMax,
  type ObjectRecord,
  type Page,
  type PageRequest,
} from "@inlet/core/Directory"
import { objectText, type SubjectKey, type WorkspaceId } from "@inlet/core/Identifier"
import { DataObject } from "@inlet/core/object/DataObject"
import { Person } from "@inlet/core/person/Person"
import type { Slices } from "@inlet/core/ReadTurns"
import type { Subject } from "@inlet/core/Subject"
import { Visitor } from "@inlet/core/visitor/Visitor"
import { Option, Schema } from "effect"
import { stateCodes } from "./codes.ts"
import { integer, text, type Row } from "./columns.ts"
import type { Database } from "./Database.ts"
import { pageOf, readNamed, walker, walkListed } from "./lists.ts"
import { fitting, readWeighed, weighAll, weigher } from "./named.ts"
import { readSubjects } from "./readSubjects.ts"
import { rowsPerLookMax } from "./Slice.ts"
import { toStored } from "./storedText.ts"
import { subjectKey, subjectOf } from "./subjects.ts"

const decodeObject = Schema.decodeUnknownSync(DataObject)

const decodeRelated = Schema.decodeUnknownSync(Schema.Union([Person, Visitor]))

const relatedIn = (subject: Subject) =>
  subject._tag === "Person" || subject._tag === "Visitor" ? decodeRelated(subject) : undefined

const objectOf = (row: Row): DataObject => decodeObject(subjectOf(row))

/** Reads the object with an id. */
export const readObject = (database: Database) => {
  const named = readNamed(database, stateCodes.object)
  const records = objectRecords(database)
  return function* (
    workspace: WorkspaceId,
    typeId: string,
    objectId: string,
  ): Slices<Option.Option<ObjectRecord>> {
    const row = Option.getOrUndefined(named(workspace, objectText(workspace, typeId, objectId)))
    if (row === undefined) return Option.none()
    const { items } = yield* records({ items: [objectOf(row)], next: null }, relatedShownMax)
    return Option.fromUndefinedOr(items[0])
  }
}

/** Lists objects by key, of one type or of all. */
export const readObjects = (database: Database) => {
  const all = walkListed(database, stateCodes.object)
  const ofType = walker(
    database,
    `SELECT * FROM subjects WHERE state = ${stateCodes.object} AND name = ? AND workspace = ?`,
  )
  const records = objectRecords(database)
  return function* (
    workspace: WorkspaceId,
    typeId: string | null,
    page: PageRequest<SubjectKey>,
  ): Slices<Page<ObjectRecord, SubjectKey>> {
    const walk = (part: PageRequest<SubjectKey>) =>
      typeId === null ? all(workspace, part) : ofType([toStored(typeId), workspace], part)
    return yield* records(yield* pageOf(walk, page, objectOf), relatedListedMax)
  }
}

/**
 * Puts objects together with those who are related to them, in three statements: with at most `max` each, and with as many
 * objects as a page may hold.
 */
const objectRecords = (database: Database) => {
  const links = database.prepare(
    `SELECT wanted.value AS target, (
      SELECT json_group_array(subject ORDER BY subject)
      FROM (SELECT subject FROM links WHERE target = wanted.value ORDER BY subject LIMIT ?)
    ) AS subjects FROM json_each(?) AS wanted`,
  )
  const weigh = weigher(database)
  const subjectsOf = readSubjects(database)

  return function* (page: Page<DataObject, SubjectKey>, max: number): Slices<Page<ObjectRecord, SubjectKey>> {
    const related = new Map<SubjectKey, ReadonlyArray<SubjectKey>>()
    const objectsPerSlice = Math.max(1, Math.floor(rowsPerLookMax / max))
    for (let from = 0; from < page.items.length; from += objectsPerSlice) {
      if (from > 0) yield
      const keys = page.items.slice(from, from + objectsPerSlice).map(({ key }) => key)
      for (const row of links.all(max, JSON.stringify(keys))) {
        related.set(subjectKey(integer(row["target"])), JSON.parse(text(row["subjects"])))
      }
    }
    const there = yield* weighAll(weigh, new Set([...related.values()].flat()))
    const { items, next } = fitting(page, ({ key }) => related.get(key) ?? [], there)
    const named = new Set(items.flatMap((item) => item.named))
    const people = yield* readWeighed(subjectsOf, named, there, relatedIn)
    const records = items.map(({ item: object, named }) => ({
      object,
      related: named.flatMap((key) => {
        const subject = people.get(key)
        const attributes = subject?.relationships.get(object.key)
        return subject === undefined || attributes === undefined ? [] : [{ subject, attributes }]
      }),
    }))
    return { items: records, next }
  }
}
