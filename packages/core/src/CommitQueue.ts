import { Effect, Latch, type Exit } from "effect"
import type { ActivityEntry } from "./Activity.ts"
import type { Command } from "./Command.ts"
import { Overloaded, type IngestBounds } from "./IngestBounds.ts"
import type { StoreUnavailable } from "./Store.ts"
import type { EpochMillis } from "./Timestamp.ts"

/** The commands of one request, which share a commit, and whoever waits for it. */
export interface Unit {
  readonly commands: ReadonlyArray<Command>
  readonly bytes: number
  readonly resume: (exit: Exit.Exit<ReadonlyArray<ActivityEntry>, StoreUnavailable>) => void
}

/** The queue between transport and engine: bounded in commands and in bytes, taken a batch at a time. */
export class CommitQueue {
  /** Open while something waits. */
  readonly arrival = Latch.makeUnsafe(false)
  /** Open while nothing waits and nothing is being committed. */
  readonly idle = Latch.makeUnsafe(true)
  private waiting: Array<Unit> = []
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
    return Effect.suspend(() =>
      this.isFull(commands.length, bytes)
        ? Effect.fail(new Overloaded())
        : Effect.callback((resume) => this.add({ commands, bytes, resume })),
    )
  }

  /** Takes what has waited longest, up to one commit; what is left keeps `arrival` open. */
  take(): ReadonlyArray<Unit> {
    let count = 0
    let commands = 0
    for (const unit of this.waiting) {
      if (count > 0 && commands + unit.commands.length > this.bounds.commitCommandsMax) break
      commands += unit.commands.length
      this.waitingBytes -= unit.bytes
      count++
    }
    this.waitingCommands -= commands
    const taken = this.waiting.slice(0, count)
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
      oldestWaitingAt: this.waiting[0]?.commands[0]?.receivedAt ?? null,
    }
  }

  private isFull(commands: number, bytes: number): boolean {
    if (this.closed) return true
    return (
      this.waiting.length > 0 &&
      (this.waitingCommands + commands > this.bounds.waitingCommandsMax ||
        this.waitingBytes + bytes > this.bounds.waitingBytesMax)
    )
  }

  private add(unit: Unit): void {
    this.waiting.push(unit)
    this.waitingCommands += unit.commands.length
    this.waitingBytes += unit.bytes
    this.idle.closeUnsafe()
    this.arrival.openUnsafe()
  }
}
