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

/**
 * Returns a query of the files of a table that are in the manifest at the time of the query, or null if the lake is in a bucket or
 * its folder looks like a pattern.
 */
const listedFiles = (
  { settings, workspace }: ReadLake,
  table: LakeTable,
  structure: string,
): string | null => {
  const root = rootOf(settings)
  if (settings.target !== "folder" || patterns.test(root)) return null
  const pattern = `${root}/${lakeFolder(workspace)}/${table}/**`
  const manifest = `file(${literal(`${root}/${manifestPath(workspace)}`)}, 'JSONAsString', 'json String')`
  return `SELECT * FROM file(${literal(pattern)}, 'Parquet', ${literal(structure)})
WHERE _path IN (SELECT concat(${literal(`${root}/`)}, JSONExtractString(arrayJoin(JSONExtractArrayRaw(json, 'files')), 'path'))
  FROM ${manifest})`
}

export const clickhouse: Dialect = {
  begin: (schema, { settings }) => [
    settings.target === "folder"
      ? "-- A ClickHouse server reads files below its user_files_path only. Make the folder of the lake one of them."
      : `-- CREATE NAMED COLLECTION ${schema} AS access_key_id = ${literal(settings.accessKeyId)}, secret_access_key = '…';`,
    `CREATE DATABASE IF NOT EXISTS ${schema};`,
  ],
  root: (settings) => {
    if (settings.target === "folder") return rootOf(settings)
    // ClickHouse takes URLs with the scheme `s3` for buckets of Amazon, whatever the endpoint is.
    return rootOf(settings).replace("s3://", `${settings.endpoint.replace(/\/+$/, "")}/`)
  },
  table: (schema, view, table, lake, urls) => {
    const columns = lakeColumns[table]
    const structure = columns.map((column) => `${name(column.name)} ${types[column.type]}`).join(", ")
    const listed = listedFiles(lake, table, structure)
    if (listed !== null) return define(schema, view, listed)
    const empty = columns
      .map((column) => `CAST(NULL AS ${types[column.type]}) AS ${name(column.name)}`)
      .join(", ")
    const source = (url: string) =>
      /^https?:/.test(url)
        ? `s3(${schema}, url = ${literal(url)}, format = 'Parquet', structure = ${literal(structure)})`
        : `file(${literal(url)}, 'Parquet', ${literal(structure)})`
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
