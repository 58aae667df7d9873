import { Deferred } from "./Deferred.ts"
import type { QueuedCall } from "./QueuedCall.ts"

/** A number of calls and a number of bytes. As a limit, the number that is reached first applies. */
export interface Size {
  readonly calls: number
  readonly bytes: number
}

/** Besides its JSON, each call adds a comma to a batch. */
const separatorBytes = 1

/**
 * A bounded queue of calls. Producers should pause when it is at least half full. It accepts no calls when it is full.
 */
export class CallBuffer {
  readonly #max: Size
  #calls: Array<QueuedCall> = []
  /** The index of the first waiting call in `#calls`. The calls before this index have been removed from the queue. */
  #start = 0
  #bytes = 0
  #room: Deferred | undefined

  constructor(max: Size) {
    this.#max = max
  }

  get length(): number {
    return this.#calls.length - this.#start
  }

  get oldest(): QueuedCall | undefined {
    return this.#calls[this.#start]
  }

  /** Adds a call. Returns false if the buffer is full. An empty buffer accepts a call of any size. */
  add(call: QueuedCall): boolean {
    const isFull = this.length >= this.#max.calls || this.#bytes + call.bytes > this.#max.bytes
    if (this.length > 0 && isFull) return false
    this.#calls.push(call)
    this.#bytes += call.bytes
    return true
  }

  /**
   * Returns undefined if the buffer has room for more calls. Otherwise returns a promise that resolves when it has
   * room.
   */
  room(): Promise<void> | undefined {
    if (this.#hasRoom()) return undefined
    this.#room ??= new Deferred()
    return this.#room.promise
  }

  /** Returns whether enough calls wait to fill a batch. */
  fills(batch: Size): boolean {
    return this.length >= batch.calls || this.#bytes + this.length * separatorBytes >= batch.bytes
  }

  /** Removes and returns the oldest calls that fit into a batch, at least one. */
  take(batch: Size): Array<QueuedCall> {
    const from = this.#start
    let bytes = 0
    for (let call = this.oldest; call !== undefined; call = this.oldest) {
      const size = call.bytes + separatorBytes
      const taken = this.#start - from
      if (taken > 0 && (taken >= batch.calls || bytes + size > batch.bytes)) break
      bytes += size
      this.#bytes -= call.bytes
      this.#start++
    }
    const calls = this.#calls.slice(from, this.#start)
    this.#forgetTaken()
    if (this.#room !== undefined && this.#hasRoom()) {
      this.#room.resolve()
      this.#room = undefined
    }
    return calls
  }

  #hasRoom(): boolean {
    return this.length < this.#max.calls / 2 && this.#bytes < this.#max.bytes / 2
  }

  /**
   * Drops the calls that `take` has returned from the array once they fill more than half of it. Taking a call
   * therefore costs constant time on average.
   */
  #forgetTaken(): void {
    if (this.#start * 2 < this.#calls.length) return
    this.#calls = this.#calls.slice(this.#start)
    this.#start = 0
  }
}
