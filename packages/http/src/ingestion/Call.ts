import type { Effect } from "effect"
import type { ActivityKind } from "@inlethq/core/log/ActivityEntry"
import type { Catalog } from "@inlethq/core/catalog/Catalog"
import type { Ingest } from "@inlethq/engine/commits/Ingest"
import type { Registry } from "@inlethq/core/ports/Registry"
import type { Client } from "@inlethq/wire/decoding/Receipt"
import type { IncomingMessage } from "node:http"
import type { Authenticator } from "../credentials/Authenticator.ts"
import type { HttpSettings } from "../HttpSettings.ts"
import type { Admission } from "./Admission.ts"
import type { Answer } from "./Answer.ts"
import type { ArrivingBodies } from "./Body.ts"
import type { ForwardLimit } from "./forward.ts"
import type { Senders } from "../credentials/Senders.ts"
import type { BrowserLibrary } from "./snippetFiles.ts"
import type { UnsubscribeMeter } from "./UnsubscribeMeter.ts"

/** A request and the path parameters of its route. */
export interface Call {
  readonly request: IncomingMessage
  readonly client: Client
  /** The method and the path of the route, with its parameters by name. */
  readonly route: string
  /** The decoded path parameters, in the order of the route. */
  readonly parameters: ReadonlyArray<string>
  readonly query: string
}

/** The services that endpoints require. */
export type Services =
  | Ingest
  | Authenticator
  | Admission
  | HttpSettings
  | Catalog
  | Registry
  | ArrivingBodies
  | ForwardLimit
  | BrowserLibrary
  | UnsubscribeMeter
  | Senders

/**
 * Handles a call and returns the response. An endpoint never fails, because it turns errors into responses in the
 * format of its protocol.
 */
export type Endpoint = (call: Call) => Effect.Effect<Answer, never, Services>

/**
 * The kind of operation to record for a call that cannot be decoded, or null if only the body says which kind it is.
 */
export type IntendedKind = ActivityKind | null
