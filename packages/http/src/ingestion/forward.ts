import { Context, Effect, Layer, Schema } from "effect"
import { request as requestHttp, type IncomingMessage } from "node:http"
import { request as requestHttps } from "node:https"
import { urlToHttpOptions } from "node:url"
import type { Client } from "@inlethq/wire/decoding/Receipt"
import { passageHeader } from "@inlethq/core/forward/passage"
import type { Answer } from "./Answer.ts"
import type { ArrivingBodies } from "./Body.ts"
import { readRawBody, type RefusedBody } from "./requestBody.ts"

/** The time limit for the response of the node in the other region (US or EU). */
const forwardTimeout = "30 seconds"

/**
 * The largest number of forwarded requests that may wait for a response. The limit is needed because their bodies stay
 * in memory.
 */
const forwardsMax = 256

/**
 * The largest response, in bytes, that is accepted from the node in the other region. A response to a batch can be
 * large, because it lists the errors of every item.
 */
const answerBytesMax = 16 * 1024 * 1024

/** Limits the number of forwarded requests that wait for a response. */
export class ForwardLimit extends Context.Service<
  ForwardLimit,
  {
    /**
     * Counts a forwarded request as waiting and returns true. If too many requests are waiting, counts nothing and
     * returns false.
     */
    begin(): boolean
    end(): void
  }
>()("@inlethq/http/ingestion/forward/ForwardLimit") {
  static readonly layer = Layer.sync(this, () => {
    let waiting = 0
    return {
      begin: () => {
        if (waiting >= forwardsMax) return false
        waiting++
        return true
      },
      end: () => {
        waiting--
      },
    }
  })
}

/**
 * The header that marks a request which a node of the other region has passed on. A node never passes on a marked request, so
 * two peers cannot do so in a loop.
 */
const relayedHeader = "inlet-relayed"

/**
 * The request headers that are forwarded. `Content-Encoding` is left out, because the body is forwarded decompressed.
 */
const forwardedHeaders = [
  "authorization",
  "content-type",
  "origin",
  "user-agent",
  passageHeader,
  "x-retry-count",
  "x-strict-mode",
]

/** The headers of the other node's response that are passed back to the client. */
const returnedHeaders = [
  "inlet-operation-id",
  "retry-after",
  "ratelimit-limit",
  "ratelimit-remaining",
  "ratelimit-reset",
  "ratelimit-policy",
]

/**
 * The error for a request that could not be forwarded, or to which the node of the other region did not respond in
 * time.
 */
class NotForwarded extends Schema.TaggedError<NotForwarded>()("NotForwarded", { reason: Schema.String }) {
  override get message() {
    return this.reason
  }
}

/** The request that is forwarded, and its client. */
interface Forwarded {
  readonly request: IncomingMessage
  readonly client: Client
}

/**
 * Forwards the method, path, credentials and body of a request to the node of the other region, and returns the
 * response of that node (contract §14). Fails if the node cannot be reached or does not respond within 30 seconds.
 */
export const forward = (
  peer: URL,
  call: Forwarded,
  body: Uint8Array | null,
): Effect.Effect<Answer, Error, ForwardLimit> =>
  ForwardLimit.use((limit) => {
    if (call.request.headers[relayedHeader] !== undefined) {
      return new NotForwarded({ reason: "the peer does not serve the region of the workspace" })
    }
    if (!limit.begin()) {
      return new NotForwarded({ reason: "too many requests wait for the other region" })
    }
    return exchange(peer, call, body).pipe(
      Effect.timeout(forwardTimeout),
      Effect.ensuring(Effect.sync(limit.end)),
    )
  })

/**
 * Sends one request to the node of the other region. The raw path is appended as text, because `URL` would normalise
 * `..` and backslashes. The other node learns the client's address from `X-Forwarded-For`, if it trusts this one.
 */
const exchange = (peer: URL, { client, request }: Forwarded, body: Uint8Array | null) =>
  Effect.callback<Answer, NotForwarded>((resume) => {
    const fail = (error: Error) => resume(Effect.fail(new NotForwarded({ reason: error.message })))
    const send = peer.protocol === "https:" ? requestHttps : requestHttp
    const outgoing = send(
      {
        ...urlToHttpOptions(peer),
        method: request.method === "HEAD" ? "GET" : request.method,
        path: peer.pathname.replace(/\/$/, "") + (request.url ?? "/"),
        headers: {
          ...pick(request.headers, forwardedHeaders),
          ...(client.address !== null && { "x-forwarded-for": client.address }),
          [relayedHeader]: "1",
        },
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

/**
 * Reads the body of a request, then forwards the request. A body that cannot be read is refused here, and neither
 * region logs the refusal.
 */
export const forwardWithBody = (
  peer: URL,
  call: Forwarded,
  bytesMax: number,
  refuse: (refused: RefusedBody) => Answer,
): Effect.Effect<Answer, Error, ForwardLimit | ArrivingBodies> =>
  readRawBody(call.request, bytesMax).pipe(
    Effect.matchEffect({
      onFailure: (refused) => Effect.succeed({ ...refuse(refused), close: refused.close }),
      onSuccess: (body) => forward(peer, call, body),
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
