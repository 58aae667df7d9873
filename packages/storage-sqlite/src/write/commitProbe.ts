import type { Database } from "../engine/Database.ts"

/** As much as a batch writes, so that a disk that is nearly full does not pass for one with room. */
const probeBytes = 256 * 1024

/** Commits something of the size of a batch, and leaves nothing behind. */
export const probeCommit = (database: Database): (() => void) => {
  const fill = database.prepare("INSERT INTO probe (content) VALUES (zeroblob(?))")
  const clear = database.prepare("DELETE FROM probe")
  return () =>
    database.write(() => {
      fill.run(probeBytes)
      clear.run()
    })
}
