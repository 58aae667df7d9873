import type { DatabaseDocument } from "@inlethq/contract/server/Server"
import type { DatabaseState } from "@inlethq/storage-postgres/nodes/DatabaseStatus"

/** Returns the state of the database server in the format of the management API. */
export const databaseDocument = (state: DatabaseState): DatabaseDocument => ({
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
  connections_needed: state.connectionsNeeded,
  bytes: state.bytes,
  distributed: state.isDistributed,
  names_behind_pooler: state.namesBehindPooler,
  clock_ahead_ms: state.clockAheadMs,
})
