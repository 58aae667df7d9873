import { Effect, Latch } from "effect"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import type { Command } from "@inlethq/core/Command"
import type { BatchLimits } from "@inlethq/core/ports/Store"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Slices } from "@inlethq/core/Slices"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import { Overloaded, type IngestBounds, type SubmitError } from "./IngestBounds.ts"
import {
  Lane,
  queuedRequest,
  type CommittedRequest,
  type EncodedRequest,
  type PendingRequest,
} from "./Lane.ts"

/**
 * The number of commands in an encoded request is unknown. For the limits of the queue, such a request counts as one
 * command for each `bytesPerCommand` bytes of its body, and as at least one command.
 */
const bytesPerCommand = 256

/**
 * The queue of requests that wait for a commit, with a limit on its commands and its bytes. Each workspace with requests
 * has a lane of its own, and lanes take turns, so that no workspace waits for all requests of another.
 */
export class CommitQueue {
  /** A latch that is open while no request is waiting or being committed. */
  readonly idle = Latch.makeUnsafe(true)
  private readonly lanes = new Map<WorkspaceId, Lane>()
  /**
   * The lanes (queues of single workspaces) that can begin a batch as soon as the store accepts another batch. The lane
   * that is first in this set has the next turn.
   */
  private readonly ready = new Set<Lane>()
  private writing = 0
  private writingCommands = 0
  private inFlight = 0
  private waitingCommands = 0
  private waitingBytes = 0
  /** Whether all further requests are refused. */
  isClosed = false
  private readonly bounds: IngestBounds
  private readonly limits: BatchLimits
  private readonly begin: (lane: Lane) => void

  /**
   * `begin` starts a batch with the waiting requests of one workspace. The caller of the constructor must later call
   * `take`, `written` and `settled` for the batch, once each and in this order.
   */
  constructor(bounds: IngestBounds, limits: BatchLimits, begin: (lane: Lane) => void) {
    this.bounds = bounds
    this.limits = limits
    this.begin = begin
  }

  /**
   * Queues the commands of a request by workspace, and waits for all their commits. Returns the entries in the order of
   * the commands. A request is queued or refused as a whole, and an empty queue accepts one of any size.
   */
  submit(
    commands: ReadonlyArray<Command>,
    bytes: number,
  ): Effect.Effect<ReadonlyArray<ActivityEntry>, SubmitError> {
    return Effect.suspend(() => {
      // A full queue also refuses a request without commands.
      if (this.isFull(Math.max(commands.length, 1), bytes)) return Effect.fail(new Overloaded())
      const all = byWorkspace(commands)
      const [first] = all
      if (first !== undefined && all.length === 1) return this.submitOwn(first, bytes)
      const ownBytes = Math.ceil(bytes / Math.max(all.length, 1))
      return Effect.map(
        Effect.forEach(all, (own) => this.submitOwn(own, ownBytes), { concurrency: "unbounded" }),
        (entries) => inOrderOf(commands, all, entries),
      )
    })
  }

  /** Queues a request as bytes, and waits for its commit. The request is decoded when its commit starts. */
  submitEncoded<A>(request: EncodedRequest<A>): Effect.Effect<CommittedRequest<A>, SubmitError> {
    return Effect.suspend(() => {
      const size = Math.max(1, Math.ceil(request.bytes / bytesPerCommand))
      return this.isFull(size, request.bytes) ? Effect.fail(new Overloaded()) : this.enter(request, size)
    })
  }

  /**
   * Removes the oldest requests from a lane, as many as fit into one commit. Returns those that could be decoded.
   */
  *take(lane: Lane): Slices<ReadonlyArray<PendingRequest>> {
    const { commitCommandsMax, writingCommandsMax } = this.bounds
    const room = writingCommandsMax - (this.writingCommands - lane.writingCommands)
    const { decoded, taken } = yield* lane.take(Math.min(commitCommandsMax, room), this.limits.spreadOver())
    for (const { bytes, size } of taken) {
      this.waitingCommands -= size
      this.waitingBytes -= bytes
    }
    this.setWriting(
      lane,
      decoded.reduce((sum, { commands }) => sum + commands.length, 0),
    )
    return decoded
  }

  /**
   * Begins the next batch. Must be called after a batch has failed or was written. The written batch need not be
   * durable yet.
   */
  written(lane: Lane): void {
    lane.isWriting = false
    this.writing--
    this.setWriting(lane, 0)
    this.schedule(lane)
    this.beginNext()
  }

  /** Must be called after the requests of a batch were answered. Removes the lane if it is empty. */
  settled(lane: Lane): void {
    lane.inFlight--
    this.inFlight--
    if (lane.isEmpty && lane.inFlight === 0) this.lanes.delete(lane.workspace)
    this.beginNext()
    if (this.lanes.size === 0) this.idle.openUnsafe()
  }

