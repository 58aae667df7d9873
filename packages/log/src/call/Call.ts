import type { Json, JsonObject } from "@inlethq/core/values/Json"

/** The APIs that a call can be sent to. */
export type CallProtocol = "track-v1" | "track-v2" | "pipelines" | "management"

/** One request to an API, without credentials. */
export interface Call {
  readonly protocol: CallProtocol
  readonly method: "POST" | "PUT" | "DELETE" | "PATCH"
  /** The path as it is sent, with its query. */
  readonly path: string
  /** Null if the request has none. */
  readonly body: Json
}

export const post = (protocol: CallProtocol, path: string, body: JsonObject): Call => ({
  protocol,
  method: "POST",
  path,
  body,
})

/** A text as a segment of a path. The apostrophe is escaped too, so that a shell can quote the path. */
export const segmentOf = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replaceAll("'", "%27")
