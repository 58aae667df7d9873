import type { LookupAddress } from "node:dns"
import {
  Agent as HttpAgent,
  request as requestHttp,
  type IncomingMessage,
  type RequestOptions,
} from "node:http"
import { Agent as HttpsAgent, request as requestHttps } from "node:https"
import type { BlockList, LookupFunction } from "node:net"
import type { AttemptFailure } from "@inlethq/core/webhook/retryWait"
import { Context, Effect, Layer } from "effect"
import { isAllowedAddress } from "../addressRules.ts"
import { makeResolve, timeoutCode, type Resolve } from "./resolveName.ts"
import { literalAddress } from "./targetUrl.ts"
import { sendingTexts } from "./sendingTexts.ts"

/** The milliseconds within which a webhook's receiver must begin its response (contract §17). */
const answerTimeoutMs = 4000

/** The largest number of bytes of a receiver's response body that are recorded with an attempt. */
export const excerptBytesMax = 1000

/**
 * The largest response body of a receiver, in bytes, that is read to its end so that the connection can be used again.
 * After a larger body, the connection is closed.
 */
const drainedBytesMax = 64 * 1024

/** The milliseconds that an unused connection stays open. */
const idleConnectionMs = 5000

/** The largest number of unused connections to one receiver. */
const idleConnectionsMax = 32

/** A request to a receiver. */
export interface OutgoingRequest {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  /** The milliseconds within which the receiver must begin its response. Missing for those of webhooks. */
  readonly timeoutMs?: number
  /** The most bytes of the response that `answer` has. Missing if nobody reads it. */
  readonly answerBytesMax?: number
}

/** The result of a request to the receiver of a webhook. */
export interface SendResult {
  /** The reason why the request failed. It is null if the receiver accepted the request with a 2xx status. */
  readonly failure: AttemptFailure | null
  readonly status: number | null
  readonly excerpt: string | null
  /** The response's body, up to `answerBytesMax` bytes. Missing if nobody reads it, or if there was no response. */
  readonly answer?: string
  /** The wait that the receiver asked for, in milliseconds, or null if it asked for no wait. */
  readonly retryAfterMs: number | null
}

/** The options of a `Sender`. */
export interface SenderOptions {
  /** Subnets that webhooks may reach although they are not public. */
  readonly allowed: BlockList
  readonly resolve?: Resolve
}

/** The error for a host that webhooks must not connect to, or that has no address. `message` gives the reason. */
class RefusedHost extends Error {}

/**
 * Sends requests to receivers. Does not follow redirects, and ignores the proxy settings of the environment. Connects
 * only to allowed addresses. Every connection resolves the host name itself and checks the addresses, so that the name
 * cannot change between the check and the connection.
 */
export class Sender extends Context.Service<
  Sender,
  {
    /** Sends one request. Never fails, because the result contains any error. */
    send(request: OutgoingRequest, now: number): Effect.Effect<SendResult>
    /** Returns the reason why webhooks may not connect to a URL, or null if they may. */
    refusalOf(url: URL): Effect.Effect<string | null>
  }
>()("@inlethq/outbound/sending/Sender") {
  static readonly layerWith = (options: SenderOptions): Layer.Layer<Sender> =>
    Layer.effect(
      this,
      Effect.acquireRelease(
        Effect.sync(() => new Connections(options)),
        (connections) => Effect.sync(() => connections.close()),
      ).pipe(
        Effect.map((connections) => ({
          send: (request: OutgoingRequest, now: number) => exchange(connections, request, now),
          refusalOf: (url: URL) => refusalOf(connections, url),
        })),
      ),
    )
}

/** The open connections of a sender, with the subnets that it may connect to. */
class Connections {
  readonly lookup: LookupFunction
  readonly allowed: BlockList
  private readonly http: HttpAgent
  private readonly https: HttpsAgent
  private readonly resolve: Resolve

