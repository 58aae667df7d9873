import type { DatabaseSync, StatementSync } from "node:sqlite"
import { Worker } from "node:worker_threads"
import { StoreUnavailable } from "@inlet/core/ports/Store"
import { Effect, Latch } from "effect"
import { integer } from "@inlet/storage/columns"

/** Pages of the write-ahead log, of 2 KiB, from which they are moved into the database file. */
export const passPages = 8000

/** Pages of the log from which it should begin anew, for which all of them have to be moved as a commit begins. */
export const restartPages = 16_000

/** Up to as many are moved by the thread that commits, so that the log begins anew. */
export const restPages = 1000

/** From here on SQLite moves them by itself with each commit, unless the thread beside it is at it. */
export const logPagesMax = 48_000

/**
 * From here on nothing is written until all of them are moved: the disk does not keep up, or somebody outside holds on to what
 * was there before.
 */
const heldPages = 262_144

/** How long whoever wants to write waits for that. */
const waitTimeout = "5 seconds"

const threadModule = new URL(
  import.meta.url.endsWith(".ts") ? "./checkpointThread.ts" : "./checkpointThread.js",
  import.meta.url,
)

/** What the thread works on. */
export interface CheckpointThreadData {
  readonly file: string
}

/**
 * Moves committed pages from the write-ahead log into the database file, most of them on a thread beside the one that
 * commits. That thread is started once there is something to move.
 */
export class Checkpoints {
  private readonly file: string
  private readonly heldFrom: number
  private readonly state: StatementSync
  private readonly finish: StatementSync
  /** Closed while `isHeld`. */
  private readonly caughtUp = Latch.makeUnsafe(true)
  private isHeld = false
  private thread: Worker | undefined
  private is: "idle" | "passing" | "broken" = "idle"

  constructor(connection: DatabaseSync, file: string, heldFrom = heldPages) {
    this.file = file
    this.heldFrom = heldFrom
    this.state = connection.prepare("PRAGMA wal_checkpoint(NOOP)")
    this.finish = connection.prepare("PRAGMA wal_checkpoint(PASSIVE)")
  }

  /** Waits while the log is too long to grow on; fails where that takes too long. */
  readonly keptUp: Effect.Effect<void, StoreUnavailable> = Effect.suspend(() => {
    if (!this.isHeld) return Effect.void
    this.look()
    return Effect.interruptible(this.caughtUp.await).pipe(
      Effect.timeout(waitTimeout),
      Effect.mapError((cause) => new StoreUnavailable({ operation: "move its write-ahead log", cause })),
    )
  })

  /** Looks, after a commit, whether there is something to move. Whatever comes of it, the commit is durable. */
  look(): void {
    this.guarded(() => {
      const { left, pages } = this.measure()
      if (this.is === "passing") return
      if (this.is === "broken") {
        if (this.isHeld) this.moveRest()
      } else if (pages >= restartPages && left <= restPages) this.moveRest()
      else if (left >= passPages || pages >= restartPages || this.isHeld) this.pass()
    })
  }

  /** Ends the thread; the statement that it runs is finished first. */
  async close(): Promise<void> {
    await this.thread?.terminate()
  }

  /** How long the log is, and how much of it is left to move. */
  private measure(): { readonly pages: number; readonly left: number } {
    const row = this.state.get()
    const pages = integer(row?.["log"])
    const left = pages - integer(row?.["checkpointed"])
    this.isHeld = left > 0 && (this.isHeld || pages >= this.heldFrom)
    if (this.isHeld) this.caughtUp.closeUnsafe()
    else this.caughtUp.openUnsafe()
    return { pages, left }
  }

  private moveRest(): void {
    this.finish.get()
    if (this.isHeld) this.measure()
  }

  private guarded(act: () => void): void {
    try {
      act()
    } catch {
      // As on a full disk: what is not moved stays in the log, and is looked at again with the next commit.
    }
  }

  private pass(): void {
    this.is = "passing"
    this.thread ??= this.start()
    this.thread.postMessage("pass")
  }

  private start(): Worker {
    const workerData: CheckpointThreadData = { file: this.file }
    const thread = new Worker(threadModule, {
      workerData,
      name: "checkpoints",
      resourceLimits: threadLimits,
    })
    thread.on("message", () => {
      this.is = "idle"
      this.guarded(() => {
        const { left } = this.measure()
        if (this.isHeld && left <= restPages) this.moveRest()
      })
    })
    // A thread that broke is not started again, which could go on for ever: from now on SQLite moves the pages by itself
    // whenever the log is at its limit.
    thread.on("error", (cause) => {
      this.is = "broken"
      process.emitWarning(`checkpoints are made by the thread that commits: ${String(cause)}`)
    })
    thread.unref()
    return thread
  }
}

/** The thread runs one statement again and again. */
const threadLimits = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16, codeRangeSizeMb: 4 }
