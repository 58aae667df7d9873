import type { DatabaseDocument } from "@inlet/api/management/Server"
import type { DatabaseState } from "@inlet/core/ports/DatabaseStatus"
import type { StoreUnavailable } from "@inlet/core/ports/Store"
import { Effect } from "effect"

/**
 * Returns the state of the database on the wire, or null if the store uses no database server, or if the server does
 * not answer.
 */
export const databaseDocument = (
  status: Effect.Effect<DatabaseState, StoreUnavailable> | null,
): Effect.Effect<DatabaseDocument | null> =>
  status === null
    ? Effect.succeed(null)
    : Effect.map(status, documentOf).pipe(Effect.catchTag("StoreUnavailable", () => Effect.succeed(null)))

const documentOf = (state: DatabaseState): DatabaseDocument => ({
  version: state.version,
  format: state.format,
  synchronous_commit: state.synchronousCommit,
  synchronous_standby_names: state.synchronousStandbyNames,
  standbys: state.standbys.map(({ bytesBehind, isSynchronous, name, state: stage }) => ({
    name,
    state: stage,
    synchronous: isSynchronous,
    bytes_behind: bytesBehind,
  })),
  connections: state.connections,
  connections_max: state.connectionsMax,
  clock_ahead_ms: state.clockAheadMs,
})
