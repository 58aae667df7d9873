import { lakeColumns, type LakeColumn } from "../columns.ts"
import { rootOf, type Dialect } from "./Dialect.ts"

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
  table: (schema, view, table, urls) => {
    const columns = lakeColumns[table]
    const structure = columns.map((column) => `${name(column.name)} ${types[column.type]}`).join(", ")
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
