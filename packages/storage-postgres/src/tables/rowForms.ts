import type { RowForm } from "../engine/RowForm.ts"

/*
 * SQL that changes rows by a list of keys. It has two forms:
 *
 * - `placed`, on plain PostgreSQL: one index lookup for each key finds the location of the row (`ctid`), and the statement
 *   changes the rows at these locations. `OFFSET 0` enforces the lookups. Otherwise PostgreSQL may join the list with the
 *   whole table, and such a join is fast only while the table has the size that its statistics show. A location is valid
 *   until another transaction changes the row. The lock on the workspace's row in `heads`, or on the row itself, prevents
 *   such changes.
 * - `keyed`, in a database whose tables are distributed: the statement names the keys. A location means something on one
 *   shard only, and the shards plan each statement with their own statistics.
 */

/** A statement in both forms. */
export type FormedSql = Readonly<Record<RowForm, string>>

/** A table whose rows are chosen by their keys. */
interface KeyedTable {
  readonly name: string
  /** The columns that identify a row in its workspace. */
  readonly key: ReadonlyArray<string>
}

/** The parts of a statement that differ between the forms. `$1` is the workspace. */
export interface RowSql {
  /**
   * A condition that is true for a row of `table` if `list`, which is called `wanted`, has its key. `condition` compares
   * the columns of the table, with its name before them, with those of the list.
   */
  listed(table: string, list: string, condition: string): string
  /** `FROM` and `WHERE` of an UPDATE of the listed rows. Its values are the columns of `wanted`. */
  fromListed(table: string, list: string, condition: string): string
  /** A condition that is true for the first rows in the order of their keys. `$2` is their number. */
  first(table: KeyedTable): string
}

/** Writes a statement in both forms. */
export const inBothForms = (build: (rows: RowSql) => string): FormedSql => ({
  placed: build(placed),
  keyed: build(keyed),
})

const places = (table: string, list: string, condition: string): string => `
  SELECT wanted.*, found.place FROM ${list} CROSS JOIN LATERAL (
    SELECT ctid AS place FROM ${table} WHERE ${table}.workspace = $1 AND ${condition} OFFSET 0
  ) AS found`

const placed: RowSql = {
  listed: (table, list, condition) =>
    `${table}.ctid = ANY (ARRAY(SELECT place FROM (${places(table, list, condition)}) AS places))`,
  fromListed: (table, list, condition) =>
    `FROM (${places(table, list, condition)}) AS wanted WHERE ${table}.ctid = wanted.place`,
  first: ({ key, name }) =>
    `ctid = ANY (ARRAY(SELECT ctid FROM ${name} WHERE workspace = $1 ORDER BY ${["workspace", ...key].join(", ")} LIMIT $2))`,
}

const keyed: RowSql = {
  listed: (table, list, condition) =>
    `${table}.workspace = $1 AND EXISTS (SELECT FROM ${list} WHERE ${condition})`,
  fromListed: (table, list, condition) => `FROM ${list} WHERE ${table}.workspace = $1 AND ${condition}`,
  first: ({ key, name }) => {
    const columns = key.join(", ")
    return `workspace = $1 AND (${columns}) IN (SELECT ${columns} FROM ${name} WHERE workspace = $1 ORDER BY ${columns} LIMIT $2)`
  },
}
