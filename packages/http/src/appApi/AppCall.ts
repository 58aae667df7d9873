import type { Catalog } from "@inlethq/core/catalog/Catalog"
import type { Digest } from "@inlethq/core/ports/Digest"
import type { ExportFiles } from "@inlethq/core/ports/ExportFiles"
import type { Store, StoreUnavailable } from "@inlethq/core/ports/Store"
import type { Json } from "@inlethq/core/values/Json"
import type { AppScope } from "@inlethq/core/workspace/Credentials"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import type { Ingest } from "@inlethq/engine/commits/Ingest"
import type { SubmitError } from "@inlethq/engine/commits/IngestBounds"
import type { ReadTurns } from "@inlethq/engine/reads/ReadTurns"
import { secondMs } from "@inlethq/core/values/Timestamp"
import type { Effect } from "effect"
import type { AppAnswer, AppRefused } from "./AppAnswer.ts"
import type { AppQuery } from "./AppQuery.ts"
import type { ExportChecks } from "./ExportChecks.ts"

/** What calls of the App API read, and where they send the few commands that they have. */
export interface AppServices {
  readonly catalog: Catalog["Service"]
  readonly store: Store["Service"]
  readonly turns: ReadTurns
  readonly ingest: Ingest["Service"]
  readonly exports: ExportFiles["Service"]
  readonly exportChecks: ExportChecks
  readonly digest: Digest["Service"]
}

/** A call of the App API with a valid key. */
export interface AppCall extends AppServices {
  readonly workspace: Workspace
  /** What the path has in place of its parameters, in order. */
  readonly parameters: ReadonlyArray<string>
  readonly query: AppQuery
  /** The address that the client has sent the call to, such as `http://127.0.0.1:8080`. */
  readonly origin: string
  /** The body, or null if there is none. */
  readonly body: Json
}

export type AppEndpoint = (
  call: AppCall,
) => Effect.Effect<AppAnswer, AppRefused | StoreUnavailable | SubmitError>

/** A row of the table of calls. A segment with `:` is one segment of a path, and one with `*` is one or more. */
export interface AppRoute {
  readonly method: "GET" | "POST" | "DELETE"
  readonly path: string
  readonly scope: AppScope
  readonly endpoint: AppEndpoint
}

/**
 * The time after which a scan that has found something answers with what it has, in milliseconds. One that has found
 * nothing goes on until `answerMsMax`.
 */
export const scanMs = 6 * secondMs

/** The time within which a call is answered, in milliseconds. Clients of the hosted service wait for ten seconds. */
export const answerMsMax = 8 * secondMs
