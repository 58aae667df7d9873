import { relatedListedMax, relatedShownMax, type PersonRecord } from "@inlet/core/catalog/Catalog"
import type { Page, PageRequest } from "@inlet/core/values/Page"
import {
  identifierText,
  type Identifier,
  type SubjectKey,
  type WorkspaceId,
} from "@inlet/core/values/Identifier"
import { Person } from "@inlet/core/state/Person"
import type { Slices } from "@inlet/core/Slices"
import { Option, Schema } from "effect"
import { stateCodes } from "@inlet/storage/codes"
import { integer, type Row } from "@inlet/storage/columns"
import type { Database } from "../engine/Database.ts"
import { rowId } from "../engine/rowIds.ts"
import { pageOf, walkListed } from "./paging.ts"
import { personRecords } from "./personRecords.ts"
import { searchPeople } from "./searchPeople.ts"
import { subjectColumns } from "./subjects.ts"
import { toStored } from "@inlet/storage/storedText"
import { subjectFromRow } from "@inlet/storage/subjectRows"
import { subjectKey } from "@inlet/storage/ids"

type People = (
  workspace: WorkspaceId,
  prefix: string | null,
  page: PageRequest<SubjectKey>,
) => Slices<Page<PersonRecord, SubjectKey>>

const decodePerson = Schema.decodeUnknownSync(Person)

export const personOf = (row: Row): Person => decodePerson(subjectFromRow(row))

/** Reads the person with a key or with an identifier. */
export const readPerson = (database: Database) => {
  const byKey = database.prepare(
    `SELECT ${subjectColumns} FROM subjects AS found WHERE id = ? AND state = ${stateCodes.person}`,
  )
  const byText = database.prepare("SELECT subject FROM identifiers WHERE workspace = ? AND text = ?")
  const person = (workspace: WorkspaceId, key: SubjectKey): Option.Option<Person> =>
    Option.map(Option.fromUndefinedOr(byKey.get(rowId(workspace, key))), personOf)
  const carrier = (workspace: WorkspaceId, { kind, value }: Identifier): Option.Option<Person> => {
    const found = byText.get(workspace, toStored(identifierText(kind, value)))
    return found === undefined ? Option.none() : person(workspace, subjectKey(integer(found["subject"])))
  }
  return { person, carrier }
}

/** Reads the person with a key or with an identifier, together with the person's objects and segments. */
export const readPersonRecord = (database: Database) => {
  const { carrier, person } = readPerson(database)
  const records = personRecords(database)
  function* recorded(read: () => Option.Option<Person>): Slices<Option.Option<PersonRecord>> {
    const found = Option.getOrUndefined(read())
    if (found === undefined) return Option.none()
    const { items } = yield* records(found.workspace, { items: [found], next: null }, relatedShownMax)
    return Option.fromUndefinedOr(items[0])
  }
  return {
    person: (workspace: WorkspaceId, key: SubjectKey) => recorded(() => person(workspace, key)),
    carrier: (workspace: WorkspaceId, identifier: Identifier) =>
      recorded(() => carrier(workspace, identifier)),
  }
}

/**
 * Lists people in the order of their keys, which is the order in which they were created. With a prefix, lists only
 * people with an id or email that starts with the prefix.
 */
export const readPeople = (database: Database): People => {
  const walk = walkListed(database, stateCodes.person)
  const records = personRecords(database)
  const search = searchPeople(database)
  return function* (workspace, prefix, page) {
    const people =
      prefix === null
        ? yield* pageOf((part) => walk(workspace, part), page, personOf)
        : yield* search(workspace, prefix, page)
    return yield* records(workspace, people, relatedListedMax)
  }
}
