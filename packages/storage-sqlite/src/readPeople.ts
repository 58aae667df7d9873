import type { Page, PageRequest } from "@inlet/core/Directory"
import { identifierText, type Identifier, type SubjectKey, type WorkspaceId } from "@inlet/core/Identifier"
import { Person } from "@inlet/core/person/Person"
import { Option, Schema } from "effect"
import { stateCodes } from "./codes.ts"
import { integer, type Row } from "./columns.ts"
import type { Database } from "./Database.ts"
import { toStored } from "./storedText.ts"
import { subjectKey, subjectOf } from "./subjects.ts"

/** Identifiers that a search by prefix collects and sorts; with more, it walks the people in their order instead. */
export const prefixMatchesMax = 2000

/** People that one page of such a walk looks at before it answers short. */
export const peopleScanMax = 5000

const walkChunk = 500

type People = (
  workspace: WorkspaceId,
  prefix: string | null,
  page: PageRequest<SubjectKey>,
) => Page<Person, SubjectKey>

const decodePerson = Schema.decodeUnknownSync(Person)

const personOf = (row: Row): Person => decodePerson(subjectOf(row))

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

/** Lists people by key, which is the order in which they were first seen. */
export const readPeople = (database: Database): People => {
  const walk = walker(database)
  const matches = prefixMatches(database)

  const all: People = (workspace, _, page) => {
    const people = walk(workspace, page.after, page.order, page.limit + 1).map(personOf)
    return pageOf(people, page.limit)
  }

  const searched = (
    workspace: WorkspaceId,
    prefix: string,
    { after, limit, order }: PageRequest<SubjectKey>,
  ): Page<Person, SubjectKey> => {
    const people: Array<Person> = []
    let last = after
    for (let scanned = 0; scanned < peopleScanMax; scanned += walkChunk) {
      const chunk = walk(workspace, last, order, walkChunk).map(personOf)
      people.push(...chunk.filter((person) => beginsWith(person, prefix)))
      if (people.length > limit) return pageOf(people, limit)
      last = chunk.at(-1)?.key ?? last
      if (chunk.length < walkChunk) return { items: people, next: null }
    }
    return { items: people, next: last }
  }

  return (workspace, prefix, page) =>
    database.read(() => {
      if (prefix === null) return all(workspace, prefix, page)
      const few = matches(workspace, prefix, page)
      return few === undefined ? searched(workspace, prefix, page) : pageOf(few, page.limit)
    })
}

const pageOf = (people: ReadonlyArray<Person>, limit: number): Page<Person, SubjectKey> => {
  const items = people.slice(0, limit)
  return { items, next: people.length > limit ? (items.at(-1)?.key ?? null) : null }
}

const beginsWith = ({ email, id }: Person, prefix: string): boolean =>
  (id?.startsWith(prefix) ?? false) || (email?.toLowerCase().startsWith(prefix.toLowerCase()) ?? false)

const walker = (database: Database) => {
  const of = (order: string, compare: string) =>
    database.prepare(
      `SELECT * FROM subjects WHERE workspace = ? AND state = ${stateCodes.person} AND key ${compare} ? ORDER BY key ${order} LIMIT ?`,
    )
  const up = of("ASC", ">")
  const down = of("DESC", "<")
  return (workspace: WorkspaceId, after: number | null, order: "asc" | "desc", limit: number) =>
    order === "asc"
      ? up.all(workspace, after ?? 0, limit)
      : down.all(workspace, after ?? Number.MAX_SAFE_INTEGER, limit)
}

/** The first people after a cursor whose id or email begins with a prefix; undefined where too many identifiers do. */
const prefixMatches = (database: Database) => {
  const range = database.prepare(
    `SELECT subject FROM identifiers WHERE text >= ? AND text < ? LIMIT ${prefixMatchesMax + 1}`,
  )
  const of = (order: string, compare: string) =>
    database.prepare(
      `SELECT found.* FROM json_each(?) AS wanted CROSS JOIN subjects AS found ON found.key = wanted.value
      WHERE state = ${stateCodes.person} AND found.key ${compare} ? ORDER BY found.key ${order} LIMIT ?`,
    )
  const up = of("ASC", ">")
  const down = of("DESC", "<")
  const keysIn = (from: string) => range.all(from, afterPrefix(from)).map((row) => integer(row["subject"]))

  return (
    workspace: WorkspaceId,
    prefix: string,
    { after, limit, order }: PageRequest<SubjectKey>,
  ): ReadonlyArray<Person> | undefined => {
    const ids = keysIn(toStored(identifierText(workspace, "id", prefix)))
    const emails = keysIn(toStored(identifierText(workspace, "email", prefix)))
    if (ids.length > prefixMatchesMax || emails.length > prefixMatchesMax) return undefined
    const keys = JSON.stringify([...new Set([...ids, ...emails])])
    const rows =
      order === "asc"
        ? up.all(keys, after ?? 0, limit + 1)
        : down.all(keys, after ?? Number.MAX_SAFE_INTEGER, limit + 1)
    return rows.map(personOf)
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
