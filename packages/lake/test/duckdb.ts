import { DuckDBInstance } from "@duckdb/node-api"

/** A value as DuckDB shows it in JSON. */
export type Shown = Readonly<Record<string, unknown>>

/** Runs statements in a new database in memory, and returns the rows of the last one. */
export const queryDuckDb = async (...statements: ReadonlyArray<string>): Promise<ReadonlyArray<Shown>> => {
  const database = await DuckDBInstance.create(":memory:")
  const connection = await database.connect()
  try {
    let rows: ReadonlyArray<Shown> = []
    for (const statement of statements) {
      rows = (await connection.runAndReadAll(statement)).getRowObjectsJson()
    }
    return rows
  } finally {
    connection.closeSync()
    database.closeSync()
  }
}
