import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { lakeColumns } from "@inlethq/lake/columns"
import { decodeManifest, type Manifest } from "@inlethq/lake/Manifest"
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

/** Returns the files below a folder that contain one of some texts, as bytes or in a value that DuckDB reads. */
export const filesWith = async (
  folder: string,
  texts: ReadonlyArray<string>,
): Promise<ReadonlyArray<string>> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const found: Array<string> = []
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name)
    const bytes = await readFile(path)
    const rows = path.endsWith(".parquet") ? await queryDuckDb(`SELECT * FROM read_parquet('${path}')`) : []
    const shown = JSON.stringify(rows)
    for (const text of texts) {
      if (bytes.includes(text) || shown.includes(text)) found.push(`${text} in ${path}`)
    }
  }
  return found
}
