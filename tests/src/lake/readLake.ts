import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { lakeColumns } from "@inlet/lake/columns"
import { decodeManifest, type Manifest } from "@inlet/lake/Manifest"
import { Effect } from "effect"
import { queryDuckDb, type Shown } from "./duckDb.ts"

/** Reads the manifest of the lake of workspace 1 in a folder. */
export const readManifest = async (folder: string): Promise<Manifest> =>
  Effect.runPromise(decodeManifest(await readFile(join(folder, "lake/1/_manifest.json"), "utf8")))

/** Returns the paths of the files of a table, for a list in SQL. */
const filesOf = (folder: string, { files }: Manifest, table: keyof typeof lakeColumns): string =>
  files
    .filter((file) => file.table === table)
    .map(({ path }) => `'${join(folder, path)}'`)
    .join(", ")

/** Reads all rows of activity with DuckDB, with times in milliseconds. */
export const activityInDuckDb = (folder: string, manifest: Manifest): Promise<ReadonlyArray<Shown>> => {
  const columns = lakeColumns.activity.map(({ name, type }) =>
    type === "time" ? `CAST(epoch_ms(${name}) AS VARCHAR) AS ${name}` : `CAST(${name} AS VARCHAR) AS ${name}`,
  )
  const files = filesOf(folder, manifest, "activity")
  return queryDuckDb(
    `SELECT ${columns.join(", ")} FROM read_parquet([${files}]) AS stored ORDER BY stored.position`,
  )
}
