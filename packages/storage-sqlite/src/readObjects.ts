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
import { Visitor } from "@inlet/core/visitor/Visitor"
import { Option, Schema } from "effect"
import { stateCodes } from "./codes.ts"
import { integer, text, type Row } from "./columns.ts"
import type { Database } from "./Database.ts"
import { andOneMore, pageOf, readNamed, walker, walkListed } from "./lists.ts"
import { fitting, weigher } from "./named.ts"
import { readSubjects } from "./readSubjects.ts"
import { toStored } from "./storedText.ts"
import { subjectKey, subjectOf } from "./subjects.ts"

const decodeObject = Schema.decodeUnknownSync(DataObject)
const decodeRelated = Schema.decodeUnknownSync(Schema.Union([Person, Visitor]))

const objectOf = (row: Row): DataObject => decodeObject(subjectOf(row))

/** Reads the object with an id. */
export const readObject = (database: Database) => {
  const named = readNamed(database, stateCodes.object)
  const records = objectRecords(database)
  return (workspace: WorkspaceId, typeId: string, objectId: string): Option.Option<ObjectRecord> =>
    database.read(() => {
      const row = Option.getOrUndefined(named(workspace, objectText(workspace, typeId, objectId)))
      if (row === undefined) return Option.none()
      return Option.fromUndefinedOr(records({ items: [objectOf(row)], next: null }, relatedShownMax).items[0])
    })
}

/** Lists objects by key, of one type or of all. */
export const readObjects = (database: Database) => {
  const all = walkListed(database, stateCodes.object)
  const ofType = walker(
    database,
    `SELECT * FROM subjects WHERE state = ${stateCodes.object} AND name = ? AND workspace = ?`,
  )
  const records = objectRecords(database)
  return (
    workspace: WorkspaceId,
    typeId: string | null,
    request: PageRequest<SubjectKey>,
  ): Page<ObjectRecord, SubjectKey> =>
    database.read(() => {
      const page = andOneMore(request)
      const rows = typeId === null ? all(workspace, page) : ofType([toStored(typeId), workspace], page)
      return records(pageOf(rows, request.limit, objectOf), relatedListedMax)
    })
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

  return (page: Page<DataObject, SubjectKey>, max: number): Page<ObjectRecord, SubjectKey> => {
    const related = new Map<SubjectKey, ReadonlyArray<SubjectKey>>()
    for (const row of links.all(max, JSON.stringify(page.items.map(({ key }) => key)))) {
      related.set(subjectKey(integer(row["target"])), JSON.parse(text(row["subjects"])))
    }
    const there = weigh(new Set([...related.values()].flat()))
    const { items, next } = fitting(page, ({ key }) => related.get(key) ?? [], there)
    const people = new Map(
      subjectsOf(new Set(items.flatMap(({ named }) => named))).map((subject) => [
        subject.key,
        decodeRelated(subject),
      ]),
    )
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
