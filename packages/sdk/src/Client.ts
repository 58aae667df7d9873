import type { WireCall } from "./calls/Calls.ts"
import { because, type Why } from "./texts/because.ts"
import { encodeCall, type EncodedCall, type Encoding } from "./calls/encodeCall.ts"
import type { StandardSchema } from "./calls/StandardSchema.ts"
import { clientTexts } from "./texts/clientTexts.ts"
import { Compression } from "./delivery/Compression.ts"
import { Deferred } from "./delivery/Deferred.ts"
import { nodePost } from "./delivery/nodePost.ts"
import { envelopeBytes, type Endpoint } from "./delivery/post.ts"
import { QueuedCall } from "./delivery/QueuedCall.ts"
import { Sender } from "./delivery/Sender.ts"
import { SpoolFeed } from "./delivery/SpoolFeed.ts"
import { fillText } from "./texts/fillText.ts"
import {
  readLimits,
  readSignals,
  readUrl,
  unknownOptions,
  readWriteKey,
  type FlushSignal,
  type InletOptions,
  type NumericOptions,
} from "./InletOptions.ts"
import { isPage, onLifecycle } from "./lifecycle.ts"
import { newMessageId } from "./messageId.ts"
import { isStored, type Outcome } from "./delivery/Outcome.ts"
import { Sending } from "./Sending.ts"
import { onSignals } from "./signals.ts"
import { Warnings } from "./Warnings.ts"

/** The options of a client. The schemas of its events may have any types. */
export type ClientOptions = Omit<InletOptions<unknown>, "events"> & {
  readonly events?: Readonly<Record<string, StandardSchema>>
}

/**
 * Queues calls and sends them. The promise client (`Inlet`) and the Effect client (`EffectInlet`) both use this class.
 */
export class Client {
  readonly #sender: Sender
  readonly #warnings: Warnings
  readonly #limits: NumericOptions
  readonly #encoding: Encoding
  readonly #waitUntil: InletOptions<unknown>["waitUntil"]
  readonly #isDisabled: boolean
  readonly #stopListening: () => void
  readonly #feed: SpoolFeed | undefined
  #closing: Promise<void> | undefined
  #discarded = 0

