import { assert } from "@effect/vitest"
import { managementPath } from "@inlethq/contract/values/managementPath"
import { ImportProgress, ImportSummary } from "@inlethq/contract/transfer/Imports"
import { Catalog, noFilter } from "@inlethq/core/catalog/Catalog"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Effect, Schema, type Stream } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { token } from "./managementServer.ts"

interface UploadOptions {
  readonly headers?: Record<string, string>
  /** The largest number of errors that the summary may list. */
  readonly errors?: number
}

/** Returns a request that uploads CSV rows to a workspace. */
export const uploadRequest = (
  workspace: Workspace,
  kind: "people" | "events",
  { errors, headers = {} }: UploadOptions = {},
) =>
  HttpClientRequest.post(`${managementPath}/workspaces/${workspace.id}/imports/${kind}`).pipe(
    HttpClientRequest.bearerToken(token),
    HttpClientRequest.setHeaders(headers),
    HttpClientRequest.setUrlParams(errors === undefined ? {} : { errors: String(errors) }),
  )

const decodeProgress = Schema.decodeUnknownEffect(Schema.fromJsonString(ImportProgress), {
  onExcessProperty: "error",
})
const decodeSummary = Schema.decodeUnknownEffect(Schema.fromJsonString(ImportSummary), {
  onExcessProperty: "error",
})

/** Sends a file, checks the progress lines of the response, and returns its summary. */
export const upload = Effect.fnUntraced(function* (
  workspace: Workspace,
  kind: "people" | "events",
  file: string | Stream.Stream<Uint8Array>,
  options?: UploadOptions,
) {
  const to = uploadRequest(workspace, kind, options)
  const response = yield* HttpClient.execute(
    typeof file === "string"
      ? HttpClientRequest.bodyText(to, file, "text/csv")
      : HttpClientRequest.bodyStream(to, file, { contentType: "text/csv; charset=utf-8" }),
  )
  assert.strictEqual(response.status, 200)
  assert.strictEqual(response.headers["content-type"], "application/x-ndjson")
  const lines = (yield* response.text).trimEnd().split("\n")
  const progress = yield* Effect.forEach(lines.slice(0, -1), (line) => decodeProgress(line))
  assert.isAbove(progress.length, 0)
  for (const [i, { bytes, rows }] of progress.entries()) {
    assert.isAtLeast(rows, progress[i - 1]?.rows ?? 0)
    assert.isAtLeast(bytes, progress[i - 1]?.bytes ?? 0)
  }
  return yield* decodeSummary(lines.at(-1))
})

/** Returns the counts of an import summary. */
export const counts = (rows: number, imported: number, skipped: number, failed: number) => ({
  rows,
  imported,
  skipped,
  failed,
})

/** Returns the activity entries of a workspace. */
export const entries = Effect.fnUntraced(function* (workspace: Workspace) {
  const catalog = yield* Catalog
  const page = yield* catalog.activity(workspace.id, noFilter, { limit: 1000, after: null, order: "asc" })
  return page.items.map(({ entry }) => entry)
})

/** Returns the person with an id, or undefined if no person of the workspace has the id. */
export const personById = Effect.fnUntraced(function* (workspace: Workspace, id: string) {
  const catalog = yield* Catalog
  const found = yield* catalog.personByIdentifier(workspace.id, { kind: "id", value: id })
  return found._tag === "Some" ? found.value.person : undefined
})

/** Returns upload options with an `Idempotency-Key`. */
export const withIdempotencyKey = (key: string) => ({ headers: { "idempotency-key": key } })

/** Returns CSV rows for people with consecutive numbers, without a header. */
export const peopleRows = (from: number, to: number) => {
  let rows = ""
  for (let i = from; i <= to; i++) rows += `p${i},p${i}@example.com,${i}\n`
  return rows
}
