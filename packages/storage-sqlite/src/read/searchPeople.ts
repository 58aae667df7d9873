import type { Page, PageRequest } from "@inlet/core/values/Page"
import { identifierText, type SubjectKey, type WorkspaceId } from "@inlet/core/values/Identifier"
import { Person } from "@inlet/core/state/Person"
import type { Slices } from "@inlet/core/Slices"
import { Schema } from "effect"
import { stateCodes } from "@inlet/storage/codes"
import { integer, text, type Row } from "@inlet/storage/columns"
import type { Database } from "../engine/Database.ts"
import { rowId } from "../engine/rowIds.ts"
import { pageBytesMax } from "@inlet/storage/pageBudget"
import { walkListed } from "./paging.ts"
import { lightRowsMax, Slice, sliceDocumentsMax } from "@inlet/storage/Slice"
import { subjectColumns } from "./subjects.ts"
import { afterPrefix, beginsWith, prefixMatchesMax, walkedPeopleMax } from "@inlet/storage/prefixSearch"
import { toStored } from "@inlet/storage/storedText"
import { subjectFromRow } from "@inlet/storage/subjectRows"
import { subjectKey } from "@inlet/storage/ids"

type Search = (
  workspace: WorkspaceId,
  prefix: string,
  page: PageRequest<SubjectKey>,
) => Slices<Page<Person, SubjectKey>>

const decodePerson = Schema.decodeUnknownSync(Person)

const personOf = (row: Row): Person => decodePerson(subjectFromRow(row))

/**
 * Finds the people with an id or email that begins with a prefix. If few identifiers match, reads the people with these
 * identifiers. If many identifiers match, first checks a bounded number of people in key order, because many of them
 * are likely to match. If the page is then not full, reads all matching identifiers.
 */
export const searchPeople = (database: Database): Search => {
  const matches = matchReader(database)
  const walkPeople = walkListed(database, stateCodes.person)
  const pageOfKeys = keyedPages(database)

  return function* (workspace, prefix, page) {
    const few = matches.few(workspace, prefix)
    if (few !== undefined) return yield* pageOfKeys(workspace, few, page)
    const walk = (part: PageRequest<SubjectKey>) => walkPeople(workspace, part)
    const near = yield* walked(walk, prefix, page)
    if (near.items.length > page.limit || near.ended) return cut(near.items, page.limit)
    yield
    const left = page.limit + 1 - near.items.length
    const keys = yield* matches.next(workspace, prefix, { ...page, after: near.last, limit: left })
    const far = yield* pageOfKeys(workspace, keys, { ...page, after: near.last, limit: left })
    const { items, next } = cut([...near.items, ...far.items], page.limit)
    return { items, next: next ?? far.next }
  }
}

const cut = (items: ReadonlyArray<Person>, limit: number): Page<Person, SubjectKey> => {
  const shown = items.slice(0, limit)
  return { items: shown, next: items.length > limit ? (shown.at(-1)?.key ?? null) : null }
}

/** Reads a page of people with the given keys, in the key order that the page request asks for. */
const keyedPages = (database: Database) => {
  const rowsAt = database.prepare(
    `SELECT ${subjectColumns} FROM json_each(?) AS wanted CROSS JOIN subjects AS found ON found.id = wanted.value WHERE state = ${stateCodes.person}`,
  )
  return function* (
    workspace: WorkspaceId,
    keys: Iterable<SubjectKey>,
    { after, limit, order }: PageRequest<SubjectKey>,
  ): Slices<Page<Person, SubjectKey>> {
    const sorted = Array.from(keys)
      .filter((key) => after === null || (order === "asc" ? key > after : key < after))
      .toSorted((a, b) => (order === "asc" ? a - b : b - a))
    const items: Array<Person> = []
    let bytes = 0
    for (let at = 0; at < sorted.length;) {
      const slice = new Slice()
      const wanted = sorted.slice(at, at + slice.documents)
      at += wanted.length
      for (const row of rowsAt.iterate(JSON.stringify(wanted.map((key) => rowId(workspace, key))))) {
        const length = text(row["doc"]).length
        if (slice.documents < sliceDocumentsMax && length > slice.bytes) {
          at = sorted.indexOf(subjectKey(integer(row["key"])))
          break
        }
        slice.decode(length)
        bytes += length
        const isFull = items.length === limit || (items.length > 0 && bytes > pageBytesMax)
        if (isFull) return { items, next: items.at(-1)?.key ?? null }
        items.push(personOf(row))
      }
      if (at < sorted.length) yield
    }
    return { items, next: null }
  }
}

