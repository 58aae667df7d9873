import { Effect, Latch } from "effect"
import type { ActivityEntry } from "../log/ActivityEntry.ts"
import type { Command } from "../Command.ts"
import type { BatchesInFlightMax, StoreUnavailable } from "../ports/Store.ts"
import type { WorkspaceId } from "../values/Identifier.ts"
import type { EpochMillis } from "../values/Timestamp.ts"
import { Overloaded, type IngestBounds } from "./IngestBounds.ts"
import {
  Lane,
  queuedRequest,
  type CommittedRequest,
  type EncodedRequest,
  type PendingRequest,
} from "./Lane.ts"

/**
 * The number of commands in an encoded request is not known yet. In the bounds of the queue, the request counts as one
 * command per this many bytes, and as at least one command.
 */
const bytesPerCommand = 256

/**
 * The queue between transport and engine, bounded in commands and in bytes. Each workspace with requests has a lane of
 * its own. Lanes take turns, so that no workspace waits for all requests of another one.
 */
export class CommitQueue {
  /** A latch that is open while no request is waiting or being committed. */
  readonly idle = Latch.makeUnsafe(true)
  private readonly lanes = new Map<WorkspaceId, Lane>()
  /** Lanes that may begin a batch once the store accepts one more, in the order of their turns. */
  private readonly ready = new Set<Lane>()
  private inFlight = 0
  private waitingCommands = 0
  private waitingBytes = 0
  private closed = false
  private readonly bounds: IngestBounds
  private readonly inFlightMax: BatchesInFlightMax
  private readonly begin: (lane: Lane) => void

  /** `begin` starts a batch of a lane: it later calls `take` once, and then `settled` once. */
  constructor(bounds: IngestBounds, inFlightMax: BatchesInFlightMax, begin: (lane: Lane) => void) {
    this.bounds = bounds
    this.inFlightMax = inFlightMax
    this.begin = begin
  }

  /**
   * Queues the commands of a request, in one lane for each workspace, and waits for all their commits. Returns the
   * entries in the order of the commands. An empty queue also accepts a request that is larger than the bounds.
   */
  submit(
    commands: ReadonlyArray<Command>,
    bytes: number,
  ): Effect.Effect<ReadonlyArray<ActivityEntry>, Overloaded | StoreUnavailable> {
    return Effect.suspend(() => {
      const [first, ...others] = byWorkspace(commands)
      if (first !== undefined && others.length === 0) return this.submitOwn(first, bytes)
      // A request without commands is refused by a full queue too.
      if (this.isFull(Math.max(commands.length, 1), bytes)) return Effect.fail(new Overloaded())
      const all = first === undefined ? [] : [first, ...others]
      const ownBytes = Math.ceil(bytes / Math.max(all.length, 1))
      return Effect.map(
        Effect.forEach(all, (own) => this.submitOwn(own, ownBytes), { concurrency: "unbounded" }),
        (entries) => inOrderOf(commands, all, entries),
      )
    })
  }

  /** Queues a request that is decoded when its commit starts, and waits for the commit. */
  submitEncoded<A>(
    request: EncodedRequest<A>,
  ): Effect.Effect<CommittedRequest<A>, Overloaded | StoreUnavailable> {
    return this.enter(request, Math.max(1, Math.ceil(request.bytes / bytesPerCommand)))
  }

  /** Takes the requests of a batch that has begun: the oldest ones of the lane, up to one commit. */
  take(lane: Lane): ReadonlyArray<PendingRequest> {
    const { decoded, taken } = lane.take(this.bounds.commitCommandsMax)
    for (const { bytes, size } of taken) {
      this.waitingCommands -= size
      this.waitingBytes -= bytes
    }
    lane.isGathering = false
    this.schedule(lane)
    return decoded
  }

  /** Records that the requests of a batch were answered. Drops a lane without requests. */
  settled(lane: Lane): void {
    lane.inFlight--
    this.inFlight--
    if (lane.isEmpty && lane.inFlight === 0) this.lanes.delete(lane.workspace)
    this.schedule(lane)
    this.beginNext()
    if (this.lanes.size === 0) this.idle.openUnsafe()
  }

  /** Refuses requests from now on. */
  close(): void {
    this.closed = true
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
  ): Effect.Effect<ReadonlyArray<ActivityEntry>, Overloaded | StoreUnavailable> {
    const receivedAt = commands[0]?.receivedAt ?? 0
    const decode = () => ({ commands, value: undefined })
    return Effect.map(
      this.enter({ workspace, bytes, receivedAt, decode }, commands.length),
      ({ entries }) => entries,
    )
  }

  private enter<A>(
    request: EncodedRequest<A>,
    size: number,
  ): Effect.Effect<CommittedRequest<A>, Overloaded | StoreUnavailable> {
    return Effect.suspend(() =>
      this.isFull(size, request.bytes)
        ? Effect.fail(new Overloaded())
        : Effect.callback((resume) => {
            const lane = this.laneOf(request.workspace)
            lane.add(queuedRequest(request, size, resume))
            this.waitingCommands += size
            this.waitingBytes += request.bytes
            this.schedule(lane)
          }),
    )
  }

  private isFull(commands: number, bytes: number): boolean {
    if (this.closed) return true
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

  /** Puts a lane in line for its next batch, if it has waiting requests and may begin one more batch. */
  private schedule(lane: Lane): void {
    if (lane.isEmpty || lane.isGathering || lane.inFlight >= this.inFlightMax.perWorkspace) return
    this.ready.add(lane)
    this.beginNext()
  }

  /** Begins batches in the order of the lanes' turns, as long as the store accepts more. */
  private beginNext(): void {
    for (const lane of this.ready) {
      if (this.inFlight >= this.inFlightMax.total) return
      this.ready.delete(lane)
      lane.isGathering = true
      lane.inFlight++
      this.inFlight++
      this.begin(lane)
    }
  }
}

/** Returns the entries of commands in the order of the commands. `entries` holds those of each workspace in `all`. */
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

/** Commands of one workspace, in order. */
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
