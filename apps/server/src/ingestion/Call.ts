import type { Effect } from "effect"
import type { ActivityKind } from "@inlet/core/log/ActivityEntry"
import type { Catalog } from "@inlet/core/catalog/Catalog"
import type { Ingest } from "@inlet/core/engine/Ingest"
import type { Registry } from "@inlet/core/ports/Registry"
import type { IncomingMessage } from "node:http"
import type { Authenticator } from "../Authenticator.ts"
import type { Settings } from "../Settings.ts"
import type { Admission } from "./Admission.ts"
import type { Answer } from "./Answer.ts"
import type { ArrivingBodies } from "./Body.ts"
import type { ForwardLimit } from "./forward.ts"
import type { BrowserLibrary } from "./snippetFiles.ts"

/** A request that was matched to an endpoint. */
export interface Call {
  readonly request: IncomingMessage
  /** The decoded values of the route's path parameters, in order. */
  readonly parameters: ReadonlyArray<string>
  readonly query: string
}

/** The services that endpoints require. */
export type Services =
  | Ingest
  | Authenticator
  | Admission
  | Settings
  | Catalog
  | Registry
  | ArrivingBodies
  | ForwardLimit
  | BrowserLibrary

/** Answers a call. Never fails: errors become answers in the format of the protocol. */
export type Endpoint = (call: Call) => Effect.Effect<Answer, never, Services>

/** The kind of operation that a path stands for, or null if the body decides it. Used to log a call that cannot be decoded. */
export type IntendedKind = ActivityKind | null
