import { DatabaseSync } from "node:sqlite"
import { parentPort, workerData } from "node:worker_threads"
import type { CheckpointThreadData } from "./Checkpoints.ts"

/* What the thread of `Checkpoints` runs: a pass for each message, and a message after each pass. */

const { file }: CheckpointThreadData = workerData
const connection = new DatabaseSync(file)
connection.exec("PRAGMA cache_size = 0")
const pass = connection.prepare("PRAGMA wal_checkpoint(PASSIVE)")

parentPort?.on("message", () => {
  try {
    pass.get()
  } catch {
    // What could not be moved now, as on a full disk, stays in the log, where it is as durable; the next pass tries again.
  }
  parentPort?.postMessage("passed")
})
