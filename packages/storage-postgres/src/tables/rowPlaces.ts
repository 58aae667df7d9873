/*
 * SQL that finds rows by a list of keys, with one index lookup for each key. `OFFSET 0` enforces these lookups.
 * Otherwise PostgreSQL may join the list with the whole table. Such a join is fast only while the table has the size
 * that its statistics show. Statements then change the found rows by their location (`ctid`). A location is valid until
 * another transaction changes the row. The lock on the workspace's row in `heads`, or on the row itself, prevents such
 * changes.
 */

/**
 * Returns SQL that selects a list of keys together with the location (`ctid`) of the table row for each key. Leaves out
 * keys without a row.
 */
export const withPlaces = (table: string, list: string, condition: string): string => `
  SELECT wanted.*, found.place FROM ${list} CROSS JOIN LATERAL (
    SELECT ctid AS place FROM ${table} WHERE ${table}.workspace = $1 AND ${condition} OFFSET 0
  ) AS found`

/**
 * Returns an SQL condition that is true for a row of `table` if `list` contains the key of the row. `condition`
 * compares the row with a key of the list.
 */
export const isListed = (table: string, list: string, condition: string): string =>
  `${table}.ctid = ANY (ARRAY(SELECT place FROM (${withPlaces(table, list, condition)}) AS places))`
