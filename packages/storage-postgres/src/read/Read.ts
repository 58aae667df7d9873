import { StoreUnavailable } from "@inlethq/core/ports/Store"
import { Effect, Semaphore } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { Database } from "../engine/Database.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"

/**
 * Runs one slice of a read: a limited number of statements on one snapshot. A read of several slices sees changes that
 * are committed between two slices.
 */
export type Read = <A>(
  slice: (connection: Connection) => Effect.Effect<A, DatabaseError>,
) => Effect.Effect<A, StoreUnavailable>

/** The largest number of slices that run at the same time. The remaining connections are reserved for commits. */
const slicesMax = 4

/** The largest number of slices that may wait for their turn. Further slices are refused. */
const waitingMax = 1000

/**
 * Returns a function that runs the reads of a database. `what` completes the sentence "the store cannot read … now".
 */
export const makeRead = (database: Pick<Database["Service"], "read">): ((what: string) => Read) => {
  const turns = Semaphore.makeUnsafe(slicesMax)
  let waiting = 0
  const refuse = new StoreUnavailable({
    operation: "accept more reads",
    cause: `more than ${waitingMax} reads are waiting`,
  })
  return (what) => (slice) =>
    Effect.suspend(() => {
      if (waiting >= waitingMax) return Effect.fail(refuse)
      waiting++
      return Semaphore.withPermit(turns, database.read(`read ${what}`, slice)).pipe(
        Effect.ensuring(Effect.sync(() => void waiting--)),
      )
    })
}
