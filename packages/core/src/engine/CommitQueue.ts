import { Effect, Exit, Latch } from "effect"
import type { ActivityEntry } from "../log/ActivityEntry.ts"
import type { Command } from "../Command.ts"
import { Overloaded, type IngestBounds } from "./IngestBounds.ts"
import type { StoreUnavailable } from "../ports/Store.ts"
import type { EpochMillis } from "../values/Timestamp.ts"

/**
 * A request that is decoded when its commit starts. Until then, its body stays outside the JavaScript heap. Decoding on
 * arrival caused half of the garbage.
 */
export interface EncodedRequest<A> {
  readonly bytes: number
  readonly receivedAt: EpochMillis
  /** Decodes the body. Called at most once. If this function throws, only this request fails. */
  readonly decode: () => DecodedRequest<A>
}

/**
 * The commands decoded from a request. `value` comes from the decoder and is returned to the caller with the result.
 */
export interface DecodedRequest<A> {
  readonly commands: ReadonlyArray<Command>
  readonly value: A
}

/** The log entries of a committed request, one for each command in order, and the decoder's value. */
export interface CommittedRequest<A> {
  readonly entries: ReadonlyArray<ActivityEntry>
  readonly value: A
}

/**
 * The number of commands in an encoded request is not known yet. In the bounds of the queue, the request counts as one
 * command per this many bytes, and as at least one command.
 */
const bytesPerCommand = 256

/** The commands of one request, and the callback that answers the request. The commands are committed together. */
export interface PendingRequest {
  readonly commands: ReadonlyArray<Command>
  readonly resume: (exit: Exit.Exit<ReadonlyArray<ActivityEntry>, StoreUnavailable>) => void
}

/** A request in the queue. */
interface QueuedRequest {
  /** The number of commands that the request counts as. */
  readonly size: number
  readonly bytes: number
  readonly receivedAt: EpochMillis
  /**
   * Decodes the request on the first call. If the decoder throws, answers the request with the failure and returns
   * null.
   */
  readonly decode: () => PendingRequest | null
}

/** The queue between transport and engine, bounded in commands and in bytes. Its consumer takes one batch at a time. */
export class CommitQueue {
  /** A latch that is open while requests are waiting. */
  readonly arrival = Latch.makeUnsafe(false)
  /** A latch that is open while no request is waiting or being committed. */
  readonly idle = Latch.makeUnsafe(true)
  private waiting: Array<QueuedRequest> = []
  private waitingCommands = 0
  private waitingBytes = 0
  private closed = false
  private readonly bounds: IngestBounds

  constructor(bounds: IngestBounds) {
    this.bounds = bounds
  }

  /** Queues commands and waits for their commit. An empty queue also accepts a request that is larger than the bounds. */
  submit(
    commands: ReadonlyArray<Command>,
    bytes: number,
  ): Effect.Effect<ReadonlyArray<ActivityEntry>, Overloaded | StoreUnavailable> {
    const receivedAt = commands[0]?.receivedAt ?? 0
    const decode = () => ({ commands, value: undefined })
    return Effect.map(this.enter({ bytes, receivedAt, decode }, commands.length), ({ entries }) => entries)
  }

  /** Like `submit`, for a request that is decoded when its commit starts. */
  submitEncoded<A>(
    request: EncodedRequest<A>,
  ): Effect.Effect<CommittedRequest<A>, Overloaded | StoreUnavailable> {
    return this.enter(request, Math.max(1, Math.ceil(request.bytes / bytesPerCommand)))
  }

  /**
   * Removes the oldest requests from the queue, as many as one commit allows, and returns them. Leaves `arrival` open
   * if requests remain.
   */
  take(): ReadonlyArray<PendingRequest> {
    const taken: Array<PendingRequest> = []
    let count = 0
    let commands = 0
    for (const waiting of this.waiting) {
      const pending = waiting.decode()
      const size = pending === null ? 0 : pending.commands.length
      if (taken.length > 0 && commands + size > this.bounds.commitCommandsMax) break
      count++
      commands += size
      this.waitingCommands -= waiting.size
      this.waitingBytes -= waiting.bytes
      if (pending !== null) taken.push(pending)
    }
    this.waiting = this.waiting.slice(count)
    if (this.waiting.length === 0) this.arrival.closeUnsafe()
    return taken
  }

  /** Records that the requests of the last `take` were answered. */
  settled(): void {
    if (this.waiting.length === 0) this.idle.openUnsafe()
  }

  /** Refuses requests from now on. */
  close(): void {
    this.closed = true
  }

  get state(): { readonly waitingCommands: number; readonly oldestWaitingAt: EpochMillis | null } {
    return {
      waitingCommands: this.waitingCommands,
      oldestWaitingAt: this.waiting[0]?.receivedAt ?? null,
    }
  }

  private enter<A>(
    request: EncodedRequest<A>,
    size: number,
  ): Effect.Effect<CommittedRequest<A>, Overloaded | StoreUnavailable> {
    return Effect.suspend(() =>
      this.isFull(size, request.bytes)
        ? Effect.fail(new Overloaded())
        : Effect.callback((resume) => this.add(waitingFor(request, size, resume))),
    )
  }

  private isFull(commands: number, bytes: number): boolean {
    if (this.closed) return true
    return (
      this.waiting.length > 0 &&
      (this.waitingCommands + commands > this.bounds.waitingCommandsMax ||
        this.waitingBytes + bytes > this.bounds.waitingBytesMax)
    )
  }

  private add(waiting: QueuedRequest): void {
    this.waiting.push(waiting)
    this.waitingCommands += waiting.size
    this.waitingBytes += waiting.bytes
    this.idle.closeUnsafe()
    this.arrival.openUnsafe()
  }
}

/**
 * A decoder that throws is a bug of the server. Only the request of that decoder fails, and the other requests are
 * committed.
 */
const waitingFor = <A>(
  { bytes, decode, receivedAt }: EncodedRequest<A>,
  size: number,
  resume: (exit: Exit.Exit<CommittedRequest<A>, StoreUnavailable>) => void,
): QueuedRequest => {
  const decodeOnce = (): PendingRequest | null => {
    try {
      const { commands, value } = decode()
      return { commands, resume: (exit) => resume(Exit.map(exit, (entries) => ({ entries, value }))) }
    } catch (defect) {
      resume(Exit.die(defect))
      return null
    }
  }
  let decoded: PendingRequest | null | undefined
  return {
    size,
    bytes,
    receivedAt,
    decode: () => (decoded === undefined ? (decoded = decodeOnce()) : decoded),
  }
}
