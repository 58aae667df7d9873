import { DatabaseSync } from "node:sqlite"
import { parentPort, workerData } from "node:worker_threads"
import type { CheckpointThreadData, Passed } from "./Checkpoints.ts"
import { isSyncFailure } from "./resultCode.ts"

/*
 * The background thread of `Checkpoints`. For each message that it receives, the thread moves pages from the
 * write-ahead log into the database file until no pages are left or it has made `passesMax` passes, and then sends an
 * answer.
 */

/**
 * The largest number of checkpoints that the thread runs for one message. Commits add pages to the log during a
 * checkpoint, so another checkpoint is needed, with fewer pages to move. If commits add pages too fast, the committing
 * thread moves the remaining pages.
 */
const passesMax = 4

const { file }: CheckpointThreadData = workerData
const connection = new DatabaseSync(file)
connection.exec("PRAGMA cache_size = 0")
const pass = connection.prepare("PRAGMA wal_checkpoint(PASSIVE)")
const state = connection.prepare("PRAGMA wal_checkpoint(NOOP)")

const isAllMoved = (): boolean => {
  const row = state.get()
  return row?.["log"] === row?.["checkpointed"]
}

const run = (): Passed => {
  try {
    for (let passes = 0; passes < passesMax; passes++) {
      pass.get()
      if (isAllMoved()) break
    }
    return "passed"
  } catch (cause) {
    // Moving pages can fail, for example on a full disk. The pages stay in the log, and the thread tries again when it
    // receives the next message.
    return isSyncFailure(cause) ? "sync failed" : "passed"
  }
}

parentPort?.on("message", () => parentPort?.postMessage(run()))
