import { DatabaseSync } from "node:sqlite"
import { parentPort, workerData } from "node:worker_threads"
import type { CheckpointThreadData } from "./Checkpoints.ts"

/*
 * The thread of `Checkpoints`. For each message it moves pages until none are left or it has made enough passes, then it
 * answers.
 */

/**
 * Commits continue during a pass, so the next pass has fewer pages to move. When none are left as a commit begins, the log starts
 * over. If commits are too fast for that, the committing thread moves the rest.
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

parentPort?.on("message", () => {
  try {
    for (let passes = 0; passes < passesMax; passes++) {
      pass.get()
      if (isAllMoved()) break
    }
  } catch {
    // For example on a full disk. The pages are as durable in the log, and the next message tries again.
  }
  parentPort?.postMessage("passed")
})
