import { clientTexts } from "../texts/clientTexts.ts"
import { because, type Why } from "../texts/because.ts"
import { fillText } from "../texts/fillText.ts"
import type { Outcome } from "./Outcome.ts"
import { CallBuffer, type Size } from "./CallBuffer.ts"
import { Pauses } from "./Pauses.ts"
import { post, type Endpoint } from "./post.ts"
import type { QueuedCall, Verdict } from "./QueuedCall.ts"
import { retryDelayMs } from "./retryDelay.ts"

export interface SenderOptions {
  readonly endpoint: Endpoint
  readonly batch: Size
  readonly buffer: Size
  /** The longest time in milliseconds that a call waits for further calls that can share its batch. */
  readonly batchWaitMs: number
  readonly requestTimeoutMs: number
  /** The age, in milliseconds, at which a call that could not be delivered is given up. */
  readonly giveUpMs: number
  /** The largest number of requests in flight at the same time. */
  readonly concurrency: number
  /** Stores an undelivered call in the spool. Returns false if the call could not be stored and is lost. */
  readonly keep: (call: QueuedCall) => boolean
  readonly onOutcome: (outcome: Outcome) => void
  readonly onRetry: (reason: string) => void
}

/** The largest number of bytes of a request that a browser still sends after its page was closed. */
const keepaliveBytesMax = 60_000

/**
 * Returns the fill level of the buffer at which programs must pause: a full batch for each request that may be in
 * flight, and at most half of the buffer's limit. More waiting calls would need more memory and would not be sent
 * earlier.
 */
const pauseOf = ({ batch, buffer, concurrency }: SenderOptions): Size => ({
  calls: Math.min(buffer.calls / 2, batch.calls * concurrency),
  bytes: Math.min(buffer.bytes / 2, batch.bytes * concurrency),
})

/** Sends queued calls in batches, oldest first, and gives each call its outcome. */
export class Sender {
  readonly pauses = new Pauses()
  readonly #options: SenderOptions
  readonly #buffer: CallBuffer
  /** The batches that are being sent. */
  readonly #batches = new Set<ReadonlyArray<QueuedCall>>()
  #unsettled = 0
  readonly #requests = new Set<AbortController>()
  #batch: Size
  #lanes = 0
  #flushes = 0
  #isLeaving = false

  constructor(options: SenderOptions) {
    this.#options = options
    this.#batch = options.batch
    this.#buffer = new CallBuffer(options.buffer, pauseOf(options))
  }

  /** The number of calls without an outcome. */
  get unsettled(): number {
    return this.#unsettled
  }

