import type { BeforeSend } from "./calls/beforeSend.ts"
import type { EventSchemas } from "./calls/events.ts"
import { clientTexts } from "./texts/clientTexts.ts"
import { fillText } from "./texts/fillText.ts"
import type { Outcome } from "./delivery/Outcome.ts"
import type { Spool } from "./spool/Spool.ts"

/** A signal on which a client can send its queued calls. */
export type FlushSignal = "SIGHUP" | "SIGINT" | "SIGQUIT" | "SIGTERM"

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
  /**
   * Default values of the `context` of every call. A field in the `context` of a call replaces the default field of the
   * same name as a whole.
   */
  readonly context?: object
  /**
   * Changes or discards a call before the client checks, queues and sends it. Receives the call with its `messageId`, its
   * `timestamp` and the default `context`. Returns the call to send, or null to discard the call. Return a changed copy,
   * because the objects in the call are those of the program. The `messageId` cannot be changed. A call for which
   * `beforeSend` throws, or returns something else, is `rejected` and not sent.
   */
  readonly beforeSend?: BeforeSend
  /**
   * If true, the client does nothing: it needs no `url` and no `writeKey`, and each call gets the outcome `discarded`.
   * False by default.
   */
  readonly disabled?: boolean
  /**
   * If true, requests of at least 1,024 bytes are compressed with gzip. False by default, because compressing costs more
   * time than it saves on a fast network, and the hosted service does not document that it accepts gzip. If a server
   * answers 415, the client sends the request again, and all further ones, without compression. In a web page, a
   * compressed request needs a CORS preflight. Runtimes without `CompressionStream` send uncompressed requests.
   */
  readonly gzip?: boolean
  /**
   * The signals on which the client sends its queued calls before the process ends, such as `["SIGTERM", "SIGINT"]`. None
   * by default. Calls without an outcome after `signalFlushMs` go to the spool. Without a spool they are lost, with a
   * warning. After that, the process ends as the signal usually ends it. A second signal ends the process at once. If the program has its own
   * handler of a signal, the client only sends its calls, and the handler decides when the process ends. Has no effect in
   * browsers and workers.
   */
  readonly flushOnSignals?: ReadonlyArray<FlushSignal>
  /** The longest time that the client sends calls after a signal, in milliseconds. 5,000 by default. */
  readonly signalFlushMs?: number
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
  /** Receives the outcome of every call. If it throws or its promise rejects, a warning says so. */
  readonly onOutcome?: (outcome: Outcome) => void
  /**
   * Receives warnings as sentences, at most one a minute. There are warnings about calls that are not stored, about
   * retries of batches, and about calls that are lost when the process exits. If `onOutcome` is set, calls that are not
   * stored cause no warning, because `onOutcome` receives their outcomes. Writes to the console by default.
   */
  readonly onWarning?: (warning: string) => void
  /** Keeps a serverless function alive after its response until all calls have outcomes. */
  readonly waitUntil?: (promise: Promise<unknown>) => void
  /** Keeps undelivered calls outside the memory of the process, such as `FileSpool` of `@inlethq/sdk/spool`. */
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
  signalFlushMs: 5000,
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
      throw new RangeError(fillText(clientTexts.numberInvalid, { option: name, min, max: numberMax, value }))
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
  "signalFlushMs",
]

/** Every option. A list of names, because types are gone when a program runs. */
const optionNames: Readonly<Record<keyof InletOptions<unknown>, true>> = {
  url: true,
  writeKey: true,
  events: true,
  context: true,
  beforeSend: true,
  disabled: true,
  gzip: true,
  flushOnSignals: true,
  signalFlushMs: true,
  batchCallsMax: true,
  batchBytesMax: true,
  batchWaitMs: true,
  callBytesMax: true,
  bufferCallsMax: true,
  bufferBytesMax: true,
  concurrency: true,
  requestTimeoutMs: true,
  giveUpMs: true,
  closeMs: true,
  onOutcome: true,
  onWarning: true,
  waitUntil: true,
  spool: true,
  fetch: true,
}

/** Returns the names of options that no client has, such as misspelt ones. */
export const unknownOptions = (options: object): ReadonlyArray<string> =>
  Object.keys(options).filter((name) => !Object.hasOwn(optionNames, name))

/** Returns the signals of the option. Throws a `RangeError` that names an unknown signal. */
export const readSignals = (signals: ReadonlyArray<FlushSignal> = []): ReadonlyArray<FlushSignal> => {
  const unknown = signals.find((signal) => !knownSignals.includes(signal))
  if (unknown === undefined) return signals
  const known = knownSignals.join(", ")
  throw new RangeError(fillText(clientTexts.signalUnknown, { known, signal: unknown }))
}

const knownSignals: ReadonlyArray<FlushSignal> = ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM"]

/** Returns the address to which batches are sent. Throws a `TypeError` if `url` is missing or not an http address. */
export const readUrl = (url: string | URL | undefined): string => {
  const text = String(url ?? environment("INLET_INGESTION_URL") ?? environment("INLET_URL") ?? "")
  if (text === "") throw new TypeError(clientTexts.urlMissing)
  const base = URL.canParse(text) ? new URL(text) : undefined
  if (base === undefined || !/^https?:$/.test(base.protocol)) {
    throw new TypeError(fillText(clientTexts.urlInvalid, { url: text }))
  }
  return `${base.origin}${base.pathname.replace(/\/(v1\/?)?$/, "")}/v1/batch?outcomes=true`
}

/** Returns the write key. Throws a `TypeError` if it is missing or cannot be sent in a header. */
export const readWriteKey = (writeKey: string | undefined): string => {
  const key = writeKey ?? environment("INLET_WRITE_KEY") ?? ""
  if (key === "") throw new TypeError(clientTexts.writeKeyMissing)
  if (!/^[\x21-\x39\x3b-\x7e]+$/.test(key)) {
    throw new TypeError(clientTexts.writeKeyInvalid)
  }
  return key
}

/** The part of Node's `process` that the client reads. Browsers have no `process`. */
declare const process: { readonly env?: Readonly<Record<string, string | undefined>> } | undefined

const environment = (name: string): string | undefined => {
  const value = typeof process === "undefined" ? undefined : process.env?.[name]
  return value === "" ? undefined : value
}
