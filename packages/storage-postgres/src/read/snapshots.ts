import { snapshotMsMax, type Snapshots } from "@inlethq/core/catalog/Snapshots"
import type { Digest } from "@inlethq/core/ports/Digest"
import { Effect, Semaphore } from "effect"
import { withAttempts } from "../engine/attempts.ts"
import { nodeWaitLimits } from "../engine/bounds.ts"
import type { Connection } from "../engine/Connection.ts"
import type { Database } from "../engine/Database.ts"
import { makeCatalog, type ReadDatabase } from "./catalog.ts"

/** Opens snapshots. Each snapshot is a read-only transaction at REPEATABLE READ on its own connection. */
export const makeSnapshots = (
  database: Database["Service"],
  digest: Digest["Service"],
): Snapshots["Service"] => ({
  open: () =>
    Effect.map(database.snapshot("open a snapshot", snapshotMsMax), (connection) =>
      makeCatalog(readingOf(connection), digest),
    ),
})

/** A lost connection is not replaced, because a new connection would see a newer snapshot. */
const limits = { ...nodeWaitLimits, attemptsMax: 1 }

/** Returns read methods that share one connection. Their reads run one after the other. */
const readingOf = (connection: Connection): ReadDatabase => {
  const turn = Semaphore.makeUnsafe(1)
  return {
    read: (operation, body) =>
      withAttempts(operation, limits, () => Semaphore.withPermit(turn, body(connection))),
    query: (operation, sql, parameters) =>
      withAttempts(operation, limits, () => Semaphore.withPermit(turn, connection.query(sql, parameters))),
  }
}
