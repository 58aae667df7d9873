import { Effect } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import type { Fault } from "@inlet/core/Outcome"
import type { IncomingMessage } from "node:http"
import type { Answer } from "./Answer.ts"
import { takeInRaw } from "./intake.ts"
import { originForm } from "./Path.ts"

/** How long the other region may take for its answer. */
const forwardTimeout = "30 seconds"

/** Headers of a request that go along; a body goes along as it was inflated. */
const forwardedHeaders = ["authorization", "content-type", "user-agent", "x-retry-count", "x-strict-mode"]

/** Headers of an answer that come back. */
const returnedHeaders = ["inlet-operation-id", "retry-after"]

/**
 * Has the node of the other region answer a request: method, path, credentials and body are kept (contract §14). Fails
 * where that node cannot be reached.
 */
export const forward = (
  peer: URL,
  request: IncomingMessage,
  body: Uint8Array | null,
): Effect.Effect<Answer, Error, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const url = new URL(originForm(request.url ?? "/"), peer)
    const method = request.method === "HEAD" ? "GET" : request.method
    const made = HttpClientRequest.make(methodOf(method))(url, {
      headers: pick(request.headers, forwardedHeaders),
    })
    const sent =
      body === null || body.length === 0
        ? made
        : HttpClientRequest.bodyUint8Array(made, body, request.headers["content-type"] ?? "application/json")
    const client = yield* HttpClient.HttpClient
    const response = yield* client.execute(sent)
    const text = yield* response.text
    return {
      status: response.status,
      body: text === "" ? null : text,
      contentType: response.headers["content-type"] ?? "application/json; charset=utf-8",
      headers: pick(response.headers, returnedHeaders),
    }
  }).pipe(Effect.timeout(forwardTimeout))

/** The same with a body, which is read first; what cannot be taken is refused here. */
export const forwardWithBody = (
  peer: URL,
  request: IncomingMessage,
  bytesMax: number,
  refuse: (status: number, faults: ReadonlyArray<Fault>) => Answer,
): ReturnType<typeof forward> =>
  takeInRaw(request, bytesMax).pipe(
    Effect.matchEffect({
      onFailure: ({ close, fault, status }) => Effect.succeed({ ...refuse(status, [fault]), close }),
      onSuccess: (body) => forward(peer, request, body),
    }),
  )

const methodOf = (method: string | undefined) => {
  switch (method) {
    case "PUT":
    case "POST":
    case "DELETE":
      return method
    default:
      return "GET"
  }
}

const pick = (
  headers: { readonly [name: string]: string | ReadonlyArray<string> | undefined },
  names: ReadonlyArray<string>,
): { readonly [name: string]: string } =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name]
      return typeof value === "string" ? [[name, value] as const] : []
    }),
  )
