import type { Page, PageRequest } from "@inlet/core/values/Page"
import type { StoreUnavailable } from "@inlet/core/ports/Store"
import { Person } from "@inlet/core/state/Person"
import { identifierText, type SubjectKey, type WorkspaceId } from "@inlet/core/values/Identifier"
import { stateCodes } from "@inlet/storage/codes"
import { integer, text, type Row } from "@inlet/storage/columns"
import { subjectKey } from "@inlet/storage/ids"
import { pageBytesMax } from "@inlet/storage/pageBudget"
import { afterPrefix, beginsWith, prefixMatchesMax, walkedPeopleMax } from "@inlet/storage/prefixSearch"
import { lightRowsMax, sliceDocumentsMax } from "@inlet/storage/Slice"
import { subjectFromRow } from "@inlet/storage/subjectRows"
import { Effect, Schema } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { indexedPrefix } from "../tables/indexedText.ts"
import { walkListed } from "./paging.ts"
import type { Read } from "./Read.ts"
import { sizesInSlices, subjectsInSlices } from "./subjectSizes.ts"

const decodePerson = Schema.decodeUnknownSync(Person)

const walkPeople = walkListed(stateCodes.person)

/**
 * Finds the people with an id or email that begins with a prefix. If few identifiers match, reads the people with these
 * identifiers. If many identifiers match, first checks a bounded number of people in key order, because many of them
 * are likely to match. If the page is then not full, reads all matching identifiers.
 */
export const searchPeople = (
  read: Read,
  workspace: WorkspaceId,
  prefix: string,
  page: PageRequest<SubjectKey>,
): Effect.Effect<Page<Person, SubjectKey>, StoreUnavailable> =>
  Effect.gen(function* () {
    const few = yield* read((connection) => fewMatches(connection, workspace, prefix))
    if (few !== undefined) return yield* pageOfKeys(read, workspace, prefix, few, page)
    const near = yield* walked(read, workspace, prefix, page)
    if (near.items.length > page.limit || near.ended) return cut(near.items, page.limit)
    const left = { ...page, after: near.last, limit: page.limit + 1 - near.items.length }
    const keys = yield* nextMatches(read, workspace, prefix, left)
    const far = yield* pageOfKeys(read, workspace, prefix, keys, left)
    const { items, next } = cut([...near.items, ...far.items], page.limit)
    return { items, next: next ?? far.next }
  })

const cut = (items: ReadonlyArray<Person>, limit: number): Page<Person, SubjectKey> => {
  const shown = items.slice(0, limit)
  return { items: shown, next: items.length > limit ? (shown.at(-1)?.key ?? null) : null }
}

/** Leaves out the keys up to the page's cursor `after`, and sorts the other keys in the order of the page. */
const inOrder = (
  keys: Iterable<SubjectKey>,
  { after, order }: PageRequest<SubjectKey>,
): ReadonlyArray<SubjectKey> =>
  Array.from(keys)
    .filter((key) => after === null || (order === "asc" ? key > after : key < after))
    .toSorted((a, b) => (order === "asc" ? a - b : b - a))

/** Reads a page of people with the given keys. Leaves out people who do not match the prefix. */
const pageOfKeys = (
  read: Read,
  workspace: WorkspaceId,
  prefix: string,
  keys: Iterable<SubjectKey>,
  page: PageRequest<SubjectKey>,
): Effect.Effect<Page<Person, SubjectKey>, StoreUnavailable> =>
  Effect.gen(function* () {
    const sorted = inOrder(keys, page)
    const items: Array<Person> = []
    let bytes = 0
    for (let at = 0; at < sorted.length; at += sliceDocumentsMax) {
      const part = new Set(sorted.slice(at, at + sliceDocumentsMax))
      const sizes = yield* sizesInSlices(read, workspace, part)
      const people = yield* subjectsInSlices(read, workspace, part, sizes, (subject) =>
        subject._tag === "Person" && beginsWith(subject, prefix) ? decodePerson(subject) : undefined,
      )
      for (const key of part) {
        const person = people.get(key)
        if (person === undefined) continue
        bytes += sizes.get(key)?.bytes ?? 0
        const isFull = items.length === page.limit || (items.length > 0 && bytes > pageBytesMax)
        if (isFull) return { items, next: items.at(-1)?.key ?? null }
        items.push(person)
      }
    }
    return { items, next: null }
  })

/**
 * Checks a bounded number of people in key order. Returns the matching people, at most one person more than a page
 * holds.
 */
const walked = (
  read: Read,
  workspace: WorkspaceId,
  prefix: string,
  { after, limit, order }: PageRequest<SubjectKey>,
) =>
  Effect.gen(function* () {
    const items: Array<Person> = []
    let last = after
    for (let left = walkedPeopleMax; left > 0 && items.length <= limit;) {
      const part: PageRequest<SubjectKey> = { after: last, order, limit: Math.min(left, sliceDocumentsMax) }
      const { isEnd, rows } = yield* read((connection) => walkPeople(connection, workspace, [], part))
      for (const row of rows) {
        if (items.length > limit) break
        const subject = subjectFromRow(row)
        left--
        last = subject.key
        if (subject._tag === "Person" && beginsWith(subject, prefix)) items.push(decodePerson(subject))
      }
      if (isEnd && items.length <= limit) return { items, last, ended: true }
    }
    return { items, last, ended: false }
  })

const beginnings = (prefix: string): ReadonlyArray<string> =>
  (["id", "email"] as const).map((kind) => indexedPrefix(identifierText(kind, prefix)))

const keyOf = (row: Row): SubjectKey => subjectKey(integer(row["subject"]))

const rangeSql = (compare: ">" | ">=") =>
  `SELECT text, subject FROM identifiers WHERE workspace = $1 AND text ${compare} $2 AND text < $3 ORDER BY text LIMIT $4`
const fromSql = rangeSql(">=")
const afterSql = rangeSql(">")

/** Returns the keys of all matches, unordered, or undefined if too many identifiers match. */
const fewMatches = (
  connection: Connection,
  workspace: WorkspaceId,
  prefix: string,
): Effect.Effect<ReadonlySet<SubjectKey> | undefined, DatabaseError> =>
  Effect.gen(function* () {
    const keys = new Set<SubjectKey>()
    for (const from of beginnings(prefix)) {
      const rows = yield* connection.query(fromSql, [
        workspace,
        from,
        afterPrefix(from),
        prefixMatchesMax + 1,
      ])
      if (rows.length > prefixMatchesMax) return undefined
      for (const row of rows) keys.add(keyOf(row))
    }
    return keys
  })

/**
 * Returns keys of people with a matching identifier: the first keys after the page's cursor, at most `limit` + 1 keys.
 */
const nextMatches = (
  read: Read,
  workspace: WorkspaceId,
  prefix: string,
  page: PageRequest<SubjectKey>,
): Effect.Effect<ReadonlyArray<SubjectKey>, StoreUnavailable> =>
  Effect.gen(function* () {
    let nearest: ReadonlyArray<SubjectKey> = []
    for (const beginning of beginnings(prefix)) {
      const end = afterPrefix(beginning)
      let from = beginning
      for (let sql = fromSql; ; sql = afterSql) {
        const bound = [workspace, from, end, lightRowsMax]
        const rows = yield* read((connection) => connection.query(sql, bound))
        nearest = inOrder(new Set([...nearest, ...rows.map(keyOf)]), page).slice(0, page.limit + 1)
        const last = rows.at(-1)
        if (last === undefined || rows.length < lightRowsMax) break
        from = text(last["text"])
      }
    }
    return nearest
  })
