import { statSync } from "node:fs"
import type { DatabaseSync } from "node:sqlite"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { Effect } from "effect"
import { integer, text } from "@inlethq/storage/columns/columns"
import { attempt, isUnreadable } from "./sqliteErrors.ts"
import { UnusableDatabase } from "./openErrors.ts"

/** Databases up to this size are checked page by page when they are opened, which takes up to 0.1 s. */
const wholeCheckBytesMax = 32 * 1024 * 1024

/** Runs blocking calls on a database that is being opened. Fails with `UnusableDatabase` if SQLite cannot read the file. */
export const attemptOn = <A>(
  file: string,
  run: () => A,
): Effect.Effect<A, UnusableDatabase | StoreUnavailable> =>
  Effect.catchDefect(attempt(`open ${file}`, run), (cause) =>
    isUnreadable(cause)
      ? Effect.fail(new UnusableDatabase({ file, problem: `cannot be read (${cause.message})` }))
      : Effect.die(cause),
  )

/** Fails if a database file is missing or empty. Used if the database must exist already. */
export const expectFile = (file: string): Effect.Effect<void, UnusableDatabase | StoreUnavailable> =>
  Effect.flatMap(
    attempt(`open ${file}`, () => statSync(file, { throwIfNoEntry: false })),
    (found) => {
      if (found === undefined) return Effect.fail(new UnusableDatabase({ file, problem: "is missing" }))
      if (found.isFile() && found.size === 0) {
        return Effect.fail(new UnusableDatabase({ file, problem: "is empty" }))
      }
      return Effect.void
    },
  )

/**
 * Checks a database before the first write to it. Its pages must be consistent, and its tables must be those of Inlet.
 * In a database larger than 32 MiB, only the first row of each table is read. An empty database passes unless
 * `mustExist` is true.
 */
export const checkDatabase = (
  connection: DatabaseSync,
  file: string,
  mustExist: boolean,
): Effect.Effect<void, UnusableDatabase | StoreUnavailable> =>
  Effect.flatMap(
    attemptOn(file, () => problemOf(connection, mustExist)),
    (problem) => (problem === undefined ? Effect.void : Effect.fail(new UnusableDatabase({ file, problem }))),
  )

const problemOf = (connection: DatabaseSync, mustExist: boolean): string | undefined => {
  const tables = connection
    .prepare("PRAGMA table_list")
    .all()
    .map(({ name }) => text(name))
    .filter((name) => !name.startsWith("sqlite_"))
  if (tables.length === 0) return mustExist ? "is empty" : undefined
  if (!tables.includes("migrations")) return "is not one of Inlet's"
  if (sizeOf(connection) > wholeCheckBytesMax) {
    for (const table of tables) connection.prepare(`SELECT * FROM "${table}" LIMIT 1`).get()
    return undefined
  }
  const found = text(connection.prepare("PRAGMA quick_check(1)").get()?.["quick_check"])
  return found === "ok" ? undefined : `is damaged (${found.replaceAll("\n", " ")})`
}

const sizeOf = (connection: DatabaseSync): number =>
  integer(connection.prepare("PRAGMA page_count").get()?.["page_count"]) *
  integer(connection.prepare("PRAGMA page_size").get()?.["page_size"])
