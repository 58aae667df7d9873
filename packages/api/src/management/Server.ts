import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization, ProblemAnswers } from "./Authorization.ts"
import { StatusDocument } from "./Status.ts"

/** The copies of activity logs in Kafka, as the answering server sees them. */
export const KafkaDocument = Schema.Struct({
  /** Whether this server copies to Kafka. If several servers share a database, only one of them does. */
  sending: Schema.Boolean,
  workspaces: Schema.Int,
  lag_entries: Schema.Int,
  lag_seconds: Schema.Finite,
  /** The latest error of a copy to Kafka that fails, or null if no copy fails. */
  failure: Schema.NullOr(Schema.String),
}).annotate({
  identifier: "Kafka",
  description:
    "the workspaces whose activity is copied to Kafka: how many entries wait, the age of the oldest one, and why sending fails",
})
export type KafkaDocument = typeof KafkaDocument.Type

/** The version of the server and the state of its commit queue. */
export const ServerDocument = Schema.Struct({
  version: Schema.String,
  node_version: Schema.String,
  /** The time that the oldest operation in the commit queue has waited, in milliseconds. Zero if the queue is empty. */
  queue_wait_ms: Schema.Int,
  /** Whether the store could commit the last batch. */
  committing: Schema.Boolean,
  /** Null if `INLET_KAFKA` is not set. */
  kafka: Schema.NullOr(KafkaDocument),
}).annotate({
  identifier: "Server",
  description:
    "the server that answers: its version, the state of its commit queue, and what it sends to Kafka",
})
export type ServerDocument = typeof ServerDocument.Type

export class ServerGroup extends HttpApiGroup.make("server")
  .add(
    HttpApiEndpoint.get("get", "/server", { success: ServerDocument }),
    HttpApiEndpoint.get("status", "/status", { success: StatusDocument }),
  )
  .middleware(ProblemAnswers)
  .middleware(Authorization)
  .annotateMerge(OpenApi.annotations({ title: "Server" })) {}
