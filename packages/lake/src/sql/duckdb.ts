import type { LakeColumn } from "../columns.ts"
import { identifier, literal, rootOf, type Dialect } from "./Dialect.ts"

const types: Readonly<Record<LakeColumn["type"], string>> = {
  integer: "BIGINT",
  text: "VARCHAR",
  json: "JSON",
  time: "TIMESTAMP",
}

const define = (schema: string, name: string, query: string): string =>
  `CREATE OR REPLACE VIEW ${schema}.${identifier(name)} AS\n${query};\n`

export const duckdb: Dialect = {
  begin: (schema, settings) => [
    ...(settings.target === "s3"
      ? [
          "INSTALL httpfs; LOAD httpfs;",
          `-- CREATE SECRET (TYPE s3, KEY_ID ${literal(settings.accessKeyId)}, SECRET '…', REGION ${literal(settings.region)},`,
          `--   ENDPOINT ${literal(new URL(settings.endpoint).host)}, URL_STYLE 'path', USE_SSL ${settings.endpoint.startsWith("https")});`,
        ]
      : []),
    `CREATE SCHEMA IF NOT EXISTS ${schema};`,
  ],
  root: rootOf,
  table: (schema, name, columns, urls) => {
    const shown = columns.map(
      (column) => ` ${identifier(column.name)}::${types[column.type]} AS ${identifier(column.name)}`,
    )
    const empty = columns.map((column) => ` NULL::${types[column.type]} AS ${identifier(column.name)}`)
    return define(
      schema,
      name,
      urls.length === 0
        ? `SELECT${empty.join(",")} WHERE false`
        : `SELECT${shown.join(",")}\nFROM read_parquet([\n  ${urls.map(literal).join(",\n  ")}\n])`,
    )
  },
  view: define,
  use: (schema) => `USE ${schema};`,
  field: (key, type) => {
    const value = (extract: string) => `${extract}(data, ${literal(pointerTo(key))})`
    switch (type) {
      case "number":
        return `TRY_CAST(${value("json_extract_string")} AS DOUBLE)`
      case "boolean":
        return `TRY_CAST(${value("json_extract_string")} AS BOOLEAN)`
      case "text":
        return value("json_extract_string")
      case "json":
        return value("json_extract")
    }
  },
  literal,
  identifier,
  latest: (column) => `arg_max_null(${column}, position)`,
}

/** A JSON pointer can name every key, which the paths of DuckDB cannot. */
const pointerTo = (key: string): string => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`
