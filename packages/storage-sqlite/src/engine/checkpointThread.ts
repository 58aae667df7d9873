import { DatabaseSync } from "node:sqlite"
import { parentPort, workerData } from "node:worker_threads"
import type { CheckpointThreadData } from "./Checkpoints.ts"

/* What the thread of `Checkpoints` runs: for each message passes until nothing is left or there were enough, and then a message back. */

/**
 * While one pass runs, commits go on; the next one has less left to move, and takes less. Once nothing is left at a moment when
 * a commit begins, the log begins anew by itself. Where commits come faster than that, the one who commits does the rest.
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
    // What could not be moved now, as on a full disk, stays in the log, where it is as durable; the next message tries again.
  }
  parentPort?.postMessage("passed")
})