  constructor({ allowed, resolve = makeResolve() }: SenderOptions) {
    const agent = { keepAlive: true, maxFreeSockets: idleConnectionsMax, timeout: idleConnectionMs }
    this.allowed = allowed
    this.resolve = resolve
    this.http = new HttpAgent(agent)
    this.https = new HttpsAgent(agent)
    this.lookup = (host, options, done) =>
      this.addressesOf(host, (error, addresses) => {
        const [first] = addresses
        if (error !== null || first === undefined) done(error ?? new RefusedHost(host), "", 0)
        else if (options.all === true) done(null, [...addresses])
        else done(null, first.address, first.family)
      })
  }

  /** Resolves a host name. Fails if one of the addresses is not allowed, because the connection may use any of them. */
  addressesOf(
    host: string,
    done: (error: RefusedHost | null, addresses: ReadonlyArray<LookupAddress>) => void,
  ): void {
    this.resolve(host, (error, addresses) => {
      if (error !== null || addresses.length === 0) {
        const isUnanswered = error?.code === timeoutCode
        const text = isUnanswered ? sendingTexts.nameNotAnswered : sendingTexts.nameNotFound
        return done(new RefusedHost(text({ host })), [])
      }
      const refused = addresses.find(({ address }) => !isAllowedAddress(address, this.allowed))
      if (refused === undefined) return done(null, addresses)
      done(new RefusedHost(sendingTexts.addressRefused({ host, address: refused.address })), [])
    })
  }

  optionsFor(url: URL): RequestOptions {
    return { lookup: this.lookup, agent: url.protocol === "https:" ? this.https : this.http }
  }

  close(): void {
    this.http.destroy()
    this.https.destroy()
  }
}

const refusalOf = (connections: Connections, url: URL): Effect.Effect<string | null> => {
  const literal = refusedLiteral(connections, url)
  if (literal !== null || literalAddress(url) !== null) return Effect.succeed(literal)
  return Effect.callback<string | null>((resume) => {
    connections.addressesOf(url.hostname, (error) => resume(Effect.succeed(error?.message ?? null)))
  }).pipe(
    Effect.timeoutOrElse({
      duration: answerTimeoutMs,
      orElse: () => Effect.succeed(sendingTexts.nameNotAnswered({ host: url.hostname })),
    }),
  )
}

/**
 * Returns the reason why a URL with an IP address in place of a host name is refused, or null. For such a URL, Node
 * does not call the function `lookup`, which checks all other addresses.
 */
const refusedLiteral = ({ allowed }: Connections, url: URL): string | null => {
  const address = literalAddress(url)
  return address === null || isAllowedAddress(address, allowed)
    ? null
    : sendingTexts.addressRefused({ host: url.hostname, address })
}

const broken = (excerpt: string): SendResult => ({
  failure: { kind: "connection" },
  status: null,
  excerpt,
  retryAfterMs: null,
})

const timedOut = (timeoutMs: number): SendResult => ({
  failure: { kind: "timeout" },
  status: null,
  excerpt: sendingTexts.timedOut({ seconds: timeoutMs / 1000 }),
  retryAfterMs: null,
})

const exchange = (
  connections: Connections,
  request: OutgoingRequest,
  now: number,
): Effect.Effect<SendResult> => {
  const refused = refusedLiteral(connections, request.url)
  if (refused !== null) return Effect.succeed(broken(refused))
  const { answerBytesMax = 0, timeoutMs = answerTimeoutMs } = request
  return answerTo(connections, request, true).pipe(
    Effect.timeoutOrElse({ duration: timeoutMs, orElse: () => Effect.succeed(timedOut(timeoutMs)) }),
    Effect.flatMap((answer) =>
      "failure" in answer ? Effect.succeed(answer) : readAnswer(answer, answerBytesMax, now),
    ),
  )
}

