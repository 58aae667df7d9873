import { relatedListedMax, relatedShownMax, type PersonRecord } from "@inlethq/core/catalog/Catalog"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { Person } from "@inlethq/core/state/Person"
import {
  identifierText,
  type Identifier,
  type SubjectKey,
  type WorkspaceId,
} from "@inlethq/core/values/Identifier"
import type { Page, PageRequest } from "@inlethq/core/values/Page"
import { Effect, Option, Schema } from "effect"
import { stateCodes } from "../columns/codes.ts"
import type { Row } from "../columns/columns.ts"
import { subjectFromRow } from "../rows/subjectRows.ts"
import { personRecordsAtOnce, readPersonRecords } from "./personRecords.ts"
import type { Read, ReadQueries } from "./ReadQueries.ts"
import { searchPeople } from "./searchPeople.ts"
import { readPage } from "./subjectPages.ts"

const decodePerson = Schema.decodeUnknownSync(Person)

export const personOf = (row: Row): Person => decodePerson(subjectFromRow(row))

export const readPerson = (
  read: Read,
  workspace: WorkspaceId,
  key: SubjectKey,
): Effect.Effect<Option.Option<Person>, StoreUnavailable> =>
  read((ask) => Effect.map(ask.byKey(workspace, key, stateCodes.person), Option.map(personOf)))

/** Reads the person with a key, including their objects and segments. */
export const readPersonRecord = (read: Read, workspace: WorkspaceId, key: SubjectKey) =>
  recorded(read, workspace, (ask) => ask.byKey(workspace, key, stateCodes.person))

/** Reads the person with an identifier, including their objects and segments. */
export const readPersonByIdentifier = (read: Read, workspace: WorkspaceId, { kind, value }: Identifier) =>
  recorded(read, workspace, (ask) => ask.byText(workspace, identifierText(kind, value), stateCodes.person))

const recorded = Effect.fnUntraced(function* (
  read: Read,
  workspace: WorkspaceId,
  find: <E>(ask: ReadQueries<E>) => Effect.Effect<Option.Option<Row>, E>,
): Effect.fn.Return<Option.Option<PersonRecord>, StoreUnavailable> {
  const found = yield* read((ask) => recordedAtOnce(ask, workspace, find))
  if (found === undefined) return Option.none()
  const { page, records } = found
  const { items } = records ?? (yield* readPersonRecords(read, workspace, page, relatedShownMax))
  return Option.fromUndefinedOr(items[0])
})

const recordedAtOnce = Effect.fnUntraced(function* <E>(
  ask: ReadQueries<E>,
  workspace: WorkspaceId,
  find: (ask: ReadQueries<E>) => Effect.Effect<Option.Option<Row>, E>,
) {
  const row = yield* find(ask)
  if (Option.isNone(row)) return undefined
  const page = { items: [personOf(row.value)], next: null }
  return { page, records: yield* personRecordsAtOnce(ask, workspace, page, relatedShownMax) }
})

/** Adds to a person, as they are or were, those of their objects and segments that still exist. */
export const readRecordOf = Effect.fnUntraced(function* (
  read: Read,
  workspace: WorkspaceId,
  person: Person,
): Effect.fn.Return<PersonRecord, StoreUnavailable> {
  const page = { items: [person], next: null }
  const { items } = yield* readPersonRecords(read, workspace, page, relatedShownMax)
  return items[0] ?? { person, relationships: [], segments: [] }
})

/** Lists people, or only those with an id, an email or a name that begins with `prefix`, in the order of their keys. */
export const readPeople = (
  read: Read,
  workspace: WorkspaceId,
  prefix: string | null,
  page: PageRequest<SubjectKey>,
): Effect.Effect<Page<PersonRecord, SubjectKey>, StoreUnavailable> =>
  Effect.flatMap(
    prefix === null
      ? readPage(read, workspace, { _tag: "OfKind", state: stateCodes.person }, page, personOf)
      : searchPeople(read, workspace, prefix, page),
    (people) => readPersonRecords(read, workspace, people, relatedListedMax),
  )
