import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Requirement, readsAll } from "../access/Access.ts"
import { ProblemAnswers } from "../access/Authorization.ts"
import { IsoTime } from "../values/IsoTime.ts"
import { ServerHistoryDocument } from "./ServerHistory.ts"
import { StatusDocument } from "./Status.ts"

/** The state of copying activity logs to Kafka, as the server that answers the request sees it. */
export const KafkaDocument = Schema.Struct({
  /** True if this server copies logs to Kafka. If several servers share a database, only one of them copies. */
  sending: Schema.Boolean,
  workspaces: Schema.Int,
  lag_entries: Schema.Int,
  lag_seconds: Schema.Finite,
  /**
   * The error of the last attempt to copy a workspace's log to Kafka. If the last attempts of several workspaces
   * failed, the error of one of them. Null if none failed.
   */
  failure: Schema.NullOr(Schema.String),
}).annotate({
  identifier: "Kafka",
  description:
    "the workspaces with a Kafka topic: how many log entries wait to be copied, the age of the oldest waiting entry, and why sending fails",
})
export type KafkaDocument = typeof KafkaDocument.Type

const StandbyDocument = Schema.Struct({
  name: Schema.String,
  state: Schema.String,
  synchronous: Schema.NullOr(Schema.Boolean),
  bytes_behind: Schema.NullOr(Schema.Int),
}).annotate({
  identifier: "Standby",
  description:
    "a server that replicates the database, and whether commits wait for it. `synchronous` and `bytes_behind` are null if they are unknown, because the user of the database has neither the role `pg_monitor` nor `pg_read_all_stats`",
})

/** The PostgreSQL server that the answering server uses. */
export const DatabaseDocument = Schema.Struct({
  version: Schema.String,
  /** The number of the newest migration that was applied to the database. */
  format: Schema.Int,
  synchronous_commit: Schema.String,
  synchronous_standby_names: Schema.String,
  standbys: Schema.Array(StandbyDocument),
  connections: Schema.Int,
  connections_max: Schema.Int,
  /** The `max_connections` that the running nodes need, if all have the `pool_size` of the answering one. */
  connections_needed: Schema.Int,
  /** The bytes on disk, of all servers if the tables are distributed with Citus. */
  bytes: Schema.Int,
  /** Whether the tables are distributed with Citus. */
  distributed: Schema.Boolean,
  /** Whether statements have names although a pooler stands before the database, as in transaction mode they may not. */
  names_behind_pooler: Schema.Boolean,
  /** The clock of the answering server minus the clock of the database, in milliseconds. */
  clock_ahead_ms: Schema.Int,
}).annotate({
  identifier: "Database",
  description:
    "the PostgreSQL server: its version and settings, its standbys, its connections, and the difference of the clocks",
})
export type DatabaseDocument = typeof DatabaseDocument.Type

const NodeDocument = Schema.Struct({
  id: Schema.String,
  /** The name of the machine or container on which the node runs. */
  host: Schema.String,
  version: Schema.String,
  started_at: IsoTime,
  /** The time since the node last recorded that it runs, by the clock of the database. */
  silent_ms: Schema.Int,
  /** The clock of the node minus the clock of the database, in milliseconds. */
  clock_ahead_ms: Schema.Int,
  /** True for the node that answers the request. */
  answering: Schema.Boolean,
}).annotate({
  identifier: "Node",
  description:
    "a server process. Nodes on PostgreSQL record every 15 seconds that they run. A node that stops removes its record, and the record of a killed node stays for a day",
})
export type NodeDocument = typeof NodeDocument.Type

const ErasingDocument = Schema.Struct({ environment_id: Schema.Int, deleted_at: IsoTime }).annotate({
  identifier: "ErasingWorkspace",
  description: "a deleted workspace whose data are still being erased",
})

