import {
  relatedListedMax,
  relatedShownMax,
  type Page,
  type PageRequest,
  type PersonRecord,
} from "@inlet/core/Directory"
import { identifierText, type Identifier, type SubjectKey, type WorkspaceId } from "@inlet/core/Identifier"
import { Person } from "@inlet/core/person/Person"
import { Option, Schema } from "effect"
import { stateCodes } from "./codes.ts"
import { integer, text, type Row } from "./columns.ts"
import type { Database } from "./Database.ts"
import { andOneMore, pageBytesMax, pageOf, walker, walkListed } from "./lists.ts"
import { personRecords } from "./personRecords.ts"
import { toStored } from "./storedText.ts"
import { subjectKey, subjectOf } from "./subjects.ts"

/** Identifiers that a search by prefix collects and sorts; with more, it walks the people in their order instead. */
export const prefixMatchesMax = 2000

/** People that one page of such a walk looks at before it answers short; it reads no more of them than a page does. */
export const peopleScanMax = 5000

type People = (
  workspace: WorkspaceId,
  prefix: string | null,
  page: PageRequest<SubjectKey>,
) => Page<PersonRecord, SubjectKey>

const decodePerson = Schema.decodeUnknownSync(Person)

export const personOf = (row: Row): Person => decodePerson(subjectOf(row))

/** Reads the person with a key, or who carries an identifier. */
export const readPerson = (database: Database) => {
  const byKey = database.prepare(
    `SELECT * FROM subjects WHERE key = ? AND workspace = ? AND state = ${stateCodes.person}`,
  )
  const byText = database.prepare("SELECT subject FROM identifiers WHERE text = ?")
  const person = (workspace: WorkspaceId, key: SubjectKey): Option.Option<Person> =>
    Option.map(Option.fromUndefinedOr(byKey.get(key, workspace)), personOf)
  const carrier = (workspace: WorkspaceId, { kind, value }: Identifier): Option.Option<Person> => {
    const found = byText.get(toStored(identifierText(workspace, kind, value)))
    return found === undefined ? Option.none() : person(workspace, subjectKey(integer(found["subject"])))
  }
  return { person, carrier }
}

/** Reads the same people, with the objects and segments that they name. */
export const readPersonRecord = (database: Database) => {
  const { carrier, person } = readPerson(database)
  const records = personRecords(database)
  const recorded = (read: () => Option.Option<Person>): Option.Option<PersonRecord> =>
    database.read(() => {
      const found = Option.getOrUndefined(read())
      if (found === undefined) return Option.none()
      return Option.fromUndefinedOr(records({ items: [found], next: null }, relatedShownMax).items[0])
    })
  return {
    person: (workspace: WorkspaceId, key: SubjectKey) => recorded(() => person(workspace, key)),
    carrier: (workspace: WorkspaceId, identifier: Identifier) =>
      recorded(() => carrier(workspace, identifier)),
  }
}

/** Lists people by key, which is the order in which they were first seen. */
export const readPeople = (database: Database): People => {
  const walk = walkListed(database, stateCodes.person)
  const matches = prefixMatches(database)
  const records = personRecords(database)

  const searched = (
    workspace: WorkspaceId,
    prefix: string,
    { after, limit, order }: PageRequest<SubjectKey>,
  ): Page<Person, SubjectKey> => {
    const items: Array<Person> = []
    let last = after
    let scanned = 0
    let bytes = 0
    for (const row of walk(workspace, { after, order, limit: peopleScanMax + 1 })) {
      bytes += text(row["doc"]).length
      const isFull = items.length === limit || scanned === peopleScanMax || bytes > pageBytesMax
      if (scanned > 0 && isFull) return { items, next: last }
      const subject = subjectOf(row)
      if (subject._tag === "Person" && beginsWith(subject, prefix)) items.push(personOf(row))
      last = subject.key
      scanned++
    }
    return { items, next: null }
  }

  const found = (
    workspace: WorkspaceId,
    prefix: string | null,
    page: PageRequest<SubjectKey>,
  ): Page<Person, SubjectKey> => {
    if (prefix === null) return pageOf(walk(workspace, andOneMore(page)), page.limit, personOf)
    const few = matches(workspace, prefix, page)
    return few === undefined ? searched(workspace, prefix, page) : pageOf(few, page.limit, personOf)
  }

  return (workspace, prefix, page) =>
    database.read(() => records(found(workspace, prefix, page), relatedListedMax))
}

const beginsWith = ({ email, id }: Person, prefix: string): boolean =>
  (id?.startsWith(prefix) ?? false) || (email?.toLowerCase().startsWith(prefix.toLowerCase()) ?? false)

/** The first people after a cursor whose id or email begins with a prefix; undefined where too many identifiers do. */
const prefixMatches = (database: Database) => {
  const range = database.prepare(
    `SELECT subject FROM identifiers WHERE text >= ? AND text < ? LIMIT ${prefixMatchesMax + 1}`,
  )
  const walk = walker(
    database,
    `SELECT found.* FROM json_each(?) AS wanted CROSS JOIN subjects AS found ON found.key = wanted.value WHERE state = ${stateCodes.person}`,
    "found.key",
  )
  const keysIn = (from: string) => range.all(from, afterPrefix(from)).map((row) => integer(row["subject"]))

  return (
    workspace: WorkspaceId,
    prefix: string,
    page: PageRequest<SubjectKey>,
  ): Iterable<Row> | undefined => {
    const ids = keysIn(toStored(identifierText(workspace, "id", prefix)))
    const emails = keysIn(toStored(identifierText(workspace, "email", prefix)))
    if (ids.length > prefixMatchesMax || emails.length > prefixMatchesMax) return undefined
    const keys = JSON.stringify([...new Set([...ids, ...emails])])
    return walk([keys], andOneMore(page))
  }
}

/** The least text, by code points as SQLite compares, that is greater than every text with a prefix. */
export const afterPrefix = (prefix: string): string => {
  const points = Array.from(prefix)
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    const point = last.codePointAt(0) ?? 0
    if (point < 0x10ffff) {
      const isBeforeSurrogates = point === 0xd7ff
      return points.join("") + String.fromCodePoint(isBeforeSurrogates ? 0xe000 : point + 1)
    }
  }
  return "\u{10FFFF}"
}
