import { because, type Why } from "../texts/because.ts"
import type { OutcomeStatus } from "./Outcome.ts"
import type { Compression } from "./Compression.ts"
import type { QueuedCall, Verdict } from "./QueuedCall.ts"
import { readRetryAfter } from "./retryDelay.ts"

/** The part of `fetch` that the client uses. Rejects if the server does not answer. */
export type Post = (
  url: string,
  request: {
    readonly method: "POST"
    readonly redirect: "manual"
    readonly headers: Readonly<Record<string, string>>
    readonly body: Uint8Array<ArrayBuffer>
    readonly signal: AbortSignal
    readonly keepalive?: boolean
  },
) => Promise<{
  readonly status: number
  readonly headers: HeaderLookup
  readonly text: () => Promise<string>
}>

/** The headers of an answer. `get` returns null if a header is missing. */
export interface HeaderLookup {
  readonly get: (name: string) => string | null
}

/** The server to which batches are sent, and the options of the requests. */
export interface Endpoint {
  readonly url: string
  readonly writeKey: string
  /**
   * True if the write key is sent in the body instead of a header. In browsers, requests then need no CORS preflight.
   */
  readonly keyInBody: boolean
  readonly compression: Compression
  readonly post: Post
}

/** The result of one attempt to send a batch. */
export type Answer =
  /** The server decided on each call of the batch. `verdictOf` returns its decision on the call at an index of the batch. */
  | { readonly _tag: "Settled"; readonly verdictOf: (index: number) => Verdict }
  /** The batch is too large for the server or a proxy. Smaller batches may succeed. */
  | { readonly _tag: "TooLarge"; readonly why: Why }
  /** The server did not accept the batch now. The server may accept the same batch later. */
  | { readonly _tag: "Unavailable"; readonly why: Why; readonly retryAfterMs: number }

/** The number of bytes that a batch has besides its calls and the write key. */
export const envelopeBytes = 64

/** Sends one batch. Never rejects. */
export const post = async (
  endpoint: Endpoint,
  calls: ReadonlyArray<QueuedCall>,
  { keepalive, signal }: { readonly keepalive: boolean; readonly signal: AbortSignal },
): Promise<Answer> => {
  // Browsers and workers reject a `fetch` that is called as a method of another object.
  const { compression, post: request, url } = endpoint
  const body = bodyOf(endpoint, calls)
  try {
    // A page that is being closed has no time for compression, nor for the preflight of a compressed request.
    const compressed = keepalive ? undefined : await compression.compress(body)
    const response = await request(url, {
      method: "POST",
      redirect: "manual",
      headers: { ...headersOf(endpoint), ...(compressed && { "content-encoding": "gzip" }) },
      body: compressed ?? body,
      signal,
      // Some worker runtimes reject the option `keepalive`, even if its value is false.
      ...(keepalive && { keepalive }),
    })
    const text = await response.text()
    if (compressed !== undefined && response.status === unsupportedMediaType) {
      compression.refuse()
      return await post(endpoint, calls, { keepalive, signal })
    }
    return readAnswer(response.status, response.headers, text)
  } catch (error) {
    const why = because("unreachable", { reason: causeOf(error) })
    return { _tag: "Unavailable", why, retryAfterMs: 0 }
  }
}

/** The status with which servers refuse a content encoding (RFC 9110 section 15.5.16). */
const unsupportedMediaType = 415

const headersOf = ({ keyInBody, writeKey }: Endpoint): Record<string, string> =>
  keyInBody
    ? { "content-type": "text/plain" }
    : { "content-type": "application/json", authorization: `Basic ${btoa(`${writeKey}:`)}` }

const encoder = new TextEncoder()
const comma = 0x2c

/**
 * Returns the body of a batch. The server corrects the times of the calls by the difference between `sentAt` and its own
 * clock. Therefore each attempt needs a new `sentAt`.
 */
const bodyOf = (
  { keyInBody, writeKey }: Endpoint,
  calls: ReadonlyArray<QueuedCall>,
): Uint8Array<ArrayBuffer> => {
  const key = keyInBody ? `"writeKey":${JSON.stringify(writeKey)},` : ""
  const head = `{${key}"sentAt":"${new Date().toISOString()}","batch":[`
  // The texts are encoded one by one, because joining them first would copy every batch two more times.
  const body = new Uint8Array(calls.reduce((sum, { bytes }) => sum + bytes + 1, head.length + 1))
  let length = encoder.encodeInto(head, body).written
  for (const { json } of calls) {
    length += encoder.encodeInto(json, body.subarray(length)).written
    body[length++] = comma
  }
  encoder.encodeInto("]}", body.subarray(length - 1))
  return body
}

/**
 * Returns the message of an error. `fetch` only says "fetch failed", so the message of its cause is returned. If a host
 * name has several addresses, Node reports an error without a message, which contains one error for each address. The
 * message of the first of these errors is returned.
 */
const causeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  const inner = error instanceof AggregateError ? error.errors[0] : cause
  return (inner instanceof Error && causeOf(inner)) || error.message || error.name
}

const readAnswer = (status: number, headers: HeaderLookup, text: string): Answer => {
  if (status >= 200 && status < 300) return readSuccess(text)
  const why = because("answered", { status, message: messageIn(text) })
  if (status === 413) return { _tag: "TooLarge", why }
  if (status >= 500 || status === 408 || status === 425 || status === 429) {
    return {
      _tag: "Unavailable",
      why,
      retryAfterMs: readRetryAfter(headers.get("retry-after"), Date.now()),
    }
  }
  if (status === 0 || (status >= 300 && status < 400)) {
    const location = headers.get("location") ?? "another address"
    return same({ status: "rejected", ...because("redirected", { location }) })
  }
  return same({ status: "rejected", ...why })
}

const same = (verdict: Verdict): Answer => ({ _tag: "Settled", verdictOf: () => verdict })

const accepted: Verdict = { status: "accepted" }

const readSuccess = (text: string): Answer => {
  const body = parse(text)
  if (!isObject(body)) {
    return same({ status: "rejected", ...because("notInlet") })
  }
  const outcomes = new Map<unknown, JsonObject>()
  for (const outcome of listIn(body["outcomes"])) outcomes.set(outcome["index"] ?? null, outcome)
  const ofBatch = readOutcome(outcomes.get(null))
  return ofBatch === undefined
    ? { _tag: "Settled", verdictOf: (index) => readOutcome(outcomes.get(index)) ?? accepted }
    : same(ofBatch)
}

const statuses: ReadonlyArray<OutcomeStatus> = [
  "applied",
  "created",
  "pending",
  "partial",
  "duplicate",
  "ignored",
  "dropped",
  "rejected",
]

const readOutcome = (listed: JsonObject | undefined): Verdict | undefined => {
  const status = statuses.find((known) => known === listed?.["outcome"])
  if (listed === undefined || status === undefined) return undefined
  return {
    status,
    code: textOrNull(listed["code"]),
    reason: textOrNull(listed["reason"]),
    rule: textOrNull(listed["rule"]),
    operationId: textOrNull(listed["operation_id"]),
  }
}

/** The largest number of characters that a reason quotes from an answer. */
const quotedMax = 300

/** Returns the message of an error answer of Inlet. For other answers, returns the beginning of the text. */
const messageIn = (text: string): string => {
  const body = parse(text)
  const message = isObject(body) ? textOrNull(body["message"]) : null
  return (message ?? text.trim()).slice(0, quotedMax)
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type JsonObject = Readonly<Record<string, unknown>>

const listIn = (value: unknown): ReadonlyArray<JsonObject> =>
  Array.isArray(value) ? value.filter(isObject) : []

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null)
