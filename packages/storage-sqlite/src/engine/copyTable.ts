/**
 * If this table exists, a copy of data into this database was started and has not finished. The table contains the plan
 * and the progress of the copy.
 */
export const copyTable = "copy_progress"

/**
 * The methods of a connection that the functions of this file use. The functions also work before the store has opened
 * the database.
 */
interface Preparing {
  prepare(sql: string): {
    get(...parameters: ReadonlyArray<string>): unknown
    run(...parameters: ReadonlyArray<string>): unknown
  }
}

/** Returns whether a copy of data into a database was started and has not finished. */
export const hasCopyTable = (database: Preparing): boolean =>
  database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(copyTable) !==
  undefined

export const createCopyTable = (database: Preparing): void =>
  void database
    .prepare(`CREATE TABLE ${copyTable} (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID`)
    .run()

export const dropCopyTable = (database: Preparing): void =>
  void database.prepare(`DROP TABLE ${copyTable}`).run()