  /** Throws if an option is invalid, or if `url` or `writeKey` is missing. */
  constructor(options: ClientOptions) {
    const { beforeSend, context, disabled = false, onOutcome, onWarning, waitUntil } = options
    const limits = readLimits(options)
    const signals = readSignals(options.flushOnSignals)
    const endpoint = disabled ? nowhere : readEndpoint(options)
    const spool = disabled ? undefined : options.spool
    const warnings = new Warnings(onWarning)
    const unknown = unknownOptions(options)
    if (unknown.length > 0) {
      warnings.add(fillText(clientTexts.optionsUnknown, { options: unknown.join(", ") }))
    }
    this.#warnings = warnings
    const schemas = new Map<string, StandardSchema>(Object.entries(options.events ?? {}))
    this.#limits = limits
    this.#encoding = { schemas, bytesMax: limits.callBytesMax, context, beforeSend }
    this.#waitUntil = waitUntil
    this.#isDisabled = disabled
    const report = onOutcome ?? ((outcome: Outcome) => warnOfLoss(outcome, warnings))
    this.#sender = new Sender({
      ...limits,
      endpoint,
      batch: {
        calls: limits.batchCallsMax,
        bytes: limits.batchBytesMax - envelopeBytes - endpoint.writeKey.length,
      },
      buffer: { calls: limits.bufferCallsMax, bytes: limits.bufferBytesMax },
      keep: (call) => this.#feed?.keep(call) ?? false,
      onOutcome: (outcome) => {
        this.#guard("onOutcome", () => report(outcome))
        if (this.pending === 0 && isStored(outcome)) void this.#feed?.feed()
      },
      onRetry: (reason) => warnings.add(fillText(clientTexts.willRetry, { reason })),
    })
    this.#stopListening = disabled ? () => {} : this.#listen(signals)
    this.#feed =
      spool &&
      new SpoolFeed(
        spool,
        (call) => {
          this.#queue(call)
          return this.#sender.room()
        },
        (error) => warnings.add(fillText(clientTexts.spoolFailed, { reason: String(error) })),
      )
    void this.#feed?.feed()
  }

  /** The number of calls that have no outcome yet. */
  get pending(): number {
    return this.#sender.unsettled
  }

  /** The number of calls that were not sent because `beforeSend` returned null or the client is disabled. */
  get discarded(): number {
    return this.#discarded
  }

  /**
   * Sends all queued calls now. Resolves when all calls that were made before `flush` have outcomes, and keeps the
   * process alive until then. Never rejects.
   */
  flush(): Promise<void> {
    return this.#sender.flush()
  }

  /**
   * Sends all queued calls, then stops the client. A call gets the outcome `undelivered` if it has no outcome after
   * `closeMs`, or if it is made after closing. Never rejects.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  send(call: WireCall): Sending {
    const madeAt = Date.now()
    const messageId = call.messageId ?? newMessageId(madeAt)
    const timestamp = call.timestamp ?? new Date(madeAt)
    const { signal } = call
    const encoded: EncodedCall = this.#isDisabled
      ? { _tag: "Discarded", why: because("disabled") }
      : signal?.aborted === true
        ? { _tag: "Discarded", why: because("aborted") }
        : encodeCall({ ...call, signal: undefined, messageId, timestamp }, this.#encoding)
    const queued = new QueuedCall(messageId, encoded, madeAt)
    this.#take(queued, encoded)
    if (signal !== undefined && !queued.isSettled) this.#follow(signal, queued)
    return new Sending(queued, this.#room(), this.#sender.pauses)
  }

  /** Discards a call that has no outcome when its signal is aborted. */
  #follow(signal: AbortSignal, call: QueuedCall): void {
    const discard = () => {
      this.#discarded++
      this.#sender.settle(call, { status: "discarded", ...because("aborted") })
    }
    signal.addEventListener("abort", discard, { once: true })
    void call.outcome().then(() => signal.removeEventListener("abort", discard))
  }

  /** Queues a call that can be sent, and settles every other. */
  #take(queued: QueuedCall, encoded: EncodedCall): void {
    switch (encoded._tag) {
      case "Invalid":
        return this.#sender.settle(queued, { status: "rejected", ...encoded.why })
      case "Discarded":
        this.#discarded++
        return this.#sender.settle(queued, { status: "discarded", ...encoded.why })
      case "Encoded":
        if (this.#closing === undefined) return this.#queue(queued)
        return this.#sender.settle(queued, { status: "undelivered", ...because("clientClosed") })
    }
    encoded satisfies never
  }

  /** Listens to the end of the program, until the returned function is called. */
  #listen(signals: ReadonlyArray<FlushSignal>): () => void {
    const stopLifecycle = onLifecycle({
      beforeExit: () => this.#sender.hurry(),
      exit: () => this.#exit(because("endedWithoutAnswer")),
      hidden: (isHidden) => this.#sender.leave(isHidden),
    })
    const { signalFlushMs } = this.#limits
    const stopSignals = onSignals({
      signals,
      flush: () => this.#flushWithin(signalFlushMs),
      end: (signal) => {
        // The process may end with an `exit` event, which would give up the same calls again.
        stopLifecycle()
        this.#exit(because("endedBySignal", { signal, ms: signalFlushMs }))
      },
    })
    return () => {
      stopLifecycle()
      stopSignals()
    }
  }

  /** Sends all calls, and those made meanwhile. Resolves when no call is left, or after `ms` milliseconds. */
  async #flushWithin(ms: number): Promise<void> {
    const over = new AbortController()
    const timer = setTimeout(() => over.abort(), ms)
    const ended = new Deferred()
    over.signal.addEventListener("abort", () => ended.resolve())
    const allSent = async () => {
      while (this.pending > 0 && !over.signal.aborted) await this.flush()
    }
    await Promise.race([allSent(), ended.promise])
    clearTimeout(timer)
    over.abort()
  }

  /**
   * Returns undefined if the buffer has room for more calls. Otherwise returns a promise that resolves when the buffer
   * has room. The process stays alive until then.
   */
  #room(): Promise<void> | undefined {
    const room = this.#sender.room()
    return room === undefined ? undefined : this.#sender.pauses.holdFor(room)
  }

  #queue(call: QueuedCall): void {
    const wasIdle = this.pending === 0
    if (!this.#sender.add(call)) {
      this.#sender.settle(call, { status: "undelivered", ...because("bufferFull") })
    } else if (wasIdle) {
      const idle = this.#sender.idle()
      this.#guard("waitUntil", () => this.#waitUntil?.(idle))
    }
  }

  /** Calls a function of the program. If it throws or its promise rejects, a warning says so, and the client goes on. */
  #guard(option: "onOutcome" | "waitUntil", run: () => unknown): void {
    const warn = (error: unknown) =>
      this.#warnings.add(fillText(clientTexts.functionThrew, { option, reason: String(error) }))
    try {
      const result = run()
      if (result instanceof Promise) result.catch(warn)
    } catch (error) {
      warn(error)
    }
  }

  #exit(why: Why): void {
    if (this.#feed !== undefined) this.#sender.stop(why)
    else if (this.pending > 0) {
      this.#warnings.addLast(fillText(clientTexts.lostAtExit, { calls: this.pending }))
    }
  }

  async #close(): Promise<void> {
    this.#feed?.stop()
    const { closeMs } = this.#limits
    const why = because("closedWithoutAnswer", { ms: closeMs })
    const timer = setTimeout(() => this.#sender.stop(why), closeMs)
    await this.flush()
    clearTimeout(timer)
    this.#stopListening()
  }
}

const warnOfLoss = (outcome: Outcome, warnings: Warnings): void => {
  const { messageId, reason, status } = outcome
  if (isStored(outcome) || status === "discarded") return
  warnings.add(fillText(clientTexts.callLost, { messageId, status, reason: reason ?? "no reason is known" }))
}

/** Throws if `url` or `writeKey` is missing or invalid. */
const readEndpoint = (options: ClientOptions): Endpoint => {
  const url = readUrl(options.url)
  return {
    url,
    writeKey: readWriteKey(options.writeKey),
    keyInBody: isPage,
    compression: new Compression(options.gzip ?? false),
    post: options.fetch ?? nodePost(url) ?? globalThis.fetch,
  }
}

/** The endpoint of a disabled client, which sends no requests. */
const nowhere: Endpoint = {
  url: "",
  writeKey: "",
  keyInBody: false,
  compression: new Compression(false),
  post: () => Promise.reject(new Error(clientTexts.disabled)),
}
