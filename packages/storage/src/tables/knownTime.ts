import type { TimeMemory } from "@inlethq/core/ports/KnownTime"
import { Effect } from "effect"
import { wholeInstallation } from "../columns/transferTables.ts"
import type { Tables } from "./Tables.ts"

const at = "known_time"
const doubtedMs = "doubted_ms"

/** Remembers the time in two rows of a table that has names and values. */
export const makeKnownTime = (tables: Tables, table: "counters" | "installation"): TimeMemory => ({
  read: Effect.map(
    tables.read(
      "read the known time",
      `SELECT name, value FROM ${table} WHERE name IN ('${at}', '${doubtedMs}')`,
    ),
    (rows) => {
      const values = new Map(rows.map((row) => [row["name"], Number(row["value"])]))
      const known = values.get(at)
      return known === undefined ? null : { at: known, doubtedMs: values.get(doubtedMs) ?? 0 }
    },
  ),
  save: (time) =>
    // A time that a crash loses is only a little older, so no commit waits for a disk.
    tables.writeUnsynced("save the known time", wholeInstallation, (ask) =>
      Effect.asVoid(
        ask.run(
          `INSERT INTO ${table} (name, value) VALUES ($1, $2), ($3, $4)
          ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
          at,
          String(time.at),
          doubtedMs,
          String(time.doubtedMs),
        ),
      ),
    ),
})
