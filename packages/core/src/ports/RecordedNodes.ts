import { Context, type Effect } from "effect"
import type { EpochMillis } from "../values/Timestamp.ts"
import type { StoreUnavailable } from "./Store.ts"

/** A node that shares a database with other nodes. */
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

/** The nodes that share the database. A store that only one process uses does not provide this service. */
export class RecordedNodes extends Context.Service<
  RecordedNodes,
  { readonly list: Effect.Effect<ReadonlyArray<RecordedNode>, StoreUnavailable> }
>()("@inlethq/core/ports/RecordedNodes") {}
