import type { Catalog } from "@inlethq/core/catalog/Catalog"
import type { Digest } from "@inlethq/core/ports/Digest"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { ReadTurns } from "@inlethq/engine/reads/ReadTurns"
import { stateCodes } from "@inlethq/storage/columns/codes"
import { integer } from "@inlethq/storage/columns/columns"
import { workspaceId } from "@inlethq/storage/columns/ids"
import { makeCatalog as catalogOver } from "@inlethq/storage/read/catalog"
import type { Reading } from "@inlethq/storage/read/ReadQueries"
import { toStored } from "@inlethq/storage/columns/storedText"
import { Effect } from "effect"
import type { ReadDatabase } from "../engine/Database.ts"
import type { Durability } from "../engine/Durability.ts"
import { sqlWorkspace } from "../engine/rowIds.ts"
import { scanner } from "./LogScan.ts"
import { readQueries } from "./queries.ts"

/** Decides whether reads may run, and when their results may be shown. */
export type ReadGuard = Pick<Durability, "attempt" | "untilDurable">

/** Makes the catalog, the read interface for operators. */
export const makeCatalog = (
  database: ReadDatabase,
  digest: Digest["Service"],
  turns: ReadTurns,
  guard: ReadGuard,
): Catalog["Service"] => {
  const queries = readQueries(database)
  const guarded = guardedReads(database, guard)
  const reading: Reading = (what, body) =>
    guarded(what, (snapshot) =>
      turns.reading((inTurn) => body((slice) => inTurn(snapshot(() => Effect.runSync(slice(queries)))))),
    )
  return catalogOver(reading, digest, {
    openScan: scanner(database, queries, digest),
    workspacesOfDelivery: workspacesOfDelivery(database, guard),
  })
}

/** Runs one slice on one consistent state of the database. */
type OnSnapshot = <A>(slice: () => A) => Effect.Effect<A, StoreUnavailable>

/** Runs reads, and returns what they have read once the commits that they may have seen are durable. */
const guardedReads =
  (database: ReadDatabase, guard: ReadGuard) =>
  <A>(
    what: string,
    run: (snapshot: OnSnapshot) => Effect.Effect<A, StoreUnavailable>,
  ): Effect.Effect<A, StoreUnavailable> =>
    Effect.suspend(() => {
      const operation = `read ${what}`
      let untilDurable: Effect.Effect<void, StoreUnavailable> = Effect.void
      const snapshot: OnSnapshot = (slice) =>
        guard.attempt(operation, () => {
          const answer = database.read(slice)
          untilDurable = guard.untilDurable(operation)
          return answer
        })
      return Effect.tap(run(snapshot), () => untilDurable)
    })

/**
 * Returns the workspaces that have a delivery with the given id. Ingestion calls this function. Therefore it, unlike the
 * reads of operators, does not wait for its turn.
 */
const workspacesOfDelivery = (
  database: ReadDatabase,
  guard: ReadGuard,
): Catalog["Service"]["workspacesOfDelivery"] => {
  const statement = database.prepare(
    `SELECT DISTINCT ${sqlWorkspace("id")} AS workspace FROM subjects WHERE state = ${stateCodes.delivery} AND name = ? ORDER BY workspace`,
  )
  const find = (deliveryId: string): ReadonlyArray<WorkspaceId> =>
    statement.all(toStored(deliveryId)).map((row) => workspaceId(integer(row["workspace"])))
  return (deliveryId) =>
    Effect.flatten(
      guard.attempt("read a delivery", () => {
        const found = find(deliveryId)
        return Effect.as(guard.untilDurable("read a delivery"), found)
      }),
    )
}
