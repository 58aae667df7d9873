import { utf8Bytes } from "../calls/encodeCall.ts"
import type { Spool, StoredCalls } from "../spool/Spool.ts"
import { QueuedCall } from "./QueuedCall.ts"

/** Moves undelivered calls into a spool, and stored calls back into the queue when it is empty. */
export class SpoolFeed {
  readonly #spool: Spool
  /** Queues a call. Returns a promise for room for another, or undefined if there is room now. */
  readonly #queue: (call: QueuedCall) => Promise<void> | undefined
  #isFeeding = false
  #isStopped = false

  constructor(spool: Spool, queue: (call: QueuedCall) => Promise<void> | undefined) {
    this.#spool = spool
    this.#queue = queue
  }

  /** Stores a call. Returns false if it cannot be stored. */
  keep({ json }: QueuedCall): boolean {
    return json !== "" && this.#spool.keep(json)
  }

  /** Queues stored calls until there are none. Does nothing while earlier stored calls have no outcome. */
  async feed(): Promise<void> {
    if (this.#isFeeding) return
    this.#isFeeding = true
    for (let stored = this.#next(); stored !== undefined; stored = this.#next()) await this.#feedFrom(stored)
    this.#isFeeding = false
  }

  /** Leaves the stored calls to the next client. */
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
    // Calls that were given up again are in a newer file by now.
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
