import { relatedListedMax, relatedShownMax, type PersonRecord } from "@inlet/core/catalog/Catalog"
import type { Page, PageRequest } from "@inlet/core/values/Page"
import type { StoreUnavailable } from "@inlet/core/ports/Store"
import { Person } from "@inlet/core/state/Person"
import {
  identifierText,
  type Identifier,
  type SubjectKey,
  type WorkspaceId,
} from "@inlet/core/values/Identifier"
import { stateCodes } from "@inlet/storage/codes"
import type { Row } from "@inlet/storage/columns"
import { subjectFromRow } from "@inlet/storage/subjectRows"
import { Effect, Option, Schema } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { findByText, pageOf, walkListed } from "./paging.ts"
import { personRecords } from "./personRecords.ts"
import type { Read } from "./Read.ts"
import { searchPeople } from "./searchPeople.ts"
import { subjectColumns } from "./subjects.ts"

const decodePerson = Schema.decodeUnknownSync(Person)

export const personOf = (row: Row): Person => decodePerson(subjectFromRow(row))

const personSql = `SELECT ${subjectColumns} FROM subjects AS found WHERE workspace = $1 AND key = $2 AND state = ${stateCodes.person}`

/** Reads the person that has the given key. */
export const readPerson = (
  connection: Connection,
  workspace: WorkspaceId,
  key: SubjectKey,
): Effect.Effect<Option.Option<Person>, DatabaseError> =>
  Effect.map(connection.query(personSql, [workspace, key]), ([row]) =>
    Option.map(Option.fromUndefinedOr(row), personOf),
  )

/** Reads the person with a key, including their objects and segments. */
export const readPersonRecord = (
  read: Read,
  workspace: WorkspaceId,
  key: SubjectKey,
): Effect.Effect<Option.Option<PersonRecord>, StoreUnavailable> =>
  recorded(
    read,
    workspace,
    read((connection) => readPerson(connection, workspace, key)),
  )

/** Reads the person with an identifier, including their objects and segments. */
export const readPersonByIdentifier = (
  read: Read,
  workspace: WorkspaceId,
  { kind, value }: Identifier,
): Effect.Effect<Option.Option<PersonRecord>, StoreUnavailable> =>
  recorded(
    read,
    workspace,
    read((connection) =>
      Effect.map(
        findByText(connection, workspace, identifierText(kind, value), stateCodes.person),
        Option.map(personOf),
      ),
    ),
  )

const recorded = (
  read: Read,
  workspace: WorkspaceId,
  find: Effect.Effect<Option.Option<Person>, StoreUnavailable>,
): Effect.Effect<Option.Option<PersonRecord>, StoreUnavailable> =>
  Effect.gen(function* () {
    const found = Option.getOrUndefined(yield* find)
    if (found === undefined) return Option.none()
    const { items } = yield* personRecords(read, workspace, { items: [found], next: null }, relatedShownMax)
    return Option.fromUndefinedOr(items[0])
  })

const walkPeople = walkListed(stateCodes.person)

/**
 * Lists people in the order of their keys, which is the order in which they were created. With a prefix, lists only
 * people with an id or email that starts with the prefix.
 */
export const readPeople = (
  read: Read,
  workspace: WorkspaceId,
  prefix: string | null,
  page: PageRequest<SubjectKey>,
): Effect.Effect<Page<PersonRecord, SubjectKey>, StoreUnavailable> =>
  Effect.flatMap(
    prefix === null
      ? pageOf(read, walkPeople, workspace, [], page, personOf)
      : searchPeople(read, workspace, prefix, page),
    (people) => personRecords(read, workspace, people, relatedListedMax),
  )
