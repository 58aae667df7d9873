import type { DatabaseSync, StatementSync } from "node:sqlite"
import { Worker } from "node:worker_threads"
import { integer } from "./columns.ts"

/** Pages of the write-ahead log from which they are moved into the database file. */
export const passPages = 4000

/** Pages of the log from which it should begin anew, for which all of them have to be moved as a commit begins. */
export const restartPages = 8000

/** Up to as many are moved by the thread that commits, so that the log begins anew. */
export const restPages = 500

/** From here on it moves them however many are left: the thread beside it does not keep up. */
export const logPagesMax = 24_000

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
  private readonly state: StatementSync
  private readonly finish: StatementSync
  private thread: Worker | undefined
  private isPassing = false

  constructor(connection: DatabaseSync, file: string) {
    this.file = file
    this.state = connection.prepare("PRAGMA wal_checkpoint(NOOP)")
    this.finish = connection.prepare("PRAGMA wal_checkpoint(PASSIVE)")
  }

  /** Looks, after a commit, whether there is something to move. Whatever comes of it, the commit is durable. */
  look(): void {
    if (this.isPassing) return
    try {
      const row = this.state.get()
      const pages = integer(row?.["log"])
      const left = pages - integer(row?.["checkpointed"])
      if (pages >= restartPages && left <= restPages) this.finish.get()
      else if (left >= passPages || pages >= restartPages) this.pass()
    } catch {
      // As on a full disk: what is not moved stays in the log, and is looked at again after the next commit.
    }
  }

  /** Ends the thread; what it has under way is finished first. */
  async close(): Promise<void> {
    await this.thread?.terminate()
  }

  private pass(): void {
    this.isPassing = true
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
      this.isPassing = false
    })
    // A thread that broke is not started again, which could go on for ever: its pass stays open, and from now on SQLite moves
    // the pages by itself whenever the log is at its limit.
    thread.on("error", (cause) => {
      process.emitWarning(`checkpoints are made by the thread that commits: ${String(cause)}`)
    })
    thread.unref()
    return thread
  }
}

/** The thread runs one statement again and again. */
const threadLimits = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16, codeRangeSizeMb: 4 }