/** Sends a request and waits for the status and the headers of the response. */
const answerTo = (
  connections: Connections,
  request: OutgoingRequest,
  mayRepeat: boolean,
): Effect.Effect<IncomingMessage | SendResult> =>
  Effect.callback<IncomingMessage | SendResult>((resume) => {
    const { body, headers, url } = request
    const start = url.protocol === "https:" ? requestHttps : requestHttp
    const options = { ...connections.optionsFor(url), method: "POST", headers: requestHeaders(headers, body) }
    const outgoing = start(url, options)
    outgoing.on("response", (answer) => {
      answer.on("error", ignoreError)
      resume(Effect.succeed(answer))
    })
    outgoing.on("error", (error) => {
      // A receiver may close an idle connection just before a request reuses it. This is not a failure of the receiver,
      // so a request that fails on a reused connection is sent once more.
      const isStale = outgoing.reusedSocket && mayRepeat && !(error instanceof RefusedHost)
      resume(isStale ? answerTo(connections, request, false) : Effect.succeed(broken(reasonOf(error))))
    })
    outgoing.end(body)
    return Effect.sync(() => outgoing.destroy())
  })

/**
 * Ignores an error while a receiver's response is read. Without a listener, such an error would end the process. Only
 * the status of the response decides whether the attempt succeeded.
 */
const ignoreError = (): void => undefined

const requestHeaders = (headers: Readonly<Record<string, string>>, body: string | Uint8Array) => ({
  "content-type": "application/json",
  "user-agent": "Inlet (compatible with Customer.io)",
  "content-length": Buffer.byteLength(body),
  ...headers,
})

const reasonOf = (error: Error): string =>
  error instanceof RefusedHost ? error.message : sendingTexts.connectionFailed({ reason: error.message })

/**
 * Reads the beginning of a receiver's response body. The status alone decides whether the event was delivered. A slow
 * or broken body only changes the recorded excerpt.
 */
const readAnswer = (
  answer: IncomingMessage,
  answerBytesMax: number,
  now: number,
): Effect.Effect<SendResult> => {
  const status = answer.statusCode ?? 0
  const excerpt = new Excerpt(answerBytesMax)
  return Effect.callback<void>((resume) => {
    const finish = (): void => resume(Effect.void)
    answer.on("data", (chunk: Buffer) => {
      if (!excerpt.add(chunk)) finish()
    })
    answer.on("end", () => {
      excerpt.isComplete = true
      finish()
    })
    answer.on("close", finish)
  }).pipe(
    Effect.timeoutOption(bodyTimeoutMs),
    Effect.andThen(
      Effect.sync(() => {
        if (!excerpt.isComplete) answer.destroy()
        return {
          failure: status >= 200 && status < 300 ? null : { kind: "status" as const, status },
          status,
          excerpt: excerpt.text,
          ...(answerBytesMax > 0 && { answer: excerpt.answer }),
          retryAfterMs: retryAfterMs(answer.headers["retry-after"], now),
        }
      }),
    ),
  )
}

/** The beginning of a receiver's response body. */
class Excerpt {
  /** True if the whole body was read. */
  isComplete = false
  private readonly chunks: Array<Buffer> = []
  private readonly bytesMax: number
  private bytes = 0

  /** Keeps this many bytes of the body for `answer`, and those of the excerpt. */
  constructor(bytesMax: number) {
    this.bytesMax = bytesMax
  }

  /**
   * Adds a part of the body. Returns false if the body is longer than `drainedBytesMax`, so that the rest is not read.
   */
  add(chunk: Buffer): boolean {
    if (this.bytes < Math.max(excerptBytesMax, this.bytesMax)) this.chunks.push(chunk)
    this.bytes += chunk.length
    return this.bytes <= drainedBytesMax
  }

  get answer(): string {
    return Buffer.concat(this.chunks).subarray(0, this.bytesMax).toString("utf8")
  }

  get text(): string | null {
    if (this.bytes === 0) return null
    return Buffer.concat(this.chunks).subarray(0, excerptBytesMax).toString("utf8")
  }
}

/** The milliseconds that the response body may take to arrive after the status. */
const bodyTimeoutMs = 1000

/**
 * Returns the wait, in milliseconds, that a `Retry-After` header asks for with a number of seconds or a date. Returns
 * null for any other value.
 */
const retryAfterMs = (header: string | undefined, now: number): number | null => {
  if (header === undefined) return null
  if (/^\d+$/.test(header)) return Number(header) * 1000
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}
