import { createServer, type RequestListener } from "node:http"
import { Effect, Redacted, Result, Stream } from "effect"
import { describe, expect, it } from "vitest"
import { importFile } from "@inlethq/sdk/management/Imports"
import { ManagementClient } from "@inlethq/sdk/management/ManagementClient"

/** Runs a program with a management client. The server answers every request with `answer`. */
const withServer = async <A, E>(
  answer: RequestListener,
  program: Effect.Effect<A, E, ManagementClient>,
): Promise<Result.Result<A, unknown>> => {
  const server = createServer(answer)
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  const layer = ManagementClient.layer({ url: `http://127.0.0.1:${port}`, token: Redacted.make("secret") })
  try {
    return await Effect.runPromise(Effect.result(Effect.provide(program, layer)))
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const listWorkspaces = Effect.flatMap(ManagementClient, (client) => client.workspaces.list({ query: {} }))

describe("the management client", () => {
  it("the management client sends the management token and decodes the answer", async () => {
    const seen: Array<unknown> = []
    const result = await withServer((request, response) => {
      seen.push([request.method, request.url, request.headers.authorization])
      response.setHeader("content-type", "application/json").end('{"items":[],"next":null}')
    }, listWorkspaces)
    expect(result).toEqual(Result.succeed({ items: [], next: null }))
    expect(seen).toEqual([["GET", "/management/v1/workspaces", "Bearer secret"]])
  })

  it("a call of the management client fails if the answer does not match the API's schema", async () => {
    const result = await withServer((_request, response) => {
      response.setHeader("content-type", "application/json").end('{"items":"none"}')
    }, listWorkspaces)
    expect(Result.isFailure(result)).toBe(true)
  })
})

const file = Stream.succeed(new TextEncoder().encode("id\nada\n"))
const progress = '{"rows":1,"imported":0,"skipped":0,"failed":0,"bytes":7}\n'
const summary = '{"rows":1,"imported":1,"skipped":0,"failed":0,"errors":[]}\n'

const answerLines =
  (...lines: ReadonlyArray<string>): RequestListener =>
  (request, response) => {
    request.resume().once("end", () => {
      response.setHeader("content-type", "application/x-ndjson").end(lines.join(""))
    })
  }

describe("importFile", () => {
  it("importFile returns the summary at the end of the answer", async () => {
    const result = await withServer(
      answerLines(progress, summary),
      importFile({ kind: "people", workspace: 1, file }),
    )
    expect(result).toEqual(Result.succeed({ rows: 1, imported: 1, skipped: 0, failed: 0, errors: [] }))
  })

  it("importFile of the SDK fails if the answer ends without a summary", async () => {
    const result = await withServer(answerLines(progress), importFile({ kind: "people", workspace: 1, file }))
    expect(Result.isFailure(result) ? result.failure : result).toMatchObject({ _tag: "ImportInterrupted" })
  })
})
