import type { OverwrittenPages } from "@inlethq/core/ports/ErasureLedger"
import { integer, text } from "@inlethq/storage/columns/columns"
import type { Database, ReadDatabase } from "./Database.ts"

/** Counters of the whole database. The counters never decrease. */
export interface Counters {
  /** The number of housekeeping steps that erased data. */
  readonly erasures: number
  /**
   * The value of `erasures` when the last complete scrub began. A scrub overwrites old copies of deleted data in the
   * database file.
   */
  readonly scrubbed: number
}

/** The counter with the largest id that a deleted workspace had. */
export const lastWorkspace = "last_workspace"

export const readCounters = (database: Database): (() => Counters) => {
  const statement = database.prepareByPlace(
    "SELECT name, value FROM counters WHERE name IN ('erasures', 'scrubbed')",
  )
  return () => {
    const values = new Map(statement.all().map((row) => [text(row[0]), integer(row[1])]))
    return { erasures: values.get("erasures") ?? 0, scrubbed: values.get("scrubbed") ?? 0 }
  }
}

/** Counts a step that erased data. */
export const oneErasureMore =
  "INSERT INTO counters (name, value) VALUES ('erasures', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1"

const searchedPages = "scrub_searched"
const overwrittenPages = "scrub_overwritten"

/** Returns a function that reads how many pages the last complete scrub has searched and overwritten, or null. */
export const readLastScrub = (database: Database): (() => OverwrittenPages | null) => {
  const statement = database.prepareByPlace(
    `SELECT name, value FROM counters WHERE name IN ('${searchedPages}', '${overwrittenPages}')`,
  )
  return () => {
    const values = new Map(statement.all().map((row) => [text(row[0]), integer(row[1])]))
    const searched = values.get(searchedPages)
    return searched === undefined ? null : { searched, overwritten: values.get(overwrittenPages) ?? 0 }
  }
}

/** Replaces the numbers of the last complete scrub. */
export const saveLastScrub = (database: Database): ((pages: OverwrittenPages) => void) => {
  const statement = database.prepare(
    "INSERT INTO counters (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
  )
  return ({ overwritten, searched }) => {
    statement.run(searchedPages, searched)
    statement.run(overwrittenPages, overwritten)
  }
}

/** Sets a counter to the value `to`, unless the counter already has a larger value. */
export const raiseCounter = (
  database: ReadDatabase,
): ((name: keyof Counters | typeof lastWorkspace, to: number) => void) => {
  const statement = database.prepare(
    "INSERT INTO counters (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value)",
  )
  return (name, to) => void statement.run(name, to)
}
