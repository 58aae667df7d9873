import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization, ProblemAnswers } from "./Authorization.ts"

/** The version of the server and the state of its commit queue. */
export const ServerDocument = Schema.Struct({
  version: Schema.String,
  node_version: Schema.String,
  /** The time that the oldest operation in the commit queue has waited, in milliseconds. Zero if the queue is empty. */
  queue_wait_ms: Schema.Int,
  /** Whether the store could commit the last batch. */
  committing: Schema.Boolean,
}).annotate({
  identifier: "Server",
  description: "the server that answers: its version, and the state of its commit queue",
})
export type ServerDocument = typeof ServerDocument.Type

export class ServerGroup extends HttpApiGroup.make("server")
  .add(HttpApiEndpoint.get("get", "/server", { success: ServerDocument }))
  .middleware(ProblemAnswers)
  .middleware(Authorization)
  .annotateMerge(OpenApi.annotations({ title: "Server" })) {}
