import { DatabaseSync } from "node:sqlite"
import { parentPort, workerData } from "node:worker_threads"
import type { CheckpointThreadData } from "./Checkpoints.ts"

/*
 * The background thread of `Checkpoints`. For each message, the thread moves pages until no pages are left or it has
 * made `passesMax` passes, and then answers.
 */

/**
 * The most passes for one message. Commits add pages during a pass, so further passes are needed, each with fewer pages
 * to move. If commits are too fast to move all pages, the committing thread moves the rest.
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
    // Moving pages can fail, for example on a full disk. The pages are just as durable in the log, and the next message
    // tries again.
  }
  parentPort?.postMessage("passed")
})
