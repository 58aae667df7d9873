import type { Pauses } from "./delivery/Pauses.ts"
import type { QueuedCall } from "./delivery/QueuedCall.ts"
import type { Outcome } from "./delivery/Outcome.ts"

/**
 * A call that was passed to a client. The object is a promise that resolves when the client's buffer has room for more
 * calls. A program that awaits each call therefore slows down to the speed of the server. The promise never rejects.
 */
export class Sending extends Promise<void> {
  /** Makes `then`, `catch` and `finally` return plain promises. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  readonly #call: QueuedCall
  readonly #pauses: Pauses

  constructor(call: QueuedCall, room: Promise<void> | undefined, pauses: Pauses) {
    super((resolve) => resolve(room))
    this.#call = call
    this.#pauses = pauses
  }

  /** The deduplication key of the call. */
  get messageId(): string {
    return this.#call.messageId
  }

  /** Resolves when the call has its final outcome, and keeps the process alive until then. Never rejects. */
  outcome(): Promise<Outcome> {
    return this.#pauses.holdFor(this.#call.outcome())
  }
}
