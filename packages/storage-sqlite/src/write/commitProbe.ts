import type { Database } from "../engine/Database.ts"

/** About as much as a batch writes, so that a disk that is nearly full fails the probe. */
const probeBytes = 256 * 1024

/** Prepares a write of the size of a batch that leaves no row behind. Throws if it cannot be committed. */
export const probeCommit = (database: Database): (() => void) => {
  const fill = database.prepare("INSERT INTO probe (content) VALUES (zeroblob(?))")
  const clear = database.prepare("DELETE FROM probe")
  return () =>
    database.write(() => {
      fill.run(probeBytes)
      clear.run()
    })
}
