import { Exit } from "effect"
import type { Command } from "@inlethq/core/Command"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import type { StoreUnavailable, WorkspaceDeleted } from "@inlethq/core/ports/Store"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Slices } from "@inlethq/core/Slices"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"

/**
 * A request of one workspace, as bytes. The request is decoded when its commit starts. Until then, the body stays
 * outside the JavaScript heap, which halves the work of the garbage collector.
 */
export interface EncodedRequest<A> {
  readonly workspace: WorkspaceId
  readonly bytes: number
  readonly receivedAt: EpochMillis
  /** Decodes the body. Called at most once. If this function throws, only this request fails. */
  readonly decode: () => DecodedRequest<A>
}

/**
 * The commands decoded from a request. The decoder can also return a `value`, which the caller receives together with
 * the log entries of the commands.
 */
export interface DecodedRequest<A> {
  readonly commands: ReadonlyArray<Command>
  readonly value: A
}

/**
 * The result of a committed request: a log entry for each command, in order, and the value that the decoder returned.
 */
export interface CommittedRequest<A> {
  readonly entries: ReadonlyArray<ActivityEntry>
  readonly value: A
}

/** The commands of one request, which are committed together, and the callback that answers the request. */
export interface PendingRequest {
  readonly commands: ReadonlyArray<Command>
  readonly resume: (
    exit: Exit.Exit<ReadonlyArray<ActivityEntry>, StoreUnavailable | WorkspaceDeleted>,
  ) => void
}

/** A request that waits in the queue. */
export interface QueuedRequest {
  /**
   * The number of commands in the request, which counts towards the limits of the queue. An estimate if the request was
   * not decoded yet.
   */
  readonly size: number
  readonly bytes: number
  readonly receivedAt: EpochMillis
  /**
   * Decodes the request on the first call, and returns the same result on later calls. If the decoder throws, answers
   * the request with the failure and returns null.
   */
  readonly decode: () => PendingRequest | null
}

/** Once a slice has decoded this many commands, it ends after the current request. */
const commandsPerSlice = 500

/**
 * The smallest number of requests in a part, if a long queue is divided into parts for several batches. A commit costs
 * as much as applying about three single events, so smaller batches would spend too much time on commits.
 */
const requestsPerPartMin = 16

/** The requests of one workspace that wait for their commits, oldest first. */
export class Lane {
  readonly workspace: WorkspaceId
  /** The number of batches that have begun and still have requests without an answer. */
  inFlight = 0
  /** Whether a batch of the workspace has begun and is not written yet. */
  isWriting = false
  /** The estimated number of commands in the batch that is being written. */
  writingCommands = 0
  private waiting: Array<QueuedRequest> = []
  private waitingCommands = 0

  constructor(workspace: WorkspaceId) {
    this.workspace = workspace
  }

  get isEmpty(): boolean {
    return this.waiting.length === 0
  }

  /** The receipt time of the oldest waiting request, or null if no request is waiting. */
  get oldestWaitingAt(): EpochMillis | null {
    return this.waiting[0]?.receivedAt ?? null
  }

  add(request: QueuedRequest): void {
    this.waiting.push(request)
    this.waitingCommands += request.size
  }

  /** Returns the estimated number of commands in the next batch. */
  nextCommands(commandsMax: number): number {
    return Math.min(this.waitingCommands, commandsMax)
  }

  /**
   * Removes the oldest requests from the queue and decodes them in slices. Their commands fit into one commit
   * (`commandsMax`), unless a single request has more commands. If the queue is long, removes at most one of `parts`
   * equal parts of the queue. `taken` contains all removed requests, and `decoded` only those that could be decoded.
   */
  *take(
    commandsMax: number,
    parts: number,
  ): Slices<{
    readonly taken: ReadonlyArray<QueuedRequest>
    readonly decoded: ReadonlyArray<PendingRequest>
  }> {
    const requestsMax = Math.max(Math.ceil(this.waiting.length / parts), requestsPerPartMin)
    const decoded: Array<PendingRequest> = []
    let count = 0
    let commands = 0
    let sliceCommands = 0
    for (const request of this.waiting) {
      if (count === requestsMax) break
      const pending = request.decode()
      const size = pending === null ? 0 : pending.commands.length
      if (decoded.length > 0 && commands + size > commandsMax) break
      count++
      commands += size
      if (pending !== null) decoded.push(pending)
      sliceCommands += size
      if (sliceCommands < commandsPerSlice) continue
      sliceCommands = 0
      yield
    }
    const taken = this.waiting.slice(0, count)
    this.waiting = this.waiting.slice(count)
    for (const { size } of taken) this.waitingCommands -= size
    return { taken, decoded }
  }
}

/**
 * Returns a request for the queue. If its decoder throws, which is a bug of the server, only this request fails, and
 * the other requests of the batch are committed.
 */
export const queuedRequest = <A>(
  { bytes, decode, receivedAt }: EncodedRequest<A>,
  size: number,
  resume: (exit: Exit.Exit<CommittedRequest<A>, StoreUnavailable | WorkspaceDeleted>) => void,
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
