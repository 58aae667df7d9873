import { Worker } from "node:worker_threads"
import { StoreUnavailable } from "@inlethq/core/ports/Store"
import { Effect, Latch } from "effect"
import { integer, type Row } from "@inlethq/storage/columns/columns"
import { isSyncFailure } from "./resultCode.ts"

/* Limits of the write-ahead log. The unit is a page of 2 KiB (decision 13). */

/**
 * A background thread starts to move pages from the write-ahead log into the database file when the log has this many
 * pages that have not been moved yet.
 */
export const passFromPages = 8000

/**
 * Once the write-ahead log has this many pages, SQLite should start the log over (overwrite the log from its
 * beginning). SQLite does so at the beginning of a commit if all pages of the log have been moved into the database
 * file.
 */
export const restartFromPages = 16_000

/**
 * The largest number of pages left in the write-ahead log that the committing thread moves into the database file
 * itself, so that the log can start over.
 */
export const restPagesMax = 1000

/**
 * When the write-ahead log has this many pages, the next write begins only once the background thread has moved them, so that
 * the log starts over. Large commits would otherwise always leave more than `restPagesMax`, and then move them themselves.
 */
export const waitFromPages = 32_000

/**
 * The number of pages of the write-ahead log above which each commit moves pages into the database file, unless the
 * background thread is moving pages at that time. The log becomes this long if that thread has failed, or if a reader prevents
 * that the log starts over.
 */
export const logPagesMax = 96_000

/**
 * When the write-ahead log has this many pages, no write begins until all pages are moved. The log becomes this long if
 * the disk is too slow, or if a reader in another process prevents moving pages.
 */
const blockFromPages = 262_144

/** The size of a write-ahead log with `blockFromPages` pages. Each page has 2 KiB and a header of 24 bytes. */
export const blockFromBytes = blockFromPages * (2048 + 24)

/** The longest time that a write waits for the write-ahead log to become shorter. If the log is full, the write then fails. */
const waitTimeout = "5 seconds"

const threadModule = new URL(
  import.meta.url.endsWith(".ts") ? "./checkpointThread.ts" : "./checkpointThread.js",
  import.meta.url,
)

/** The methods of a database connection that this class uses. */
interface Connection {
  prepare(sql: string): { get(): Row | undefined }
}

/** The number of pages in the write-ahead log, and the number of pages left to move into the database file. */
interface LogLength {
  readonly pages: number
  readonly left: number
}

/**
 * The background thread's answer to a message: whether a sync failed while the thread moved pages into the database
 * file.
 */
export type Passed = "passed" | "sync failed"

/** The data that the background thread receives at its start. */
export interface CheckpointThreadData {
  readonly file: string
}

/**
 * Moves committed pages from the write-ahead log into the database file (checkpoints), mostly on a background thread.
 * The thread starts when there are pages to move.
 */
export class Checkpoints {
  private readonly file: string
  private readonly blockFrom: number
  private readonly state: ReturnType<Connection["prepare"]>
  private readonly finish: ReturnType<Connection["prepare"]>
  private readonly onSyncFailure: (cause: Error) => void
  /** Writes wait for this latch, which is closed while `isBlocked` is true. */
  private readonly unblocked = Latch.makeUnsafe(true)
  private isBlocked = false
  /** Open while the background thread moves no pages. */
  private readonly passed = Latch.makeUnsafe(true)
  /** Whether the log is so long that a write waits until the background thread has moved its pages. */
  private isLong = false
  private thread: Worker | undefined
  private threadState: "idle" | "passing" | "broken" = "idle"

  /** Calls `onSyncFailure` if a file could not be synced. */
  constructor(
    connection: Connection,
    file: string,
    onSyncFailure: (cause: Error) => void,
    blockFrom = blockFromPages,
  ) {
    this.file = file
    this.onSyncFailure = onSyncFailure
    this.blockFrom = blockFrom
    this.state = connection.prepare("PRAGMA wal_checkpoint(NOOP)")
    this.finish = connection.prepare("PRAGMA wal_checkpoint(PASSIVE)")
  }

