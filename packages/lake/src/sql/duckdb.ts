import type { LakeTable } from "@inlethq/core/ports/LakeFiles"
import { lakeColumns, lakeTables, type LakeColumn } from "../columns.ts"
import { emptyPath, icebergFolder, manifestPath } from "../layout.ts"
import { identifier, literal, rootOf, type Dialect, type ReadLake } from "./Dialect.ts"

const types: Readonly<Record<LakeColumn["type"], string>> = {
  integer: "BIGINT",
  text: "VARCHAR",
  json: "JSON",
  time: "TIMESTAMP",
}

const define = (schema: string, name: string, query: string): string =>
  `CREATE OR REPLACE VIEW ${schema}.${identifier(name)} AS\n${query};\n`

/** Times are those of UTC, whatever the zone of the session is. */
const shownColumns = (table: LakeTable): string =>
  lakeColumns[table]
    .map(({ name, type }) => {
      const stored = identifier(name)
      const value = type === "time" ? `timezone('UTC', ${stored})` : `${stored}::${types[type]}`
      return ` ${value} AS ${stored}`
    })
    .join(",")

export const duckdb: Dialect = {
  begin: (schema, lake) => [
    ...access(lake),
    ...files(schema, lake),
    `CREATE SCHEMA IF NOT EXISTS ${schema};`,
  ],
  root: rootOf,
  table: (schema, name, table) => {
    return define(
      schema,
      name,
      `SELECT${shownColumns(table)}\nFROM read_parquet(getvariable('${schema}').${table}, union_by_name = true)`,
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

/** Reads the tables of Iceberg, whose newest snapshot each query finds itself. */
export const duckdbIceberg: Dialect = {
  ...duckdb,
  begin: (schema, lake) => [
    "INSTALL iceberg; LOAD iceberg;",
    ...access(lake),
    `CREATE SCHEMA IF NOT EXISTS ${schema};`,
  ],
  table: (schema, name, table, { settings, workspace }) => {
    const place = literal(`${rootOf(settings)}/${icebergFolder(workspace, table)}`)
    return define(schema, name, `SELECT${shownColumns(table)}\nFROM iceberg_scan(${place})`)
  },
}

/** A JSON pointer can name every key, which the paths of DuckDB cannot. */
const pointerTo = (key: string): string => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`

const access = ({ settings }: ReadLake): ReadonlyArray<string> =>
  settings.target === "s3"
    ? [
        "INSTALL httpfs; LOAD httpfs;",
        `-- CREATE SECRET (TYPE s3, KEY_ID ${literal(settings.accessKeyId)}, SECRET '…', REGION ${literal(settings.region)},`,
        `--   ENDPOINT ${literal(new URL(settings.endpoint).host)}, URL_STYLE 'path', USE_SSL ${settings.endpoint.startsWith("https")});`,
      ]
    : []

/** Reads the list of files, so that the same statements find the files that are there later. */
const files = (schema: string, { settings, workspace }: ReadLake): ReadonlyArray<string> => {
  const root = rootOf(settings)
  const lists = lakeTables.map(
    (table) =>
      `  ${table}: [${literal(`${root}/${emptyPath(workspace, table)}`)}] || coalesce(list(${literal(`${root}/`)} || file.path) FILTER (file."table" = '${table}'), [])`,
  )
  return [
    "-- Run this statement again in a session that stays open, to see later files.",
    `SET VARIABLE ${schema} = (SELECT {\n${lists.join(",\n")}\n} FROM (SELECT unnest(files) AS file`,
    `FROM read_json(${literal(`${root}/${manifestPath(workspace)}`)}, columns = {files: 'STRUCT("table" VARCHAR, path VARCHAR)[]'})));`,
  ]
}
