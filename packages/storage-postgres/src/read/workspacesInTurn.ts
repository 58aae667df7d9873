import { integer } from "@inlethq/storage/columns/columns"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"

/** The most workspaces that one search asks where each is asked in a statement of its own. */
export const workspacesMax = 1000

/** The most workspaces that share a round trip. */
const workspacesPerTrip = 50

/** The most workspaces that share a round trip where each may answer with thousands of rows. */
export const workspacesPerLongTrip = 10

/** Ends a statement that lists workspaces: those after `$1` come first, and those before it follow. */
export const inTurn = `ORDER BY workspace <= $1, workspace LIMIT ${workspacesMax}`

/** Workspaces whose turn it is, and where the round stands after them. */
export interface Turn {
  readonly workspaces: ReadonlyArray<number>
  /** The last of them, after which the next turn begins. */
  readonly last: number
  /** Whether no workspace is left before the round begins again. */
  readonly endsRound: boolean
}

/** Reads whose turn it is after `last` with a statement that ends with `inTurn`. */
export const nextTurn = (
  connection: Pick<Connection, "query">,
  sql: string,
  last: number,
): Effect.Effect<Turn, DatabaseError> =>
  Effect.map(connection.query(sql, [last]), (rows) => {
    const workspaces = rows.map((row) => integer(row["workspace"]))
    const end = workspaces.at(-1) ?? 0
    return { workspaces, last: end, endsRound: workspaces.length < workspacesMax || end <= last }
  })

/**
 * Asks workspaces, some in each round trip, and folds what they answer. Ends early if `isEnough` says so: a statement of
 * distributed tables may not look into several workspaces, so each is asked by itself.
 */
export const askInTurn = Effect.fnUntraced(function* <Row, Found>(
  workspaces: ReadonlyArray<number>,
  start: Found,
  ask: (workspace: number) => Effect.Effect<ReadonlyArray<Row>, DatabaseError>,
  add: (found: Found, rows: ReadonlyArray<Row>) => Found,
  isEnough: (found: Found) => boolean,
  perTrip = workspacesPerTrip,
): Effect.fn.Return<Found, DatabaseError> {
  let found = start
  for (let from = 0; from < workspaces.length && !isEnough(found); from += perTrip) {
    const answers = yield* Effect.forEach(workspaces.slice(from, from + perTrip), ask, {
      concurrency: "unbounded",
    })
    found = add(found, answers.flat())
  }
  return found
})