  /** Refuses all further requests. */
  close(): void {
    this.isClosed = true
  }

  /** Whether at least one workspace waits for its turn to commit. */
  get isContended(): boolean {
    return this.ready.size > 0
  }

  get state(): { readonly waitingCommands: number; readonly oldestWaitingAt: EpochMillis | null } {
    let oldestWaitingAt: EpochMillis | null = null
    for (const { oldestWaitingAt: at } of this.lanes.values()) {
      if (at !== null && (oldestWaitingAt === null || at < oldestWaitingAt)) oldestWaitingAt = at
    }
    return { waitingCommands: this.waitingCommands, oldestWaitingAt }
  }

  private submitOwn(
    { commands, workspace }: OwnCommands,
    bytes: number,
  ): Effect.Effect<ReadonlyArray<ActivityEntry>, SubmitError> {
    const receivedAt = commands[0]?.receivedAt ?? 0
    const decode = () => ({ commands, value: undefined })
    return Effect.map(
      this.enter({ workspace, bytes, receivedAt, decode }, commands.length),
      ({ entries }) => entries,
    )
  }

  /** Adds an admitted request to the lane of its workspace. */
  private enter<A>(
    request: EncodedRequest<A>,
    size: number,
  ): Effect.Effect<CommittedRequest<A>, SubmitError> {
    return Effect.callback((resume) => {
      // The queue may have been closed since the request was admitted.
      if (this.isClosed) return resume(Effect.fail(new Overloaded()))
      const lane = this.laneOf(request.workspace)
      lane.add(queuedRequest(request, size, resume))
      this.waitingCommands += size
      this.waitingBytes += request.bytes
      this.schedule(lane)
    })
  }

  private isFull(commands: number, bytes: number): boolean {
    if (this.isClosed) return true
    return (
      this.waitingCommands > 0 &&
      (this.waitingCommands + commands > this.bounds.waitingCommandsMax ||
        this.waitingBytes + bytes > this.bounds.waitingBytesMax)
    )
  }

  private laneOf(workspace: WorkspaceId): Lane {
    const known = this.lanes.get(workspace)
    if (known !== undefined) return known
    const lane = new Lane(workspace)
    this.lanes.set(workspace, lane)
    this.idle.closeUnsafe()
    return lane
  }

  /**
   * Adds a workspace to those that wait for their turn to commit. Does nothing if the workspace has no waiting
   * requests, or if its previous batch is not written yet.
   */
  private schedule(lane: Lane): void {
    if (lane.isEmpty || lane.isWriting) return
    this.ready.add(lane)
    this.beginNext()
  }

  private setWriting(lane: Lane, commands: number): void {
    this.writingCommands += commands - lane.writingCommands
    lane.writingCommands = commands
  }

  /** As long as the store accepts another batch, begins a batch of the workspace that has the next turn. */
  private beginNext(): void {
    const { commitCommandsMax, writingCommandsMax } = this.bounds
    for (const lane of this.ready) {
      if (this.writing >= this.limits.writingMax || this.inFlight >= this.limits.inFlightMax) return
      const commands = lane.nextCommands(commitCommandsMax)
      if (this.writing > 0 && this.writingCommands + commands > writingCommandsMax) return
      this.ready.delete(lane)
      lane.isWriting = true
      this.setWriting(lane, commands)
      lane.inFlight++
      this.writing++
      this.inFlight++
      this.begin(lane)
    }
  }
}

/**
 * Merges the log entries of several workspaces into the order of `commands`. `entries[i]` contains the log entries of
 * the workspace in `all[i]`.
 */
const inOrderOf = (
  commands: ReadonlyArray<Command>,
  all: ReadonlyArray<OwnCommands>,
  entries: ReadonlyArray<ReadonlyArray<ActivityEntry>>,
): ReadonlyArray<ActivityEntry> => {
  const rest = new Map(all.map(({ workspace }, i) => [workspace, (entries[i] ?? []).values()]))
  return commands.flatMap(({ workspace }) => {
    const next = rest.get(workspace.id)?.next()
    return next?.done === false ? [next.value] : []
  })
}

/** The commands of one workspace, in order. */
interface OwnCommands {
  readonly workspace: WorkspaceId
  readonly commands: ReadonlyArray<Command>
}

const byWorkspace = (commands: ReadonlyArray<Command>): ReadonlyArray<OwnCommands> => {
  const workspace = commands[0]?.workspace.id
  if (workspace === undefined) return []
  if (commands.every((command) => command.workspace.id === workspace)) return [{ workspace, commands }]
  const found = new Map<WorkspaceId, Array<Command>>()
  for (const command of commands) {
    const own = found.get(command.workspace.id)
    if (own === undefined) found.set(command.workspace.id, [command])
    else own.push(command)
  }
  return Array.from(found, ([id, own]) => ({ workspace: id, commands: own }))
}