const RefusedCallsDocument = Schema.Struct({
  reason: Schema.Literals([
    "unknown_key",
    "rate_limit",
    "too_large",
    "timed_out",
    "malformed",
    "bad_framing",
    "unknown_path",
    "wrong_method",
    // A call of the App API that asked to send a message.
    "sends_messages",
  ]),
  /** Null for addresses that no longer have a count of their own. */
  address: Schema.NullOr(Schema.String),
  /** The site id of an unknown key, or the start of an unknown write key. Null if the call has none, or another reason. */
  key: Schema.NullOr(Schema.String),
  /** The method and the path of the latest call with an unknown key or to send a message, with its parameters by name. */
  route: Schema.NullOr(Schema.String),
  /** The client of the latest call with an unknown key or to send a message. */
  user_agent: Schema.NullOr(Schema.String),
  calls: Schema.Int,
  last_at: IsoTime,
}).annotate({
  identifier: "RefusedCalls",
  description:
    "calls of an address, and with unknown keys of one key, that were refused before a workspace could record them, so that no activity log has an entry of them",
})

/** The space that the store takes, and how fast it grows. */
export const StorageDocument = Schema.Struct({
  /** Null for a store in memory, or if the size could not be read. */
  bytes: Schema.NullOr(Schema.Int),
  /** The free bytes on the disk of the data directory. Null on PostgreSQL, which does not tell them. */
  free_bytes: Schema.NullOr(Schema.Int),
  /** Null during the first ten minutes of the server. */
  bytes_per_day: Schema.NullOr(Schema.Int),
  /** The seconds over which the growth was measured, at most six hours. */
  measured_seconds: Schema.Int,
  /** The days until the disk is full at this rate. Null if it does not grow, or if the rate or the free space is not known. */
  days_left: Schema.NullOr(Schema.Finite),
}).annotate({
  identifier: "Storage",
  description:
    "the size of the store, how fast it grew in the last hours, and the days until its disk is full if it goes on so. What is not known is null: the growth in the first ten minutes of the server, and the free space on PostgreSQL",
})
export type StorageDocument = typeof StorageDocument.Type

/**
 * The server that answers: its versions, its commit queue, its copying to Kafka, its database, and the nodes that share
 * the database.
 */
export const ServerDocument = Schema.Struct({
  version: Schema.String,
  node_version: Schema.String,
  /** The time that the oldest operation in the commit queue has waited, in milliseconds. Zero if the queue is empty. */
  queue_wait_ms: Schema.Int,
  /** True if the store accepts commits: the last commit, or a later check of the store, succeeded. */
  committing: Schema.Boolean,
  /** Null if `INLET_KAFKA` is not set. */
  kafka: Schema.NullOr(KafkaDocument),
  /** Null if the store is not PostgreSQL, or if `unanswered` contains `database`. */
  database: Schema.NullOr(DatabaseDocument),
  /**
   * The nodes that share the database. Contains only the node that answers the request if the store is not PostgreSQL,
   * or if the nodes could not be read. In the second case, the field `unanswered` contains `nodes`.
   */
  nodes: Schema.Array(NodeDocument),
  storage: StorageDocument,
  /** Deleted workspaces whose data are still being erased. Empty if the store is unavailable. */
  erasing_workspaces: Schema.Array(ErasingDocument),
  /** What this node refused since its start before a workspace could record it, the latest first. */
  refused_calls: Schema.Array(RefusedCallsDocument),
  /** The fields of this document that could not be read from PostgreSQL within two seconds. */
  unanswered: Schema.Array(Schema.Literals(["database", "nodes"])),
}).annotate({
  identifier: "Server",
  description:
    "the server that answers: its version, the state of its commit queue, what it sends to Kafka, its database, and the nodes that share the database",
})
export type ServerDocument = typeof ServerDocument.Type

export class ServerGroup extends HttpApiGroup.make("server")
  .add(
    HttpApiEndpoint.get("get", "/server", { success: ServerDocument }).annotate(Requirement, readsAll),
    HttpApiEndpoint.get("history", "/server/history", { success: ServerHistoryDocument }).annotate(
      Requirement,
      readsAll,
    ),
    HttpApiEndpoint.get("status", "/status", { success: StatusDocument }).annotate(Requirement, readsAll),
  )
  .middleware(ProblemAnswers)
  .annotateMerge(OpenApi.annotations({ title: "Server" })) {}
