import type { AuditQuery } from "@inlethq/contract/workspaces/Audit"
import { ExportTrailer, type ExportKind } from "@inlethq/contract/transfer/Exports"
import { ImportParams } from "@inlethq/contract/transfer/Imports"
import { managementTexts } from "@inlethq/contract/values/managementTexts"
import { InvalidRequest, Unauthorized } from "@inlethq/contract/access/Problem"
import { Effect, Option, Schema, Stream } from "effect"
import type { HttpClientResponse } from "effect/http"
import { ManagementClient } from "./ManagementClient.ts"

/**
 * The error for an incomplete export. Its last line is missing, or reports that the server could not complete the
 * export.
 */
class ExportInterrupted extends Schema.TaggedError<ExportInterrupted>()("ExportInterrupted", {
  problem: Schema.String,
}) {
  override get message() {
    return managementTexts.exportInterrupted({ problem: this.problem })
  }
}

/** The error for an export that the server refused. */
class ExportRefused extends Schema.TaggedError<ExportRefused>()("ExportRefused", {
  status: Schema.Int,
  detail: Schema.String,
}) {
  override get message() {
    return this.detail
  }
}

export interface ExportOptions {
  readonly kind: ExportKind
  /** The numeric id of the workspace, which the API calls `environment_id`. */
  readonly workspace: number
  /** The earliest receipt time to export, in ISO 8601. Only exports of events and of activity accept it. */
  readonly since?: string | undefined
  /**
   * The receipt time, in ISO 8601, before which entries are exported. Only exports of events and of activity accept it.
   */
  readonly until?: string | undefined
}

/**
 * Exports a workspace as NDJSON. The last line gives the number of lines before it. If that line is missing, the stream
 * fails at its end with `ExportInterrupted`, so that nobody mistakes an incomplete export for a complete one.
 */
export const exportBytes = (options: ExportOptions) => wholeExport(requestExport(options))

/**
 * Exports everything that is stored about one person as NDJSON, as `exportBytes` does a workspace. Each line is a
 * `PersonExportLine`.
 */
export const exportPersonBytes = (options: { readonly workspace: number; readonly svcId: string }) =>
  wholeExport(
    Effect.gen(function* () {
      const { exports } = yield* ManagementClient
      const { w } = yield* Schema.decodeUnknownEffect(ImportParams)({ w: options.workspace })
      return yield* exports.person({ params: { w, svc_id: options.svcId }, responseMode: "response-only" })
    }),
  )

/** Exports the audit log as NDJSON, as `exportBytes` does a workspace. */
export const exportAuditBytes = (query: AuditQuery) =>
  wholeExport(
    Effect.flatMap(ManagementClient, ({ audit }) => audit.export({ query, responseMode: "response-only" })),
  )

/** Exports the erasure ledger of the installation as NDJSON, as `exportBytes` does a workspace. */
export const exportLedgerBytes = () =>
  wholeExport(
    Effect.flatMap(ManagementClient, ({ erasures }) => erasures.ledger({ responseMode: "response-only" })),
  )

const wholeExport = <E, R>(request: Effect.Effect<HttpClientResponse.HttpClientResponse, E, R>) =>
  Stream.unwrap(
    Effect.gen(function* () {
      const response = yield* request
      if (response.status !== 200) return yield* refusal(response.status, yield* response.text)
      let tail: Uint8Array = new Uint8Array()
      const bytes = response.stream.pipe(
        Stream.mapError(() => new ExportInterrupted({ problem: managementTexts.connectionClosed() })),
        Stream.map((chunk) => {
          tail = lastBytes(tail, chunk)
          return chunk
        }),
      )
      return Stream.concat(bytes, Stream.fromEffectDrain(Effect.suspend(() => expectEnd(tail))))
    }),
  )

const requestExport = Effect.fnUntraced(function* ({ kind, since, until, workspace }: ExportOptions) {
  const { exports } = yield* ManagementClient
  const params = yield* Schema.decodeUnknownEffect(ImportParams)({ w: workspace })
  const responseMode = "response-only"
  if (kind !== "events" && kind !== "activity") return yield* exports[kind]({ params, responseMode })
  const query = {
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
  }
  return yield* exports[kind]({ params, query, responseMode })
})

/** The largest size of the last line of an export, in bytes. */
const tailBytes = 4096

const lastBytes = (tail: Uint8Array, chunk: Uint8Array): Uint8Array => {
  if (chunk.length >= tailBytes) return chunk.slice(-tailBytes)
  const kept = tail.slice(-(tailBytes - chunk.length))
  const joined = new Uint8Array(kept.length + chunk.length)
  joined.set(kept)
  joined.set(chunk, kept.length)
  return joined
}

const decodeTrailer = Schema.decodeUnknownOption(Schema.fromJsonString(ExportTrailer))

const expectEnd = (tail: Uint8Array): Effect.Effect<void, ExportInterrupted> => {
  const [last = ""] = new TextDecoder().decode(tail).trimEnd().split("\n").slice(-1)
  const trailer = Option.getOrUndefined(decodeTrailer(last))
  if (trailer?.end === true) return Effect.void
  const problem = trailer?.error ?? managementTexts.connectionClosed()
  return Effect.fail(new ExportInterrupted({ problem }))
}

const Problem = Schema.fromJsonString(Schema.Struct({ detail: Schema.String }))

const refusal = Effect.fnUntraced(function* (status: number, text: string) {
  const { detail } = yield* Effect.orElseSucceed(Schema.decodeUnknownEffect(Problem)(text), () => ({
    detail: text.slice(0, 200),
  }))
  if (status === 401) return yield* new Unauthorized({ detail })
  if (status === 400) return yield* new InvalidRequest({ detail })
  return yield* new ExportRefused({ status, detail })
})
