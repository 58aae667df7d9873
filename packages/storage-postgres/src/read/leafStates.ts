import { countingKeys } from "@inlethq/core/membership/ringOf"
import { compileSegments } from "@inlethq/core/rule/definitions"
import type { RuleIndex } from "@inlethq/core/rule/RuleIndex"
import { relatedPeopleMax } from "@inlethq/core/rule/ruleBounds"
import type { BuildKey, DuePerson, HolderRange, StoreUnavailable } from "@inlethq/core/ports/Store"
import type { LeafState, LeafStates } from "@inlethq/core/state/LeafState"
import type { Subject } from "@inlethq/core/state/Subject"
import type { SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import type { HeadRow } from "@inlethq/storage/rows/batchRows"
import { holderCodes, stateCodes } from "@inlethq/storage/columns/codes"
import { integer } from "@inlethq/storage/columns/columns"
import { subjectKey, workspaceId } from "@inlethq/storage/columns/ids"
import type { KnownRules } from "@inlethq/storage/KnownRules"
import {
  addLeafState,
  duePeople,
  leafColumns,
  noneRelated,
  relatedIn,
  type Related,
} from "@inlethq/storage/rows/leafRows"
import { subjectFromRow } from "@inlethq/storage/rows/subjectRows"
import { Effect } from "effect"
import type { Connection, IndexedRow } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import type { Database } from "../engine/Database.ts"
import { int8s } from "../engine/parameters.ts"
import { askInTurn, inTurn, nextTurn, workspacesPerLongTrip } from "./workspacesInTurn.ts"
import { subjectColumns } from "./subjects.ts"

const segmentsSql = `
  SELECT ${subjectColumns} FROM subjects AS found WHERE found.workspace = $1 AND found.state = ${stateCodes.segment}`

/** Returns the rules of a workspace. Reads them only if they changed since they were last read. */
export const readRules = (
  connection: Connection,
  workspace: WorkspaceId,
  { rulesVersion: version }: Pick<HeadRow, "rulesVersion">,
  known: KnownRules,
): Effect.Effect<RuleIndex, DatabaseError> =>
  Effect.gen(function* () {
    const rules = known.get(workspace, version)
    if (rules !== undefined) return rules.index
    const rows = yield* connection.query(segmentsSql, [workspace])
    const segments = rows.map(subjectFromRow).filter((subject) => subject._tag === "Segment")
    const index = compileSegments(segments, known.last(workspace)?.index)
    // Other nodes change when leaves are due, so each batch asks the table (`loadWorkingSet`).
    known.set(workspace, { version, index, nextDue: null })
    return index
  })

/** `OFFSET 0` makes the planner do one index lookup for each person. */
const statesSql = `
  SELECT found.* FROM unnest($2::bigint[]) AS wanted (subject)
  CROSS JOIN LATERAL (
    SELECT ${leafColumns} FROM leaf_states AS found
    WHERE found.workspace = $1 AND found.subject = wanted.subject OFFSET 0
  ) AS found`

/** Reads what is stored about the leaves of rules and the people and visitors among the given subjects. */
export const readLeafStates = (
  connection: Connection,
  workspace: WorkspaceId,
  subjects: Iterable<Subject>,
): Effect.Effect<Map<SubjectKey, LeafStates>, DatabaseError> =>
  Effect.gen(function* () {
    const keys = [...countingKeys(subjects)]
    const states = new Map<SubjectKey, Map<SubjectKey, LeafState>>()
    if (keys.length === 0) return states
    const wanted = keys.toSorted((a, b) => a - b)
    for (const row of yield* connection.queryByIndex(statesSql, [workspace, int8s(wanted)])) {
      addLeafState(states, row)
    }
    return states
  })

const buildingSql = `
  SELECT workspace, key FROM subjects WHERE state = ${stateCodes.ruleBuild} ORDER BY workspace, key`

/** Reads the keys of builds. */
export const readBuilding = (connection: Connection): Effect.Effect<ReadonlyArray<BuildKey>, DatabaseError> =>
  Effect.map(connection.query(buildingSql, []), (rows) =>
    rows.map((row) => ({
      workspace: workspaceId(integer(row["workspace"])),
      build: subjectKey(integer(row["key"])),
    })),
  )

const holdersSql = `
  SELECT key FROM subjects
  WHERE workspace = $1 AND key > $2 AND key < $3 AND state IN (${holderCodes.join()}) ORDER BY key LIMIT $4`

const relatedHoldersSql = `
  SELECT subject AS key FROM links
  WHERE workspace = $1 AND subject > $2 AND subject < $3 AND target = $5 ORDER BY subject LIMIT $4`

/** Reads the keys of people and visitors in a range of keys. */
export const readHolders = (
  connection: Connection,
  workspace: WorkspaceId,
  { after, before, relatedTo }: HolderRange,
  limit: number,
): Effect.Effect<ReadonlyArray<SubjectKey>, DatabaseError> => {
  const range = [workspace, after, before, limit]
  const rows =
    relatedTo === null
      ? connection.query(holdersSql, range)
      : connection.query(relatedHoldersSql, [...range, relatedTo])
  return Effect.map(rows, (found) => found.map((row) => subjectKey(integer(row["key"]))))
}

const hasHoldersSql = `
  SELECT 1 FROM subjects WHERE workspace = $1 AND state IN (${holderCodes.join()}) LIMIT 1`

/** Reads whether a workspace has people or visitors. */
export const readHasHolders = (
  connection: Connection,
  workspace: WorkspaceId,
): Effect.Effect<boolean, DatabaseError> =>
  Effect.map(connection.query(hasHoldersSql, [workspace]), (rows) => rows.length > 0)

const relatedSql = `
  SELECT found.subject, wanted.target FROM unnest($2::bigint[]) AS wanted (target)
  CROSS JOIN LATERAL (
    SELECT subject FROM links WHERE workspace = $1 AND target = wanted.target ORDER BY subject LIMIT ${relatedPeopleMax + 1}
  ) AS found`

/** Reads the keys of people and visitors who are related to objects. */
export const readRelatedTo = (
  connection: Connection,
  workspace: WorkspaceId,
  subjects: Iterable<Subject>,
): Effect.Effect<Related, DatabaseError> => {
  const objects: Array<SubjectKey> = []
  for (const { _tag, key } of subjects) if (_tag === "DataObject") objects.push(key)
  return objects.length === 0
    ? Effect.succeed(noneRelated)
    : Effect.map(connection.queryByIndex(relatedSql, [workspace, int8s(objects)]), relatedIn)
}

/** A leaf with a row in `subjects` is one that no rule has any more. Housekeeping will remove its states. */
const dueSql = `
  SELECT found.workspace, found.subject, found.due FROM heads CROSS JOIN LATERAL (
    SELECT workspace, subject, leaf, due FROM leaf_states
    WHERE leaf_states.workspace = heads.workspace AND due <= $1 ORDER BY due LIMIT $2
  ) AS found
  WHERE heads.rules_version > 0 AND heads.deleted_at IS NULL
    AND NOT EXISTS (SELECT FROM subjects WHERE subjects.workspace = found.workspace AND subjects.key = found.leaf)
  ORDER BY found.due, found.workspace, found.subject LIMIT $2`

const dueOfOneSql = `
  SELECT workspace, subject, due FROM leaf_states
  WHERE workspace = $1 AND due <= $2
    AND NOT EXISTS (SELECT FROM subjects WHERE subjects.workspace = $1 AND subjects.key = leaf_states.leaf)
  ORDER BY due, subject LIMIT $3`

const withRulesSql = `SELECT workspace FROM heads WHERE rules_version > 0 AND deleted_at IS NULL ${inTurn}`

/** Asks `workspacesMax` workspaces after `last`. Of all that they answer, those that have been due longest are kept. */
const dueInTurn = Effect.fnUntraced(function* (
  connection: Connection,
  last: number,
  now: EpochMillis,
  rowsMax: number,
): Effect.fn.Return<{ readonly rows: ReadonlyArray<IndexedRow>; readonly last: number }, DatabaseError> {
  const turn = yield* nextTurn(connection, withRulesSql, last)
  const rows = yield* askInTurn<IndexedRow, ReadonlyArray<IndexedRow>>(
    turn.workspaces,
    [],
    (workspace) => connection.queryByIndex(dueOfOneSql, [workspace, now, rowsMax]),
    (found, more) => (more.length === 0 ? found : [...found, ...more].toSorted(byDue).slice(0, rowsMax)),
    () => false,
    workspacesPerLongTrip,
  )
  return { rows, last: turn.last }
})

const byDue = (a: IndexedRow, b: IndexedRow): number => {
  for (const place of [2, 0, 1]) {
    const difference = integer(a[place]) - integer(b[place])
    if (difference !== 0) return difference
  }
  return 0
}

/**
 * Returns a function that reads people with due leaves, in the order of the times at which they were due. Where tables are
 * distributed, it looks into the next workspaces at each call.
 */
export const makeReadDue = (
  database: Database["Service"],
): ((now: EpochMillis, limit: number) => Effect.Effect<ReadonlyArray<DuePerson>, StoreUnavailable>) => {
  let last = 0
  return (now, limit) =>
    database.read("read due rules", (connection) =>
      Effect.gen(function* () {
        const rowsMax = limit * leavesMax
        if (connection.rowForm === "placed")
          return duePeople(yield* connection.queryByIndex(dueSql, [now, rowsMax]), limit)
        const found = yield* dueInTurn(connection, last, now, rowsMax)
        last = found.last
        return duePeople(found.rows, limit)
      }),
    )
}

/** The number of due leaves that are read for each person. */
const leavesMax = 4
