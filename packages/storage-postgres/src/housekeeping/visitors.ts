import { visitorRetentionMs } from "@inlet/core/state/Subject"
import type { Visitor } from "@inlet/core/state/Visitor"
import type { Sequence, SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import type { EpochMillis } from "@inlet/core/values/Timestamp"
import { integer } from "@inlet/storage/columns"
import { textsOfVisitor } from "@inlet/storage/erasurePlan"
import { sequenceOf, subjectKey } from "@inlet/storage/ids"
import { sliceBytesMax } from "@inlet/storage/ReadBudget"
import { subjectFromRow } from "@inlet/storage/subjectRows"
import type { SweepBudget } from "@inlet/storage/sweepBudget"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { int8s, texts } from "../engine/parameters.ts"
import { shortened } from "../tables/indexedText.ts"
import { isListed, withPlaces } from "../tables/rowPlaces.ts"
import { subjectColumns } from "../read/subjects.ts"
import { eraseEntries } from "./entries.ts"

/** The largest number of visitors that are read and removed at a time. */
const visitorsMax = 50

const visitorsSql = `
  SELECT * FROM (
    SELECT found.*, coalesce(sum(octet_length(doc)) OVER (
      ORDER BY updated, key ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ), 0) AS bytes_before
    FROM (
      SELECT ${subjectColumns} FROM subjects AS found
      WHERE workspace = $1 AND seen < $2 ORDER BY seen, key LIMIT $3
    ) AS found
  ) AS page
  WHERE bytes_before < ${sliceBytesMax} ORDER BY updated, key`

/**
 * Removes anonymous visitors at the end of their retention, together with their entries. Begins with the visitors that
 * have been inactive longest.
 */
export const removeVisitors = (
  connection: Connection,
  workspace: WorkspaceId,
  now: EpochMillis,
  budget: SweepBudget,
): Effect.Effect<void, DatabaseError> =>
  Effect.gen(function* () {
    while (!budget.isSpent) {
      const count = Math.min(budget.room, visitorsMax)
      const rows = yield* connection.query(visitorsSql, [workspace, now - visitorRetentionMs, count])
      const visitors = rows.flatMap((row) => {
        const subject = subjectFromRow(row)
        return subject._tag === "Visitor" ? [subject] : []
      })
      if (visitors.length === 0) return
      const removable = yield* removeEntries(connection, workspace, visitors, budget)
      yield* removeSubjects(connection, workspace, removable)
      for (const { devices, relationships } of removable) {
        budget.rowsLeft -= 1 + devices.size + relationships.size
      }
    }
  })

/**
 * Selects up to `$3` log entries of the visitors in `$2`, in the order of the visitors. `is_own` is true for entries
 * about the visitor. `is_own` is false for entries about an object that record an effect on the visitor.
 */
const entriesSql = `
  SELECT wanted.key, found.sequence, found.is_own FROM unnest($2::bigint[]) WITH ORDINALITY AS wanted (key, place)
  CROSS JOIN LATERAL (
    (SELECT sequence, true AS is_own FROM activity WHERE workspace = $1 AND subject = wanted.key ORDER BY sequence LIMIT $3)
    UNION ALL
    (SELECT parts.sequence, false FROM entry_parts AS parts
      WHERE parts.workspace = $1 AND parts.subject = wanted.key
        AND NOT EXISTS (SELECT FROM activity WHERE workspace = $1 AND sequence = parts.sequence AND subject = wanted.key)
      ORDER BY parts.sequence LIMIT $3)
  ) AS found
  ORDER BY wanted.place LIMIT $3`

/**
 * Removes the entries of visitors until the budget of the housekeeping step is spent. Returns the visitors that have no
 * entries left.
 */
const removeEntries = (
  connection: Connection,
  workspace: WorkspaceId,
  visitors: ReadonlyArray<Visitor>,
  budget: SweepBudget,
): Effect.Effect<ReadonlyArray<Visitor>, DatabaseError> =>
  Effect.gen(function* () {
    const { room } = budget
    const keys = visitors.map(({ key }) => key)
    const found = yield* connection.queryByIndex(entriesSql, [workspace, int8s(keys), room])
    const removed: Array<Sequence> = []
    const parts: Array<{ readonly sequence: Sequence; readonly subject: SubjectKey }> = []
    for (const [key, position, isOwn] of found) {
      const sequence = sequenceOf(integer(position))
      if (isOwn === true) removed.push(sequence)
      else parts.push({ sequence, subject: subjectKey(integer(key)) })
    }
    yield* eraseEntries(connection, workspace, { removed, parts })
    budget.entries += found.length
    budget.rowsLeft -= found.length
    const last = found.length < room ? undefined : found.at(-1)?.[0]
    const incomplete = visitors.findIndex(({ key }) => key === last)
    return incomplete === -1 ? visitors : visitors.slice(0, incomplete)
  })

/** Deletes visitors, their identifiers and device tokens, and their relationships. */
const removeSubjects = (
  connection: Connection,
  workspace: WorkspaceId,
  visitors: ReadonlyArray<Visitor>,
): Effect.Effect<void, DatabaseError> =>
  Effect.gen(function* () {
    if (visitors.length === 0) return
    const named = visitors.flatMap((visitor) =>
      textsOfVisitor(visitor).map((text) => ({ text: shortened(text), key: visitor.key })),
    )
    const related = visitors.flatMap(({ key, relationships }) =>
      [...relationships.keys()].map((object) => ({ object, key })),
    )
    yield* connection.execute(removeSql, [
      workspace,
      int8s(visitors.map(({ key }) => key)),
      texts(named.map(({ text }) => text)),
      int8s(named.map(({ key }) => key)),
      int8s(related.map(({ object }) => object)),
      int8s(related.map(({ key }) => key)),
    ])
  })

const removeSql = `
  WITH freed AS (
    DELETE FROM identifiers
    WHERE ${isListed("identifiers", "unnest($3::text[], $4::bigint[]) AS wanted (text, key)", 'text = wanted.text COLLATE "C" AND subject = wanted.key')}
  ),
  unlinked AS (
    DELETE FROM links
    WHERE ${isListed("links", "unnest($5::bigint[], $6::bigint[]) AS wanted (object, key)", "target = wanted.object AND subject = wanted.key")}
    RETURNING target
  ),
  resized AS (
    UPDATE sizes SET size = size - places.count
    FROM (${withPlaces("sizes", "(SELECT target, count(*) AS count FROM unlinked GROUP BY target) AS wanted", "subject = wanted.target")}) AS places
    WHERE sizes.ctid = places.place
  ),
  forgotten AS (DELETE FROM leaf_states WHERE workspace = $1 AND subject = ANY($2::bigint[]))
  DELETE FROM subjects WHERE workspace = $1 AND key = ANY($2::bigint[])`
