import type { EventSchemas } from "./calls/events.ts"
import type { Outcome } from "./Outcome.ts"
import type { Spool } from "./spool/Spool.ts"

/**
 * Settings of a client. Only `url` and `writeKey` need a value. If one of them is missing, the client reads its value
 * from an environment variable.
 */
export interface InletOptions<Events> {
  /**
   * The base address of the server, such as `https://inlet.example.com`. By default `INLET_INGESTION_URL`, which is set if
   * operators have a separate address, or else `INLET_URL`.
   */
  readonly url?: string | URL
  /** The Pipelines key of the workspace. `INLET_WRITE_KEY` by default. */
  readonly writeKey?: string
  /**
   * A schema for each event. A call with properties that do not match its schema gets the outcome `rejected` and is not
   * sent.
   */
  readonly events?: EventSchemas<Events>
  /** The largest number of calls in one request. 1000 by default. */
  readonly batchCallsMax?: number
  /**
   * The largest number of bytes of one request. 512,000 by default, which is also the limit of the hosted service. A
   * call that is larger is sent alone.
   */
  readonly batchBytesMax?: number
  /**
   * The longest time that a call waits for further calls that can share its request, in milliseconds. 250 by default.
   */
  readonly batchWaitMs?: number
  /** The largest number of bytes of one call. 32,768 by default, which is also the limit of the hosted service. */
  readonly callBytesMax?: number
  /**
   * The largest number of calls that wait to be sent. Further calls get the outcome `undelivered` at once. 10,000 by
   * default.
   */
  readonly bufferCallsMax?: number
  /**
   * The largest number of bytes that wait to be sent. Further calls get the outcome `undelivered` at once. 16 MB by
   * default.
   */
  readonly bufferBytesMax?: number
  /** The largest number of requests in flight at the same time. 1 by default, which keeps all calls in order. */
  readonly concurrency?: number
  /** The longest wait for the answer to one request, in milliseconds. 30,000 by default. */
  readonly requestTimeoutMs?: number
  /**
   * The age, in milliseconds, at which the client gives up a call that could not be delivered. 600,000 (ten minutes) by
   * default.
   */
  readonly giveUpMs?: number
  /** The longest time that `close` waits for outcomes, in milliseconds. 10,000 by default. */
  readonly closeMs?: number
  /** Receives the outcome of every call. */
  readonly onOutcome?: (outcome: Outcome) => void
  /**
   * Receives warnings as sentences, at most one a minute. There are warnings about calls that are not stored, about
   * retries of batches, and about calls that are lost when the process exits. If `onOutcome` is set, calls that are not
   * stored cause no warning, because `onOutcome` receives their outcomes. Writes to the console by default.
   */
  readonly onWarning?: (warning: string) => void
  /** Keeps a serverless function alive after its response until all calls have outcomes. */
  readonly waitUntil?: (promise: Promise<unknown>) => void
  /** Keeps undelivered calls outside the memory of the process, such as `FileSpool` of `@inlet/sdk/spool`. */
  readonly spool?: Spool
  /** The function that sends the requests. The default is Node's HTTP client in Node, and `fetch` in other runtimes. */
  readonly fetch?: typeof globalThis.fetch
}

/** The default values of the options that must have a value. */
const defaultOptions = {
  batchCallsMax: 1000,
  batchBytesMax: 500 * 1024,
  batchWaitMs: 250,
  callBytesMax: 32 * 1024,
  bufferCallsMax: 10_000,
  bufferBytesMax: 16 * 1024 * 1024,
  concurrency: 1,
  requestTimeoutMs: 30_000,
  giveUpMs: 10 * 60_000,
  closeMs: 10_000,
} as const satisfies { readonly [Name in keyof InletOptions<unknown>]?: number }

type NumericOption = keyof typeof defaultOptions

/** The numeric options. Missing options have their default values. */
export type NumericOptions = Readonly<Record<NumericOption, number>>

/** The largest value of a numeric option. JavaScript fires a timer with a longer delay at once. */
const numberMax = 2 ** 31 - 1

/**
 * Returns the numeric options, with default values for missing ones. Throws a `RangeError` that names the option if an
 * option is out of range.
 */
export const readLimits = (options: { readonly [Name in NumericOption]?: number }): NumericOptions => {
  const limits: Record<NumericOption, number> = { ...defaultOptions }
  for (const name of numericOptions) {
    const value = options[name]
    if (value === undefined) continue
    const min = name === "batchWaitMs" ? 0 : 1
    if (!Number.isInteger(value) || value < min || value > numberMax) {
      throw new RangeError(`${name} must be an integer from ${min} to ${numberMax}: ${value}`)
    }
    limits[name] = value
  }
  return limits
}

const numericOptions: ReadonlyArray<NumericOption> = [
  "batchCallsMax",
  "batchBytesMax",
  "batchWaitMs",
  "callBytesMax",
  "bufferCallsMax",
  "bufferBytesMax",
  "concurrency",
  "requestTimeoutMs",
  "giveUpMs",
  "closeMs",
]

/** Returns the address to which batches are sent. Throws a `TypeError` if `url` is missing or not an http address. */
export const readUrl = (url: string | URL | undefined): string => {
  const text = String(url ?? environment("INLET_INGESTION_URL") ?? environment("INLET_URL") ?? "")
  const expected = "an http or https address such as http://127.0.0.1:8080"
  if (text === "") throw new TypeError(`url is missing: set the option or INLET_URL to ${expected}`)
  const base = URL.canParse(text) ? new URL(text) : undefined
  if (base === undefined || !/^https?:$/.test(base.protocol)) {
    throw new TypeError(`url must be ${expected}: ${text}`)
  }
  return `${base.origin}${base.pathname.replace(/\/(v1\/?)?$/, "")}/v1/batch?outcomes=true`
}

/** Returns the write key. Throws a `TypeError` if it is missing or cannot be sent in a header. */
export const readWriteKey = (writeKey: string | undefined): string => {
  const key = writeKey ?? environment("INLET_WRITE_KEY") ?? ""
  if (key === "") {
    throw new TypeError(
      "writeKey is missing: set the option or INLET_WRITE_KEY to a Pipelines key of the workspace",
    )
  }
  if (!/^[\x21-\x39\x3b-\x7e]+$/.test(key)) {
    throw new TypeError("writeKey must be printable ASCII without spaces and colons")
  }
  return key
}

/** The part of Node's `process` that the client reads. Browsers have no `process`. */
declare const process: { readonly env?: Readonly<Record<string, string | undefined>> } | undefined

const environment = (name: string): string | undefined => {
  const value = typeof process === "undefined" ? undefined : process.env?.[name]
  return value === "" ? undefined : value
}
