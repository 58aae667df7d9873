import { Context, type Effect } from "effect"
import type { EpochMillis } from "../values/Timestamp.ts"
import type { StoreUnavailable } from "./Store.ts"

/** A node (a server process) that shares a database with other nodes. */
export interface RecordedNode {
  readonly id: string
  /** The name of the machine or container on which the node runs. */
  readonly host: string
  readonly version: string
  readonly startedAt: EpochMillis
  /** The time since the node last recorded that it runs, by the clock of the database. */
  readonly silentMs: number
  /** The clock of the node minus the clock of the database, in milliseconds. */
  readonly clockAheadMs: number
  /** Whether this process is the node. */
  readonly isSelf: boolean
}

/** Reads the nodes that share the database. The default is null, for a store that only one process uses. */
export const RecordedNodes = Context.Reference<Effect.Effect<
  ReadonlyArray<RecordedNode>,
  StoreUnavailable
> | null>("@inlet/core/ports/RecordedNodes", { defaultValue: () => null })
