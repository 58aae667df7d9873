import type { LakeColumn } from "../columns.ts"
import { identifier, literal, rootOf, type Dialect } from "./Dialect.ts"

const types: Readonly<Record<LakeColumn["type"], string>> = {
  integer: "bigint",
  text: "text",
  json: "text",
  time: "timestamp",
}

/** PostgreSQL cannot replace a view by one with other columns. */
const define = (schema: string, name: string, query: string): string =>
  `DROP VIEW IF EXISTS ${schema}.${identifier(name)} CASCADE;
CREATE VIEW ${schema}.${identifier(name)} AS\n${query};\n`

/** PostgreSQL reads Parquet with the extension pg_duckdb. */
export const postgres: Dialect = {
  begin: (schema) => ["CREATE EXTENSION IF NOT EXISTS pg_duckdb;", `CREATE SCHEMA IF NOT EXISTS ${schema};`],
  root: rootOf,
  table: (schema, name, columns, urls) => {
    const shown = columns.map(
      (column) => ` r[${literal(column.name)}]::${types[column.type]} AS ${identifier(column.name)}`,
    )
    const empty = columns.map((column) => ` NULL::${types[column.type]} AS ${identifier(column.name)}`)
    return define(
      schema,
      name,
      urls.length === 0
        ? `SELECT${empty.join(",")} WHERE false`
        : `SELECT${shown.join(",")}\nFROM read_parquet(ARRAY[\n  ${urls.map(literal).join(",\n  ")}\n]) AS r`,
    )
  },
  view: define,
  use: (schema) => `SET search_path TO ${schema}, public;`,
  field: (key, type) => {
    const json = `(data::json -> ${literal(key)})`
    const text = `(data::json ->> ${literal(key)})`
    const only = (name: string, cast: string) =>
      `CASE WHEN json_typeof(${json}) = '${name}' THEN ${text}::${cast} END`
    switch (type) {
      case "number":
        return only("number", "double precision")
      case "boolean":
        return only("boolean", "boolean")
      case "text":
        return text
      case "json":
        return `${json}::text`
    }
  },
  literal,
  identifier,
  latest: (column) => `(array_agg(${column} ORDER BY position DESC))[1]`,
}
