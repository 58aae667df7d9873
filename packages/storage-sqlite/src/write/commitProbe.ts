import type { Database } from "../engine/Database.ts"

/**
 * The number of bytes that a probe writes. A batch writes about as many, so a probe fails if the disk is nearly full.
 */
const probeBytes = 256 * 1024

/**
 * Prepares a probe that checks whether commits succeed. The probe commits as many bytes as a batch and leaves no row
 * behind. Throws if the commit fails.
 */
export const probeCommit = (database: Database): (() => void) => {
  const fill = database.prepare("INSERT INTO probe (content) VALUES (zeroblob(?))")
  const clear = database.prepare("DELETE FROM probe")
  return () =>
    database.write(() => {
      fill.run(probeBytes)
      clear.run()
    })
}