  /**
   * Waits while the background thread moves the pages of a long write-ahead log, for at most five seconds. Waits while the log is
   * too long for new writes, and fails after five seconds.
   */
  readonly waitForRoom: Effect.Effect<void, StoreUnavailable> = Effect.suspend(() => {
    if (!this.isBlocked) {
      if (!this.isLong) return Effect.void
      return Effect.asVoid(Effect.timeoutOption(Effect.interruptible(this.passed.await), waitTimeout))
    }
    this.movePages(this.measure())
    return Effect.interruptible(this.unblocked.await).pipe(
      Effect.timeout(waitTimeout),
      Effect.mapError((cause) => new StoreUnavailable({ operation: "shorten its write-ahead log", cause })),
    )
  })

  /**
   * Starts to move pages from the write-ahead log to the database file if the log is long enough. Never throws, because
   * commits are safe even if pages cannot be moved.
   */
  movePages({ left, pages }: LogLength): void {
    this.guarded(() => {
      if (this.threadState === "passing") return
      if (this.threadState === "broken") {
        if (this.isBlocked) this.moveRest()
      } else if (pages >= restartFromPages && left <= restPagesMax) this.moveRest()
      else if (left >= passFromPages || pages >= restartFromPages || this.isBlocked) this.pass()
    })
  }

  /** Stops the thread. A statement that is running ends first. The thread starts again when there are pages to move. */
  async stop(): Promise<void> {
    const { thread } = this
    this.thread = undefined
    this.leave("idle")
    await thread?.terminate()
  }

  /** Measures the write-ahead log. Closes the latch for writes if the log is too long. */
  measure(): LogLength {
    const row = this.state.get()
    const pages = integer(row?.["log"])
    const left = pages - integer(row?.["checkpointed"])
    this.isLong = left > 0 && pages >= waitFromPages
    this.isBlocked = left > 0 && (this.isBlocked || pages >= this.blockFrom)
    if (this.isBlocked) this.unblocked.closeUnsafe()
    else this.unblocked.openUnsafe()
    return { pages, left }
  }

  private moveRest(): void {
    this.finish.get()
    if (this.isBlocked) this.measure()
  }

  private guarded(act: () => void): void {
    try {
      act()
    } catch (cause) {
      // Moving pages can fail, for example on a full disk. The pages stay in the write-ahead log, and the next commit
      // tries again.
      if (isSyncFailure(cause)) this.onSyncFailure(cause)
    }
  }

  private pass(): void {
    this.threadState = "passing"
    this.passed.closeUnsafe()
    this.thread ??= this.start()
    this.thread.postMessage("pass")
  }

  private leave(state: "idle" | "broken"): void {
    this.threadState = state
    this.passed.openUnsafe()
  }

  private start(): Worker {
    const workerData: CheckpointThreadData = { file: this.file }
    const thread = new Worker(threadModule, {
      workerData,
      name: "checkpoints",
      resourceLimits: threadLimits,
    })
    thread.on("message", (passed: Passed) => {
      if (thread !== this.thread) return
      this.leave("idle")
      if (passed === "sync failed")
        return this.onSyncFailure(new Error("a checkpoint could not sync its files"))
      this.guarded(() => {
        const { left } = this.measure()
        if (this.isBlocked && left <= restPagesMax) this.moveRest()
      })
    })
    // Do not restart a failed thread, because each new thread may fail too. Without the thread, SQLite moves the pages
    // of the write-ahead log into the database file within commits.
    thread.on("error", (cause) => {
      if (thread !== this.thread) return
      this.leave("broken")
      process.emitWarning(
        `the checkpoint thread failed, so commits now make the checkpoints: ${String(cause)}`,
      )
    })
    thread.unref()
    return thread
  }
}

/** The memory limits of the thread are small, because the thread only repeats one statement. */
const threadLimits = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16, codeRangeSizeMb: 4 }