/**
 * Checks a bounded number of people in key order. Returns the matching people, at most one person more than a page
 * holds.
 */
function* walked(
  walk: (page: PageRequest<SubjectKey>) => Iterable<Row>,
  prefix: string,
  { after, limit, order }: PageRequest<SubjectKey>,
): Slices<{
  readonly items: ReadonlyArray<Person>
  readonly last: SubjectKey | null
  readonly ended: boolean
}> {
  const items: Array<Person> = []
  let last = after
  let left = walkedPeopleMax
  for (;;) {
    const slice = new Slice()
    let ended = true
    for (const row of walk({ after: last, order, limit: Math.min(left, slice.documents) + 1 })) {
      ended = !slice.isOver && left > 0 && items.length <= limit
      if (!ended) break
      const subject = subjectFromRow(row)
      slice.decode(text(row["doc"]).length)
      left--
      last = subject.key
      if (subject._tag === "Person" && beginsWith(subject, prefix)) items.push(decodePerson(subject))
    }
    if (ended || left <= 0 || items.length > limit) return { items, last, ended }
    yield
  }
}

const beginnings = (prefix: string): ReadonlyArray<string> =>
  (["id", "email"] as const).map((kind) => toStored(identifierText(kind, prefix)))

const keyOf = (row: Row): SubjectKey => subjectKey(integer(row[1]))

/** Reads the people with an identifier that begins with a prefix. */
const matchReader = (database: Database) => {
  const range = database.prepareByPlace(
    "SELECT text, subject FROM identifiers WHERE workspace = ? AND text >= ? AND text < ? ORDER BY text LIMIT ?",
  )

  return {
    /**
     * Returns the keys of the people with an id or email that begins with the prefix, unordered. Returns undefined if
     * there are too many.
     */
    few(workspace: WorkspaceId, prefix: string): ReadonlySet<SubjectKey> | undefined {
      const keys = new Set<SubjectKey>()
      for (const from of beginnings(prefix)) {
        const rows = range.all(workspace, from, afterPrefix(from), prefixMatchesMax + 1)
        if (rows.length > prefixMatchesMax) return undefined
        for (const row of rows) keys.add(keyOf(row))
      }
      return keys
    },
    /** Returns the keys of the next matching people after a cursor, at most `limit` + 1 keys. */
    *next(
      workspace: WorkspaceId,
      prefix: string,
      { after, limit, order }: PageRequest<SubjectKey>,
    ): Slices<ReadonlyArray<SubjectKey>> {
      let nearest: Array<SubjectKey> = []
      const isAfter = (key: SubjectKey) => after === null || (order === "asc" ? key > after : key < after)
      const keepNearest = () => {
        const sorted = [...new Set(nearest)].toSorted((a, b) => (order === "asc" ? a - b : b - a))
        nearest = sorted.slice(0, limit + 1)
      }
      for (const beginning of beginnings(prefix)) {
        const end = afterPrefix(beginning)
        for (let from = beginning; ;) {
          const rows = range.all(workspace, from, end, lightRowsMax)
          for (const row of rows) if (isAfter(keyOf(row))) nearest.push(keyOf(row))
          keepNearest()
          const last = rows.at(-1)
          if (last === undefined || rows.length < lightRowsMax) break
          from = `${text(last[0])}\0`
          yield
        }
      }
      return nearest
    },
  }
}
