import { Deferred } from "./Deferred.ts"
import type { QueuedCall } from "./QueuedCall.ts"

/** A limit in calls and in bytes. Whichever is reached first applies. */
export interface Size {
  readonly calls: number
  readonly bytes: number
}

/** The bytes that a call adds to a batch besides its JSON: the comma after it. */
const separatorBytes = 1

/** A bounded queue of calls. It asks producers to pause from half its capacity on, and is full at its capacity. */
export class CallBuffer {
  readonly #max: Size
  #calls: Array<QueuedCall> = []
  /** The position of the first call in `#calls`. Earlier positions were taken. */
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

  /** Returns a promise for room for more calls, or undefined if there is room now. */
  room(): Promise<void> | undefined {
    if (this.#hasRoom()) return undefined
    this.#room ??= new Deferred()
    return this.#room.promise
  }

  /** Returns whether the waiting calls fill a batch. */
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

  /** Drops the taken calls once they are the larger part, so that taking costs constant time on average. */
  #forgetTaken(): void {
    if (this.#start * 2 < this.#calls.length) return
    this.#calls = this.#calls.slice(this.#start)
    this.#start = 0
  }
}
