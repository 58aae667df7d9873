import { Calls, type WireCall } from "./calls/Calls.ts"
import type { AnyEvents } from "./calls/events.ts"
import { Client } from "./Client.ts"
import type { InletOptions } from "./InletOptions.ts"
import type { Sending } from "./Sending.ts"

export { isStored } from "./delivery/Outcome.ts"
export type { Outcome, OutcomeStatus } from "./delivery/Outcome.ts"
export type { Sending } from "./Sending.ts"
export type { InletOptions } from "./InletOptions.ts"
export type { WireCall } from "./calls/Calls.ts"
export type { AnyEvents } from "./calls/events.ts"
export type { StandardSchema } from "./calls/StandardSchema.ts"

/**
 * Sends people, events and objects to an Inlet server. Calls return at once and are sent in batches. The client repeats
 * failed requests. The server applies each call only once, however often it is sent, because every call has a
 * `messageId`.
 */
export class Inlet<Events = AnyEvents> extends Calls<Events, Sending> {
  readonly #client: Client

  /** Throws if an option is invalid, or if `url` or `writeKey` is missing. */
  constructor(options: InletOptions<Events> = {}) {
    super()
    this.#client = new Client(options)
  }

  /** The number of calls that have no outcome yet. */
  get pending(): number {
    return this.#client.pending
  }

  /** The number of calls that were not sent because `beforeSend` returned null or the client is disabled. */
  get discarded(): number {
    return this.#client.discarded
  }

  /**
   * Sends all queued calls now. Resolves when all calls that were made before `flush` have outcomes, and keeps the
   * process alive until then. Never rejects.
   */
  flush(): Promise<void> {
    return this.#client.flush()
  }

  /**
   * Sends all queued calls, then stops the client. A call gets the outcome `undelivered` if it has no outcome after
   * `closeMs`, or if it is made after closing. Never rejects.
   */
  close(): Promise<void> {
    return this.#client.close()
  }

  /** Closes the client at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  protected override send(call: WireCall): Sending {
    return this.#client.send(call)
  }
}
