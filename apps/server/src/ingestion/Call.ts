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

/** A request that has found its endpoint. */
export interface Call {
  readonly request: IncomingMessage
  /** The segments of the path that the route leaves open, decoded. */
  readonly parameters: ReadonlyArray<string>
  readonly query: string
}

/** What endpoints are made of. */
export type Services = Ingest | Authenticator | Admission | Settings | Catalog | Registry

/** What answers a call. Endpoints have no errors: each problem has an answer in the protocol's own shape. */
export type Endpoint = (call: Call) => Effect.Effect<Answer, never, Services>

/** The kind of operation that a call was meant to be; null where its body has to tell. */
export type IntendedKind = ActivityKind | null
