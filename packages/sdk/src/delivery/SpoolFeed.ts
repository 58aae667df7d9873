import { utf8Bytes } from "../calls/encodeCall.ts"
import type { Spool, StoredCalls } from "../spool/Spool.ts"
import { QueuedCall } from "./QueuedCall.ts"

/** Writes undelivered calls to the spool, and queues the calls of the spool again when the queue is empty. */
export class SpoolFeed {
  readonly #spool: Spool
  /**
   * Queues a call. Returns undefined if the queue has room for another call. Otherwise returns a promise that resolves
   * when the queue has room.
   */
  readonly #queue: (call: QueuedCall) => Promise<void> | undefined
  /** Receives the errors that the spool throws, such as those of a removed directory. */
  readonly #onError: (error: unknown) => void
  #isFeeding = false
  #isStopped = false

  constructor(
    spool: Spool,
    queue: (call: QueuedCall) => Promise<void> | undefined,
    onError: (error: unknown) => void,
  ) {
    this.#spool = spool
    this.#queue = queue
    this.#onError = onError
  }

  /** Writes a call to the spool. Returns false if the call cannot be stored. */
  keep({ json }: QueuedCall): boolean {
    try {
      return json !== "" && this.#spool.keep(json)
    } catch (error) {
      this.#onError(error)
      return false
    }
  }

  /**
   * Queues the calls of the spool until the spool is empty. Waits until the queued calls have outcomes before it queues
   * further calls. Does nothing if `feed` is already running. Ends if the spool fails, and never rejects.
   */
  async feed(): Promise<void> {
    if (this.#isFeeding) return
    this.#isFeeding = true
    try {
      for (let stored = this.#next(); stored !== undefined; stored = this.#next())
        await this.#feedFrom(stored)
    } catch (error) {
      this.#onError(error)
    } finally {
      this.#isFeeding = false
    }
  }

  /** Stops moving calls from the spool into the queue. The next client with the same spool sends the remaining calls. */
  stop(): void {
    this.#isStopped = true
  }

  async #feedFrom(stored: StoredCalls): Promise<void> {
    const calls = stored.calls.map(queuedCall)
    for (const call of calls) {
      if (this.#isStopped) return
      const room = this.#queue(call)
      if (room !== undefined) await room
    }
    await Promise.all(calls.map((call) => call.outcome()))
    // Every call has an outcome, so the stored calls can be removed. A call that could not be delivered has been stored
    // again.
    stored.remove()
  }

  #next(): StoredCalls | undefined {
    return this.#isStopped ? undefined : this.#spool.next()
  }
}

const queuedCall = (json: string): QueuedCall => {
  const { messageId }: { readonly messageId: string } = JSON.parse(json)
  return new QueuedCall(messageId, { _tag: "Encoded", json, bytes: utf8Bytes(json) }, Date.now())
}
