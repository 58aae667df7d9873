import { Context, type Effect } from "effect"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"

/** A server that replicates the database. */
export interface Standby {
  readonly name: string
  /** The state that PostgreSQL reports for the standby, such as `streaming` or `catchup`. `unknown` if it is hidden. */
  readonly state: string
  /** Whether commits wait for this standby. Null if PostgreSQL hides it from the user of the store. */
  readonly isSynchronous: boolean | null
  /** The bytes of log that the standby has not written to disk yet. Null if PostgreSQL does not report them. */
  readonly bytesBehind: number | null
}

/** The state of a database server, as one node sees it. */
export interface DatabaseState {
  readonly version: string
  /** The number of the newest migration of the tables. */
  readonly format: number
  readonly synchronousCommit: string
  /** The standbys for which commits wait, in the syntax of PostgreSQL. Empty if commits wait for no standby. */
  readonly synchronousStandbyNames: string
  readonly standbys: ReadonlyArray<Standby>
  readonly connections: number
  readonly connectionsMax: number
  /** The `max_connections` that the running nodes need. */
  readonly connectionsNeeded: number
  /** The bytes on disk, of all servers if the tables are distributed. */
  readonly bytes: number
  readonly isDistributed: boolean
  /** Whether statements have names although a pooler stands before the server. */
  readonly namesBehindPooler: boolean
  /** The clock of this process minus the clock of the database, in milliseconds. */
  readonly clockAheadMs: number
}

/** The state of the database server. */
export class DatabaseStatus extends Context.Service<
  DatabaseStatus,
  { readonly state: Effect.Effect<DatabaseState, StoreUnavailable> }
>()("@inlethq/storage-postgres/nodes/DatabaseStatus") {}
