import { Effect, Exit, Latch } from "effect"
import type { ActivityEntry } from "./Activity.ts"
import type { Command } from "./Command.ts"
import { Overloaded, type IngestBounds } from "./IngestBounds.ts"
import type { StoreUnavailable } from "./Store.ts"
import type { EpochMillis } from "./Timestamp.ts"

/**
 * What one request asks for, not read yet: commands are made of it when its commit comes. Until then it is bytes, which
 * cost the heap nothing; decoded bodies that wait were half of what was collected and copied.
 */
export interface Unread {
  readonly bytes: number
  readonly receivedAt: EpochMillis
  readonly read: () => ReadonlyArray<Command>
}

/** How an unread request counts among the commands that wait: an estimate, as what a batch holds is not known yet; one at least. */
const bytesPerCommand = 256

/** The commands of one request, which share a commit, and whoever waits for it. */
export interface Unit {
  readonly commands: ReadonlyArray<Command>
  readonly resume: (exit: Exit.Exit<ReadonlyArray<ActivityEntry>, StoreUnavailable>) => void
}

/** A request in the queue. */
interface Waiting extends Unread {
  /** What it counts for. */
  readonly size: number
  readonly resume: Unit["resume"]
  /** Its commands, where they were read for a commit that had no room for them. */
  commands: ReadonlyArray<Command> | null
}

/** The queue between transport and engine: bounded in commands and in bytes, taken a batch at a time. */
export class CommitQueue {
  /** Open while something waits. */
  readonly arrival = Latch.makeUnsafe(false)
  /** Open while nothing waits and nothing is being committed. */
  readonly idle = Latch.makeUnsafe(true)
  private waiting: Array<Waiting> = []
  private waitingCommands = 0
  private waitingBytes = 0
  private closed = false
  private readonly bounds: IngestBounds

  constructor(bounds: IngestBounds) {
    this.bounds = bounds
  }

  /** Waits in line until a commit holds the commands. A request that is larger than the queue gets in when it is empty. */
  submit(
    commands: ReadonlyArray<Command>,
    bytes: number,
  ): Effect.Effect<ReadonlyArray<ActivityEntry>, Overloaded | StoreUnavailable> {
    const receivedAt = commands[0]?.receivedAt ?? 0
    return this.enter({ bytes, receivedAt, read: () => commands }, commands.length)
  }

  /** The same for a request whose commands are read when its commit comes. */
  submitUnread(unread: Unread): Effect.Effect<ReadonlyArray<ActivityEntry>, Overloaded | StoreUnavailable> {
    return this.enter(unread, Math.max(1, Math.ceil(unread.bytes / bytesPerCommand)))
  }

  /** Takes what has waited longest, up to one commit; what is left keeps `arrival` open. */
  take(): ReadonlyArray<Unit> {
    const taken: Array<Unit> = []
    let count = 0
    let commands = 0
    for (const waiting of this.waiting) {
      const read = commandsOf(waiting)
      if (taken.length > 0 && commands + read.length > this.bounds.commitCommandsMax) break
      count++
      commands += read.length
      this.waitingCommands -= waiting.size
      this.waitingBytes -= waiting.bytes
      if (waiting.commands !== null) taken.push({ commands: read, resume: waiting.resume })
    }
    this.waiting = this.waiting.slice(count)
    if (this.waiting.length === 0) this.arrival.closeUnsafe()
    return taken
  }

  /** Tells that what was taken is settled. */
  settled(): void {
    if (this.waiting.length === 0) this.idle.openUnsafe()
  }

  /** Lets nobody in any more. */
  close(): void {
    this.closed = true
  }

  get state(): { readonly waitingCommands: number; readonly oldestWaitingAt: EpochMillis | null } {
    return {
      waitingCommands: this.waitingCommands,
      oldestWaitingAt: this.waiting[0]?.receivedAt ?? null,
    }
  }

  private enter(
    unread: Unread,
    size: number,
  ): Effect.Effect<ReadonlyArray<ActivityEntry>, Overloaded | StoreUnavailable> {
    return Effect.suspend(() =>
      this.isFull(size, unread.bytes)
        ? Effect.fail(new Overloaded())
        : Effect.callback((resume) => this.add({ ...unread, size, resume, commands: null })),
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

  private add(waiting: Waiting): void {
    this.waiting.push(waiting)
    this.waitingCommands += waiting.size
    this.waitingBytes += waiting.bytes
    this.idle.closeUnsafe()
    this.arrival.openUnsafe()
  }
}

const noCommands: ReadonlyArray<Command> = []

/** Reads a request; one that cannot be read is a defect of ours, and its own: the others are committed without it. */
const commandsOf = (waiting: Waiting): ReadonlyArray<Command> => {
  try {
    return (waiting.commands ??= waiting.read())
  } catch (defect) {
    waiting.resume(Exit.die(defect))
    return noCommands
  }
}
