import type { WireCall } from "./calls/Calls.ts"
import { encodeCall } from "./calls/encodeCall.ts"
import type { StandardSchema } from "./calls/StandardSchema.ts"
import { nodePost } from "./delivery/nodePost.ts"
import { envelopeBytes } from "./delivery/post.ts"
import { QueuedCall } from "./delivery/QueuedCall.ts"
import { Sender } from "./delivery/Sender.ts"
import { SpoolFeed } from "./delivery/SpoolFeed.ts"
import { readLimits, readUrl, readWriteKey, type InletOptions, type NumericOptions } from "./InletOptions.ts"
import { isPage, onLifecycle } from "./lifecycle.ts"
import { newMessageId } from "./messageId.ts"
import { isStored, type Outcome } from "./Outcome.ts"
import { Sending } from "./Sending.ts"
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
  readonly #limits: NumericOptions
  readonly #schemas: ReadonlyMap<string, StandardSchema>
  readonly #waitUntil: InletOptions<unknown>["waitUntil"]
  readonly #stopListening: () => void
  readonly #feed: SpoolFeed | undefined
  #closing: Promise<void> | undefined

  /** Throws if an option is invalid, or if `url` or `writeKey` is missing. */
  constructor(options: ClientOptions) {
    const { fetch, onOutcome, onWarning, spool, waitUntil } = options
    const limits = readLimits(options)
    const url = readUrl(options.url)
    const writeKey = readWriteKey(options.writeKey)
    const warnings = new Warnings(onWarning)
    this.#limits = limits
    this.#schemas = new Map<string, StandardSchema>(Object.entries(options.events ?? {}))
    this.#waitUntil = waitUntil
    const report = onOutcome ?? ((outcome: Outcome) => warnOfLoss(outcome, warnings))
    this.#sender = new Sender({
      ...limits,
      endpoint: { url, writeKey, keyInBody: isPage, post: fetch ?? nodePost(url) ?? globalThis.fetch },
      batch: { calls: limits.batchCallsMax, bytes: limits.batchBytesMax - envelopeBytes - writeKey.length },
      buffer: { calls: limits.bufferCallsMax, bytes: limits.bufferBytesMax },
      keep: (call) => this.#feed?.keep(call) ?? false,
      onOutcome: (outcome) => {
        report(outcome)
        if (this.pending === 0 && isStored(outcome)) void this.#feed?.feed()
      },
      onRetry: (reason) => warnings.add(`${reason}; the client will retry`),
    })
    this.#stopListening = onLifecycle({
      beforeExit: () => this.#sender.hurry(),
      exit: () => this.#exit(warnings),
      hidden: (isHidden) => this.#sender.leave(isHidden),
    })
    this.#feed =
      spool &&
      new SpoolFeed(spool, (call) => {
        this.#queue(call)
        return this.#sender.room()
      })
    void this.#feed?.feed()
  }

  /** The number of calls that have no outcome yet. */
  get pending(): number {
    return this.#sender.unsettled
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
    const encoded = encodeCall({ ...call, messageId, timestamp }, this.#schemas, this.#limits.callBytesMax)
    const queued = new QueuedCall(messageId, encoded, madeAt)
    if (encoded._tag === "Invalid") {
      this.#sender.settle(queued, { status: "rejected", reason: encoded.reason })
    } else if (this.#closing === undefined) {
      this.#queue(queued)
    } else {
      this.#sender.settle(queued, { status: "undelivered", reason: "the client is closed" })
    }
    return new Sending(queued, this.#room(), this.#sender.pauses)
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
      const reason = "the buffer is full: await each call, or raise bufferCallsMax and bufferBytesMax"
      this.#sender.settle(call, { status: "undelivered", reason })
    } else if (wasIdle) {
      this.#waitUntil?.(this.#sender.idle())
    }
  }

  #exit(warnings: Warnings): void {
    if (this.#feed !== undefined) this.#sender.stop("the process ended before the server answered")
    else if (this.pending > 0) {
      warnings.add(`${this.pending} calls were lost at exit: await flush() or close() before`)
    }
  }

  async #close(): Promise<void> {
    this.#feed?.stop()
    const { closeMs } = this.#limits
    const reason = `the client was closed and the server did not answer within ${closeMs} ms`
    const timer = setTimeout(() => this.#sender.stop(reason), closeMs)
    await this.flush()
    clearTimeout(timer)
    this.#stopListening()
  }
}

const warnOfLoss = (outcome: Outcome, warnings: Warnings): void => {
  if (isStored(outcome)) return
  const { messageId, reason, status } = outcome
  warnings.add(`the call ${messageId} is ${status}: ${reason ?? "no reason is known"}`)
}
