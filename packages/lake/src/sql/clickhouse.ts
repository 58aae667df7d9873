import type { LakeTable } from "@inlethq/core/ports/LakeFiles"
import { lakeColumns, type LakeColumn } from "../columns.ts"
import { lakeFolder, manifestPath } from "../layout.ts"
import { rootOf, type Dialect, type ReadLake } from "./Dialect.ts"

const types: Readonly<Record<LakeColumn["type"], string>> = {
  integer: "Nullable(Int64)",
  text: "Nullable(String)",
  json: "Nullable(String)",
  time: "Nullable(DateTime64(3, 'UTC'))",
}

/** A backslash escapes the next character in literals and identifiers of ClickHouse. */
const escaped = (text: string, quote: string): string =>
  `${quote}${text.replaceAll("\\", "\\\\").replaceAll(quote, `\\${quote}`)}${quote}`

const name = (text: string): string => escaped(text, "`")
const literal = (text: string): string => escaped(text, "'")

const define = (schema: string, view: string, query: string): string =>
  `CREATE OR REPLACE VIEW ${schema}.${name(view)} AS\n${query};\n`

/** What ClickHouse reads as a pattern in the path of a file. */
const patterns = /[*?{}[\]]/

/** Returns the address of a bucket. ClickHouse takes URLs with the scheme `s3` for buckets of Amazon, whatever the endpoint is. */
const addressOf = (settings: ReadLake["settings"]): string => {
  if (settings.target === "folder") return rootOf(settings)
  const key = pathOf(settings).split("/").map(encodeURIComponent).join("/")
  return `${settings.endpoint.replace(/\/+$/, "")}/${key}`
}

/** Returns how ClickHouse begins the paths of the files: with the folder, or with the bucket. */
const pathOf = (settings: ReadLake["settings"]): string => rootOf(settings).replace(/^s3:\/\//, "")

/** Returns the table function that reads files. What the schema is called, the named collection with the key of a bucket is, too. */
const filesAt = (
  schema: string,
  { target }: ReadLake["settings"],
  url: string,
  format: string,
  structure: string,
): string =>
  target === "s3"
    ? `s3(${schema}, url = ${literal(url)}, format = ${literal(format)}, structure = ${literal(structure)})`
    : `file(${literal(url)}, ${literal(format)}, ${literal(structure)})`

/**
 * Returns a query of the files of a table that are in the manifest at the time of the query, or null if the address of the lake
 * looks like a pattern.
 */
const listedFiles = (
  schema: string,
  { settings, workspace }: ReadLake,
  table: LakeTable,
  structure: string,
): string | null => {
  const root = addressOf(settings)
  const paths = pathOf(settings)
  if (patterns.test(paths)) return null
  const pattern = `${root}/${lakeFolder(workspace)}/${table}/**`
  const manifest = filesAt(
    schema,
    settings,
    `${root}/${manifestPath(workspace)}`,
    "JSONAsString",
    "json String",
  )
  return `SELECT * FROM ${filesAt(schema, settings, pattern, "Parquet", structure)}
WHERE _path IN (SELECT concat(${literal(`${paths}/`)}, JSONExtractString(arrayJoin(JSONExtractArrayRaw(json, 'files')), 'path'))
  FROM ${manifest})`
}

export const clickhouse: Dialect = {
  begin: (schema, { settings }) => [
    settings.target === "folder"
      ? "-- A ClickHouse server reads files below its user_files_path only. Make the folder of the lake one of them."
      : `-- CREATE NAMED COLLECTION ${schema} AS access_key_id = ${literal(settings.accessKeyId)}, secret_access_key = '…';`,
    `CREATE DATABASE IF NOT EXISTS ${schema};`,
  ],
  root: addressOf,
  table: (schema, view, table, lake, urls) => {
    const columns = lakeColumns[table]
    const structure = columns.map((column) => `${name(column.name)} ${types[column.type]}`).join(", ")
    const listed = listedFiles(schema, lake, table, structure)
    if (listed !== null) return define(schema, view, listed)
    const empty = columns
      .map((column) => `CAST(NULL AS ${types[column.type]}) AS ${name(column.name)}`)
      .join(", ")
    const source = (url: string) => filesAt(schema, lake.settings, url, "Parquet", structure)
    return define(
      schema,
      view,
      urls.length === 0
        ? `SELECT ${empty} WHERE 0`
        : urls.map((url) => `SELECT * FROM ${source(url)}`).join("\nUNION ALL\n"),
    )
  },
  view: define,
  use: (schema) => `USE ${schema};`,
  field: (key, type) => {
    switch (type) {
      case "number":
        return `JSONExtract(ifNull(data, ''), ${literal(key)}, 'Nullable(Float64)')`
      case "boolean":
        return `JSONExtract(ifNull(data, ''), ${literal(key)}, 'Nullable(Bool)')`
      case "text":
        return `JSONExtract(ifNull(data, ''), ${literal(key)}, 'Nullable(String)')`
      case "json":
        return `nullIf(JSONExtractRaw(ifNull(data, ''), ${literal(key)}), '')`
    }
  },
  literal,
  identifier: name,
  latest: (column) => `tupleElement(argMax(tuple(${column}), position), 1)`,
}