  /** Queues a call. Returns false if the buffer is full. */
  add(call: QueuedCall): boolean {
    if (!this.#buffer.add(call)) return false
    call.isQueued = true
    this.#unsettled++
    this.#wake()
    return true
  }

  /**
   * Returns undefined if the buffer has room for more calls. Otherwise returns a promise that resolves when the buffer
   * has room.
   */
  room(): Promise<void> | undefined {
    return this.#buffer.room()
  }

  /**
   * Sends all queued calls without waiting for more calls to share their batches. Resolves when all calls that were
   * made before `flush` have outcomes.
   */
  async flush(): Promise<void> {
    this.#flushes++
    this.hurry()
    try {
      await this.pauses.holdFor(this.#present())
    } finally {
      this.#flushes--
    }
  }

  /** Resolves when every call has an outcome. */
  async idle(): Promise<void> {
    while (this.#unsettled > 0) await this.#present()
  }

  /** Sends the queued calls now instead of waiting for more calls. */
  hurry(): void {
    this.pauses.endEarly()
  }

  /**
   * Sets whether the user is leaving the web page. While the user is leaving, requests are so small that the browser
   * sends them even after the page was closed.
   */
  leave(isLeaving: boolean): void {
    this.#isLeaving = isLeaving
    if (isLeaving) this.hurry()
  }

  /** Gives up all calls that have no outcome, and cancels the requests in flight. */
  stop(why: Why): void {
    for (const call of this.#queued()) this.settle(call, { status: "undelivered", ...why })
    for (const request of this.#requests) request.abort(new Error(why.reason ?? ""))
    this.pauses.endAll()
  }

  /** Sets the outcome of a call that has no outcome yet. */
  settle(call: QueuedCall, verdict: Verdict): void {
    if (call.isSettled) return
    if (call.isQueued) this.#unsettled--
    const isKept = verdict.status === "undelivered" && this.#options.keep(call)
    const reason = verdict.reason ?? ""
    const outcome = call.settle(isKept ? { ...verdict, ...because("keptInSpool", { reason }) } : verdict)
    if (outcome !== undefined) this.#options.onOutcome(outcome)
  }

  async #present(): Promise<void> {
    await Promise.all(this.#queued().map((call) => call.outcome()))
  }

  /** Returns the calls that have no outcome. */
  #queued(): ReadonlyArray<QueuedCall> {
    return [...this.#batches, this.#buffer.calls].flat().filter((call) => !call.isSettled)
  }

  /**
   * Starts another sending loop in two cases: no loop runs, or a full batch waits and fewer than `concurrency` loops
   * run.
   */
  #wake(): void {
    if (this.#lanes > 0 && !this.#buffer.fills(this.#batch)) return
    this.hurry()
    if (this.#lanes >= this.#options.concurrency) return
    this.#lanes++
    void this.#run()
  }

  async #run(): Promise<void> {
    try {
      while (this.#buffer.length > 0) {
        await this.#waitForBatch()
        const calls = this.#buffer.take(this.#batchSize()).filter((call) => !call.isSettled)
        this.#batches.add(calls)
        await this.#deliver(calls)
        this.#batches.delete(calls)
        // The garbage collector may move this array to its old generation. If the array still contained the calls, they
        // would stay in memory until the next full collection.
        calls.length = 0
      }
    } finally {
      this.#lanes--
    }
  }

  async #waitForBatch(): Promise<void> {
    // Wait until the current code ends, so that all calls that it makes share the first batch.
    await Promise.resolve()
    const { oldest } = this.#buffer
    if (oldest === undefined || this.#flushes > 0 || this.#isLeaving || this.#buffer.fills(this.#batch))
      return
    const { batchWaitMs } = this.#options
    // If the clock of the machine was set back, the difference would be negative.
    const ageMs = Math.max(0, Date.now() - oldest.madeAt)
    if (ageMs < batchWaitMs) await this.pauses.wait(batchWaitMs - ageMs, true)
  }

  #batchSize(): Size {
    const { bytes, calls } = this.#batch
    return { calls, bytes: this.#isLeaving ? Math.min(bytes, keepaliveBytesMax) : bytes }
  }

  /** Sends calls until each call has an outcome. Sends the calls again after a failure. */
  async #deliver(calls: ReadonlyArray<QueuedCall>): Promise<void> {
    let left = calls
    for (let attempt = 1; left.length > 0; attempt++) {
      for (const call of left) call.attempts++
      const answer = await this.#post(left)
      switch (answer._tag) {
        case "Settled":
          left.forEach((call, index) => this.settle(call, answer.verdictOf(index)))
          return
        case "TooLarge":
          return this.#split(left, answer.why)
        case "Unavailable": {
          const delayMs = retryDelayMs(attempt, answer.retryAfterMs, Math.random())
          left = this.#giveUpLate(left, Date.now() + delayMs, answer.why)
          if (left.length === 0) return
          this.#options.onRetry(answer.why.reason ?? "")
          await this.pauses.wait(delayMs, false)
          left = left.filter((call) => !call.isSettled)
        }
      }
    }
  }

  async #post(calls: ReadonlyArray<QueuedCall>) {
    const { endpoint, requestTimeoutMs } = this.#options
    const request = new AbortController()
    const abort = () => request.abort(new Error(fillText(clientTexts.noAnswer, { ms: requestTimeoutMs })))
    const timer = setTimeout(abort, requestTimeoutMs)
    this.#requests.add(request)
    try {
      return await post(endpoint, calls, { keepalive: this.#isLeaving, signal: request.signal })
    } finally {
      clearTimeout(timer)
      this.#requests.delete(request)
    }
  }

  /**
   * Splits a batch that is too large for the server and sends its two halves. Limits all later batches to the size of a
   * half.
   */
  async #split(calls: ReadonlyArray<QueuedCall>, why: Why): Promise<void> {
    const [only, ...others] = calls
    if (only !== undefined && others.length === 0) return this.settle(only, { status: "rejected", ...why })
    const half = Math.ceil(calls.length / 2)
    const bytes = calls.reduce((sum, call) => sum + call.bytes, 0)
    this.#batch = { calls: this.#batch.calls, bytes: Math.min(this.#batch.bytes, Math.ceil(bytes / 2)) }
    await this.#deliver(calls.slice(0, half))
    await this.#deliver(calls.slice(half).filter((call) => !call.isSettled))
  }

  /** Gives up the calls that will be too old when the next attempt starts. Returns the other calls. */
  #giveUpLate(calls: ReadonlyArray<QueuedCall>, nextAt: number, why: Why): ReadonlyArray<QueuedCall> {
    const { giveUpMs } = this.#options
    return calls.filter((call) => {
      if (nextAt - call.madeAt <= giveUpMs) return !call.isSettled
      const givenUp = because("givenUp", { ms: giveUpMs, reason: why.reason ?? "" })
      this.settle(call, { status: "undelivered", ...givenUp })
      return false
    })
  }
}
