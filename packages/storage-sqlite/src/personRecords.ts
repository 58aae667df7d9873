import type { Page, PersonRecord } from "@inlet/core/Directory"
import type { SubjectKey } from "@inlet/core/Identifier"
import { DataObject } from "@inlet/core/object/DataObject"
import type { Person } from "@inlet/core/person/Person"
import { linksOf } from "@inlet/core/Subject"
import { Schema } from "effect"
import { stateCodes } from "./codes.ts"
import { integer } from "./columns.ts"
import type { Database } from "./Database.ts"
import { subjectKey, subjectOf } from "./subjects.ts"

/** Puts people together with the objects and segments that they name and that are still there, in one statement. */
export type PersonRecords = (people: ReadonlyArray<Person>) => ReadonlyArray<PersonRecord>

const decodeObject = Schema.decodeUnknownSync(DataObject)

export const personRecords = (database: Database): PersonRecords => {
  const statement = database.prepare(
    `SELECT found.* FROM json_each(?) AS wanted CROSS JOIN subjects AS found ON found.key = wanted.value WHERE state IN (${stateCodes.object}, ${stateCodes.segment})`,
  )
  return (people) => {
    const objects = new Map<SubjectKey, DataObject>()
    const segments = new Set<SubjectKey>()
    const named = new Set(people.flatMap(linksOf))
    for (const row of named.size === 0 ? [] : statement.all(JSON.stringify([...named]))) {
      const key = subjectKey(integer(row["key"]))
      if (row["state"] === stateCodes.segment) segments.add(key)
      else objects.set(key, decodeObject(subjectOf(row)))
    }
    return people.map((person) => ({
      person,
      relationships: [...person.relationships].flatMap(([key, attributes]) => {
        const object = objects.get(key)
        return object === undefined ? [] : [{ object, attributes }]
      }),
      segments: person.segments.filter((key) => segments.has(key)),
    }))
  }
}

/** A page with its people as records. */
export const recordedPage = (
  records: PersonRecords,
  { items, next }: Page<Person, SubjectKey>,
): Page<PersonRecord, SubjectKey> => ({ items: records(items), next })
