import { erasingMax, type ErasureMedium } from "@inlethq/core/ports/ErasureLedger"
import { stateCodes } from "@inlethq/storage/columns/codes"
import { integer } from "@inlethq/storage/columns/columns"
import { subjectKey } from "@inlethq/storage/columns/ids"
import type { ErasureProgress } from "@inlethq/storage/tables/erasureLedger"
import { readCounters, readLastScrub } from "../engine/counters.ts"
import type { Database } from "../engine/Database.ts"
import { sqlNumber, sqlWorkspace } from "../engine/rowIds.ts"

const erasingStates = `(state = ${stateCodes.erased} OR state = ${stateCodes.stillNamed})`

/** Reads what housekeeping has left to erase and to overwrite. */
export const erasureProgress = (
  { durability, reads }: Database,
  medium: Extract<ErasureMedium, "scrubbed files" | "files">,
): ErasureProgress => {
  const erasing = reads.prepareByPlace(
    `SELECT ${sqlNumber("id")} FROM subjects WHERE ${erasingStates} AND ${sqlWorkspace("id")} = ? LIMIT ${erasingMax}`,
  )
  const counters = readCounters(reads)
  const lastScrub = readLastScrub(reads)
  return {
    medium,
    erasing: (workspace) =>
      durability.read("read the erasure ledger", () =>
        erasing.all(workspace).map((row) => subjectKey(integer(row[0]))),
      ),
    isOverwritten: durability.read("read the erasure ledger", () => {
      const { erasures, scrubbed } = counters()
      return medium === "scrubbed files" && erasures === scrubbed
    }),
    overwriting: durability.read("read the erasure ledger", () =>
      medium === "scrubbed files" ? lastScrub() : null,
    ),
  }
}
