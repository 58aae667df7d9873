import { Effect, Schema } from "effect"
import { request as requestHttp, type IncomingMessage } from "node:http"
import { request as requestHttps } from "node:https"
import { urlToHttpOptions } from "node:url"
import type { Answer } from "./Answer.ts"
import { unrecorded } from "./commit.ts"
import { takeInRaw, type Refused } from "./intake.ts"

/** How long the other region may take for its answer. */
const forwardTimeout = "30 seconds"

/** Requests that wait for the other region at a time: their bodies are held meanwhile. */
const forwardsMax = 256

/** An answer lists what is wrong with each item of a batch. */
const answerBytesMax = 16 * 1024 * 1024

let forwardsUnderWay = 0

/** Marks a request that came by another node, so that nodes which name each other do not pass it on for ever. */
const forwardedHeader = "inlet-forwarded"

/** Headers of a request that go along; a body goes along as it was inflated. */
const forwardedHeaders = ["authorization", "content-type", "user-agent", "x-retry-count", "x-strict-mode"]

/** Headers of an answer that come back. */
const returnedHeaders = [
  "inlet-operation-id",
  "retry-after",
  "ratelimit-limit",
  "ratelimit-remaining",
  "ratelimit-reset",
  "ratelimit-policy",
]

/** Why the other region has no answer to a request. */
class NotForwarded extends Schema.TaggedError<NotForwarded>()("NotForwarded", { reason: Schema.String }) {
  override get message() {
    return this.reason
  }
}

/**
 * Has the node of the other region answer a request: method, path, credentials and body are kept (contract §14). Fails
 * where that node cannot be reached.
 */
export const forward = (
  peer: URL,
  request: IncomingMessage,
  body: Uint8Array | null,
): Effect.Effect<Answer, Error> =>
  Effect.suspend(() => {
    if (request.headers[forwardedHeader] !== undefined) {
      return new NotForwarded({ reason: "the peer does not serve the region of the workspace" })
    }
    if (forwardsUnderWay >= forwardsMax) {
      return new NotForwarded({ reason: "too many requests wait for the other region" })
    }
    forwardsUnderWay++
    return exchange(peer, request, body).pipe(
      Effect.timeout(forwardTimeout),
      Effect.ensuring(Effect.sync(() => forwardsUnderWay--)),
    )
  })

/** One request to the peer. The path goes out as it came in: a URL would take `..` and a backslash for more than they are. */
const exchange = (peer: URL, request: IncomingMessage, body: Uint8Array | null) =>
  Effect.callback<Answer, NotForwarded>((resume) => {
    const fail = (error: Error) => resume(Effect.fail(new NotForwarded({ reason: error.message })))
    const send = peer.protocol === "https:" ? requestHttps : requestHttp
    const outgoing = send(
      {
        ...urlToHttpOptions(peer),
        method: request.method === "HEAD" ? "GET" : request.method,
        path: peer.pathname.replace(/\/$/, "") + (request.url ?? "/"),
        headers: { ...pick(request.headers, forwardedHeaders), [forwardedHeader]: "1" },
      },
      (incoming) => {
        const chunks: Array<Buffer> = []
        let bytes = 0
        incoming.on("data", (chunk: Buffer) => {
          bytes += chunk.length
          chunks.push(chunk)
          if (bytes > answerBytesMax)
            incoming.destroy(new Error("the answer of the other region is too large"))
        })
        incoming.on("error", fail)
        incoming.on("end", () => resume(Effect.succeed(answerOf(incoming, Buffer.concat(chunks)))))
      },
    )
    outgoing.on("error", fail)
    outgoing.end(body ?? undefined)
    return Effect.sync(() => outgoing.destroy())
  })

const answerOf = ({ headers, statusCode }: IncomingMessage, body: Buffer): Answer => ({
  status: statusCode ?? 502,
  body: body.length === 0 ? null : body.toString("utf8"),
  contentType: headers["content-type"] ?? "application/json; charset=utf-8",
  headers: pick(headers, returnedHeaders),
})

/** The same with a body, which is read first; what cannot be taken is refused here, and is recorded nowhere. */
export const forwardWithBody = (
  peer: URL,
  request: IncomingMessage,
  bytesMax: number,
  refuse: (refused: Refused) => Answer,
): ReturnType<typeof forward> =>
  takeInRaw(request, bytesMax).pipe(
    Effect.matchEffect({
      onFailure: (refused) => Effect.succeed(unrecorded({ ...refuse(refused), close: refused.close })),
      onSuccess: (body) => forward(peer, request, body),
    }),
  )

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
