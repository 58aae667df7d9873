import { Deferred } from "./Deferred.ts"
import type { QueuedCall } from "./QueuedCall.ts"

/** A number of calls and a number of bytes. A limit is reached as soon as one of the two numbers is reached. */
export interface Size {
  readonly calls: number
  readonly bytes: number
}

/** The length of the comma that follows the JSON of each call in a batch. */
const separatorBytes = 1

/** A bounded queue of calls. Programs should pause while the queue has no room. A full queue accepts no calls. */
export class CallBuffer {
  readonly #max: Size
  readonly #pause: Size
  #calls: Array<QueuedCall | undefined> = []
  /**
   * The index of the first waiting call in `#calls`. The elements before this index are undefined, so that the garbage
   * collector can free the calls that were removed.
   */
  #start = 0
  #bytes = 0
  #room: Deferred | undefined

  /**
   * At the size `pause`, the buffer has no room, and programs should pause. At the size `max`, the buffer is full and
   * accepts no further calls.
   */
  constructor(max: Size, pause: Size) {
    this.#max = max
    this.#pause = pause
  }

  get length(): number {
    return this.#calls.length - this.#start
  }

  get oldest(): QueuedCall | undefined {
    return this.#calls[this.#start]
  }

  /** The waiting calls, oldest first. */
  get calls(): ReadonlyArray<QueuedCall> {
    return this.#calls.filter((call) => call !== undefined)
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
   * Returns undefined if the buffer has room for more calls. Otherwise returns a promise that resolves when the buffer
   * has room.
   */
  room(): Promise<void> | undefined {
    if (this.#hasRoom()) return undefined
    this.#room ??= new Deferred()
    return this.#room.promise
  }

  /** Returns whether the queued calls fill a batch. */
  fills(batch: Size): boolean {
    return this.length >= batch.calls || this.#bytes + this.length * separatorBytes >= batch.bytes
  }

  /** Removes and returns the oldest calls that fit into a batch, at least one. */
  take(batch: Size): Array<QueuedCall> {
    const calls: Array<QueuedCall> = []
    let bytes = 0
    for (let call = this.oldest; call !== undefined; call = this.oldest) {
      const size = call.bytes + separatorBytes
      if (calls.length > 0 && (calls.length >= batch.calls || bytes + size > batch.bytes)) break
      bytes += size
      calls.push(call)
      this.#bytes -= call.bytes
      this.#calls[this.#start++] = undefined
    }
    this.#forgetTaken()
    if (this.#room !== undefined && this.#hasRoom()) {
      this.#room.resolve()
      this.#room = undefined
    }
    return calls
  }

  /**
   * An empty buffer always has room. Otherwise `room` could wait forever, because its wait ends only when calls are
   * removed.
   */
  #hasRoom(): boolean {
    return this.length === 0 || (this.length < this.#pause.calls && this.#bytes < this.#pause.bytes)
  }

  /**
   * Removes the undefined elements at the beginning of the array, once they are at least half of the array. Taking a
   * call therefore costs constant time on average.
   */
  #forgetTaken(): void {
    if (this.#start * 2 < this.#calls.length) return
    this.#calls.splice(0, this.#start)
    this.#start = 0
  }
}
