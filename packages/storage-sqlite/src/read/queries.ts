import type { PageRequest } from "@inlethq/core/values/Page"
import type { Sequence, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { entryBytes, subjectsIn } from "@inlethq/storage/read/activityRecords"
import { stateCodes, type ListedCode } from "@inlethq/storage/columns/codes"
import { sequenceIn } from "@inlethq/storage/rows/entryRows"
import { integer, integerOrNull, text, type Row } from "@inlethq/storage/columns/columns"
import { sequenceOf, subjectKey } from "@inlethq/storage/columns/ids"
import { sqlEvidence } from "@inlethq/storage/rows/partRows"
import { afterPrefix } from "@inlethq/storage/read/prefixSearch"
import type {
  CutRows,
  ObjectTypes,
  ReadQueries,
  SubjectList,
  SubjectSize,
} from "@inlethq/storage/read/ReadQueries"
import { rowsPerQueryMax, sliceBytesMax } from "@inlethq/storage/budgets/ReadBudget"
import { fromStored, toStored } from "@inlethq/storage/columns/storedText"
import { Effect, Option } from "effect"
import type { SQLInputValue } from "node:sqlite"
import type { ReadDatabase } from "../engine/Database.ts"
import { readHead } from "../engine/heads.ts"
import { rowId, rowIdRange, sqlNumber, sqlRowId, sqlWorkspace } from "../engine/rowIds.ts"
import { statementsOn } from "../engine/tables.ts"
import { countQueries } from "./counts.ts"
import { readErasedAddresses } from "./erasedAddresses.ts"
import { keyAt, readSubjects, rowAt, subjectColumns } from "./subjects.ts"

/** The columns of a row of `activity AS found` that `entryFromRow` decodes. */
export const activityColumns = `${sqlNumber("found.id")} AS sequence, ${sqlWorkspace("found.id")} AS workspace, found.*`

/** The same columns for `entryAt`. */
const entryColumns = `${sqlNumber("found.id")}, ${sqlWorkspace("found.id")}, subject, kind, name, source, outcome, at, received, processed, claim, parts, detail, sender, contexts.json`

/** Returns the row of an entry by name. SQLite gives the columns by place in two thirds of the time. */
const entryAt = (row: Row): Row => ({
  sequence: row[0],
  workspace: row[1],
  subject: row[2],
  kind: row[3],
  name: row[4],
  source: row[5],
  outcome: row[6],
  at: row[7],
  received: row[8],
  processed: row[9],
  claim: row[10],
  parts: row[11],
  detail: row[12],
  sender: row[13],
  described: row[14],
})

/** Prepares the queries of the catalog. SQLite answers each of them at once. */
export const readQueries = (database: ReadDatabase): ReadQueries<never> => ({
  ...subjectQueries(database),
  ...relatedQueries(database),
  ...logQueries(database),
  ...countQueries(database),
  ask: statementsOn(database),
})

type Queries<Name extends keyof ReadQueries<never>> = Pick<ReadQueries<never>, Name>

const subjectQueries = (
  database: ReadDatabase,
): Queries<"listed" | "listedAt" | "byKey" | "byText" | "identifiersFrom" | "keysOf" | "objectTypes"> => {
  const listed = lists(database)
  // As a parameter, the state would make SQLite prepare the statement again on each run, because `listed` is a partial index.
  const rowsAt = ofEachKind((state) =>
    database.prepareByPlace(
      `SELECT ${subjectColumns} FROM json_each(?) AS wanted CROSS JOIN subjects AS found ON found.id = wanted.value WHERE found.state = ${state}`,
    ),
  )
  const byKey = ofEachKind((state) =>
    database.prepare(`${selectOf(state)} WHERE found.id = ? AND found.state = ${state}`),
  )
  const byText = ofEachKind((state) =>
    database.prepare(
      `${selectOf(state)} WHERE found.id = (SELECT ${sqlRowId("workspace", "subject")} FROM identifiers WHERE workspace = ? AND text = ?) AND found.state = ${state}`,
    ),
  )
  const byLookup = database.prepareByPlace("SELECT subject FROM identifiers WHERE workspace = ? AND text = ?")
  const keyRange = database.prepareByPlace(
    "SELECT subject FROM identifiers WHERE workspace = ? AND text >= ? AND text < ? ORDER BY text LIMIT ?",
  )
  const objectTypes = readObjectTypes(database)
  const range = database.prepareByPlace(
    "SELECT text, subject FROM identifiers WHERE workspace = ? AND text >= ? AND text < ? ORDER BY text LIMIT ?",
  )
  return {
    listed: (workspace, list, page) => Effect.sync(() => cutRows(listed(workspace, list, page))),
    listedAt: (workspace, keys, state) =>
      Effect.sync(() => cutRows(rowsAt[state].iterate(ids(workspace, keys)))),
    byKey: (workspace, key, state) =>
      Effect.sync(() => Option.fromUndefinedOr(byKey[state].get(rowId(workspace, key)))),
    byText: (workspace, lookup, state) =>
      Effect.sync(() => Option.fromUndefinedOr(byText[state].get(workspace, toStored(lookup)))),
    keysOf: (workspace, { beginnings, whole }, limit) =>
      Effect.sync(() => {
        const keys = whole.flatMap((one) => byLookup.all(workspace, toStored(one)).map(keyAt))
        for (const beginning of beginnings) {
          const from = toStored(beginning)
          for (const row of keyRange.all(workspace, from, afterPrefix(from), limit)) keys.push(keyAt(row))
        }
        return keys
      }),
    objectTypes: (workspace, after, max) => Effect.sync(() => objectTypes(workspace, after, max)),
    identifiersFrom: (workspace, prefix, after, limit) =>
      Effect.sync(() => {
        const beginning = toStored(prefix)
        const from = after === null ? beginning : `${after}\0`
        return range
          .all(workspace, from, afterPrefix(beginning), limit)
          .map((row) => ({ text: text(row[0]), subject: subjectKey(integer(row[1])) }))
      }),
  }
}

const readObjectTypes = (
  database: ReadDatabase,
): ((workspace: WorkspaceId, after: string | null, max: number) => ObjectTypes) => {
  // The index has the objects of all workspaces, so a type of another workspace is one more step.
  const next = database.prepareByPlace(
    `SELECT name FROM subjects WHERE state = ${stateCodes.object} AND name > ? ORDER BY name LIMIT 1`,
  )
  const hasType = database.prepareByPlace(
    `SELECT 1 FROM subjects WHERE state = ${stateCodes.object} AND name = ? AND id >= ? AND id < ? LIMIT 1`,
  )
  return (workspace, after, max) => {
    const types: Array<string> = []
    const range = rowIdRange(workspace, 1, Infinity)
    let last = after ?? ""
    for (let steps = 0; steps < max; steps++) {
      const row = next.get(last)
      if (row === undefined) return { types, next: null, isCut: false }
      last = text(row[0])
      if (hasType.get(last, ...range) !== undefined) types.push(fromStored(last))
    }
    return { types, next: last, isCut: false }
  }
}

/** Reads rows lazily, until the document of the next row no longer fits into the slice. Lists without sizes have no ninth column. */
const cutRows = (found: Iterable<Row>): CutRows => {
  const rows: Array<Row> = []
  let left = sliceBytesMax
  for (const byPlace of found) {
    const row: Row = { ...rowAt(byPlace), size: byPlace[8] }
    const { length } = text(row["doc"])
    if (rows.length > 0 && length > left) return { rows, isCut: true }
    left -= length
    rows.push(row)
  }
  return { rows, isCut: false }
}

const withSize = `SELECT ${subjectColumns}, coalesce(size, 0) AS size FROM subjects AS found
  LEFT JOIN sizes ON sizes.id = ${sqlRowId(sqlWorkspace("found.id"), `coalesce(found.owner, ${sqlNumber("found.id")})`)}`

const selectOf = (state: ListedCode): string =>
  state === stateCodes.object || state === stateCodes.segment
    ? withSize
    : `SELECT ${subjectColumns} FROM subjects AS found`

const ofEachKind = <A>(of: (state: ListedCode) => A): Readonly<Record<ListedCode, A>> => ({
  [stateCodes.person]: of(stateCodes.person),
  [stateCodes.object]: of(stateCodes.object),
  [stateCodes.delivery]: of(stateCodes.delivery),
  [stateCodes.form]: of(stateCodes.form),
  [stateCodes.segment]: of(stateCodes.segment),
})

/** Runs a query on the rows of a workspace that follow a cursor. Reads the rows lazily, in the order of their keys. */
type Walk = (
  workspace: WorkspaceId,
  parameters: ReadonlyArray<SQLInputValue>,
  page: PageRequest<SubjectKey>,
) => Iterable<Row>

const lists = (database: ReadDatabase) => {
  const ofKind = ofEachKind((state) => walker(database, `${selectOf(state)} WHERE state = ${state}`))
  const ofType = walker(database, `${withSize} WHERE state = ${stateCodes.object} AND name = ?`)
  const linked = linkWalker(database)
  return (workspace: WorkspaceId, list: SubjectList, page: PageRequest<SubjectKey>): Iterable<Row> => {
    switch (list._tag) {
      case "OfKind":
        return ofKind[list.state](workspace, [], page)
      case "ObjectsOfType":
        return ofType(workspace, [toStored(list.typeId)], page)
      case "LinkedTo":
        return linked(workspace, [list.target], page)
    }
  }
}

/** Prepares a walk over the rows of a query, which must end in a condition, because more conditions are appended. */
const walker = (database: ReadDatabase, query: string): Walk => {
  const of = (order: string) =>
    database.prepareByPlace(`${query} AND found.id >= ? AND found.id < ? ORDER BY found.id ${order} LIMIT ?`)
  const up = of("ASC")
  const down = of("DESC")
  return (workspace, parameters, { after, limit, order }) =>
    order === "asc"
      ? up.iterate(...parameters, ...rowIdRange(workspace, (after ?? 0) + 1, Infinity), limit)
      : down.iterate(...parameters, ...rowIdRange(workspace, 1, after ?? Infinity), limit)
}

/** Prepares a walk over everything that is linked to a target. The parameter of the query is the key of the target. */
const linkWalker = (database: ReadDatabase): Walk => {
  const of = (order: string, compare: string) =>
    database.prepareByPlace(`
      SELECT ${subjectColumns} FROM links
      CROSS JOIN subjects AS found ON found.id = ${sqlRowId("links.workspace", "links.subject")}
      WHERE links.workspace = ? AND target = ? AND links.subject ${compare} ?
      ORDER BY links.subject ${order} LIMIT ?`)
  const up = of("ASC", ">")
  const down = of("DESC", "<")
  return (workspace, parameters, { after, limit, order }) =>
    order === "asc"
      ? up.iterate(workspace, ...parameters, after ?? 0, limit)
      : down.iterate(workspace, ...parameters, after ?? Number.MAX_SAFE_INTEGER, limit)
}

const relatedQueries = (
  database: ReadDatabase,
): Queries<
  | "sizes"
  | "subjects"
  | "prunedTo"
  | "isSuppressed"
  | "hasErasedAddresses"
  | "erasedAddresses"
  | "erasedAmong"
> => {
  const subjects = readSubjects(database)
  const sizesOf = readSizes(database)
  const suppressed = database.prepare("SELECT 1 FROM suppressions WHERE workspace = ? AND digest = ?")
  const headOf = readHead(database)
  const anyErased = database.prepare("SELECT 1 FROM erased_addresses WHERE workspace = ? LIMIT 1")
  const erasedAddresses = readErasedAddresses(database)
  // Reads the small index of deleted subjects, because a lookup in the table of all people costs far more.
  const erased = database.prepareByPlace(
    `SELECT ${sqlNumber("found.id")} FROM json_each(?) AS wanted CROSS JOIN subjects AS found INDEXED BY erased ON ${sqlWorkspace("found.id")} = ? AND found.id = wanted.value WHERE state = ${stateCodes.erased}`,
  )
  return {
    subjects: (workspace, keys) => Effect.sync(() => subjects(workspace, keys)),
    sizes: (workspace, keys) => Effect.sync(() => sizesOf(workspace, keys)),
    isSuppressed: (workspace, digest) => Effect.sync(() => suppressed.get(workspace, digest) !== undefined),
    prunedTo: (workspace) => Effect.sync(() => headOf(workspace).prunedTo),
    hasErasedAddresses: (workspace) => Effect.sync(() => anyErased.get(workspace) !== undefined),
    erasedAddresses: (workspace, addresses) => Effect.sync(() => erasedAddresses(workspace, addresses)),
    erasedAmong: (workspace, keys) =>
      Effect.sync(
        () =>
          new Set(
            (keys.size === 0 ? [] : erased.all(ids(workspace, keys), workspace)).map((row) =>
              subjectKey(integer(row[0])),
            ),
          ),
      ),
  }
}

const readSizes = (database: ReadDatabase) => {
  const sizes = database.prepareByPlace(
    `SELECT ${sqlNumber("found.id")}, found.state, found.owner, octet_length(found.doc) FROM json_each(?) AS wanted CROSS JOIN subjects AS found ON found.id = wanted.value`,
  )
  return (workspace: WorkspaceId, keys: ReadonlySet<SubjectKey>): ReadonlyMap<SubjectKey, SubjectSize> =>
    new Map(
      (keys.size === 0 ? [] : sizes.all(ids(workspace, keys))).map((row) => [
        subjectKey(integer(row[0])),
        { state: integer(row[1]), owner: ownerOf(row[2]), bytes: integer(row[3]) },
      ]),
    )
}

const ids = (workspace: WorkspaceId, keys: Iterable<SubjectKey>): string =>
  JSON.stringify(Array.from(keys, (key) => rowId(workspace, key)))

const ownerOf = (value: unknown): SubjectKey | null => {
  const owner = integerOrNull(value ?? null)
  return owner === null ? null : subjectKey(owner)
}

const sqlEntriesAt = `SELECT ${entryColumns} FROM json_each(?) AS wanted CROSS JOIN activity AS found ON found.id = wanted.value LEFT JOIN contexts ON contexts.workspace = ${sqlWorkspace("found.id")} AND contexts.number = found.context`

const sqlParts =
  "SELECT found.* FROM json_each(?) AS wanted CROSS JOIN entry_parts AS found ON found.workspace = ? AND found.sequence = wanted.value ORDER BY found.sequence, found.place"

/** Returns a function that reads the entries at the given positions with all rows of their parts. */
export const readEntries = (database: ReadDatabase) => {
  const entriesAt = database.prepareByPlace(sqlEntriesAt)
  const partsOf = database.prepare(sqlParts)
  return (workspace: WorkspaceId, positions: ReadonlyArray<Sequence>) => ({
    rows: entriesAt.all(JSON.stringify(positions.map((position) => rowId(workspace, position)))).map(entryAt),
    parts: partsOf.all(JSON.stringify(positions), workspace),
  })
}

const logQueries = (
  database: ReadDatabase,
): Queries<"emptiedCalls" | "entries" | "evidence" | "parts" | "rejectedCalls" | "senders"> => {
  const entriesAt = database.prepareByPlace(sqlEntriesAt)
  const sizesOf = readSizes(database)
  const parts = database.prepare(sqlParts)
  const rejected = database.prepare(
    "SELECT found.sequence AS sequence, found.doc AS doc FROM json_each(?) AS wanted CROSS JOIN rejected_calls AS found ON found.workspace = ? AND found.sequence = wanted.value AND found.characters > 0",
  )
  const emptied = database.prepare(
    "SELECT found.sequence AS sequence FROM json_each(?) AS wanted CROSS JOIN rejected_calls AS found ON found.workspace = ? AND found.sequence = wanted.value AND found.characters = 0",
  )
  const senders = database.prepare(
    "SELECT found.id AS id, found.doc AS doc FROM json_each(?) AS wanted CROSS JOIN senders AS found ON found.workspace = ? AND found.id = wanted.value",
  )
  const evidence = database.prepareByPlace(
    `SELECT DISTINCT sequence FROM entry_parts INDEXED BY evidence WHERE workspace = ? AND sequence < ? AND ${sqlEvidence} ORDER BY sequence DESC LIMIT ?`,
  )
  const evidenceBetween = database.prepareByPlace(`
    SELECT DISTINCT sequence FROM (
      SELECT found.sequence FROM json_each(?1) AS wanted
      CROSS JOIN entry_parts AS found INDEXED BY evidence_subject ON found.workspace = ?2 AND found.subject = wanted.value
      WHERE found.sequence < ?3 AND ${sqlEvidence} LIMIT ${rowsPerQueryMax}
    )
    CROSS JOIN activity ON activity.id = ${sqlRowId("?2", "sequence")}
    WHERE activity.subject IN (SELECT value FROM json_each(?1)) ORDER BY sequence DESC LIMIT ?4`)
  return {
    evidence: (workspace, between, before, limit) =>
      Effect.sync(() => {
        const end = before ?? Number.MAX_SAFE_INTEGER
        const rows =
          between === null
            ? evidence.all(workspace, end, limit)
            : evidenceBetween.all(JSON.stringify(between), workspace, end, limit)
        return rows.map((row) => sequenceOf(integer(row[0])))
      }),
    senders: (workspace, wanted) => Effect.sync(() => senders.all(JSON.stringify([...wanted]), workspace)),
    entries: (workspace, positions, bytesMax) =>
      Effect.sync(() => {
        const rows: Array<Row> = []
        let left = bytesMax
        const rowIds = positions.map((position) => rowId(workspace, position))
        for (const found of entriesAt.iterate(JSON.stringify(rowIds))) {
          const row = entryAt(found)
          rows.push(row)
          left -= entryBytes(row)
          if (left <= 0) break
        }
        return { rows, isCut: left <= 0, sizes: sizesOf(workspace, subjectsIn(rows)) }
      }),
    parts: (workspace, positions) => Effect.sync(() => parts.all(JSON.stringify([...positions]), workspace)),
    rejectedCalls: (workspace, positions) =>
      Effect.sync(() => rejected.all(JSON.stringify(positions), workspace)),
    emptiedCalls: (workspace, positions) =>
      Effect.sync(() => emptied.all(JSON.stringify(positions), workspace).map(sequenceIn)),
  }
}
