/*
 * SQL that finds rows by a list of keys, with one index lookup for each key. Without these lookups, PostgreSQL may join
 * the list with the whole table, which is fast only while the table has the size that its statistics show. `OFFSET 0`
 * prevents such a join. A row is then changed by its location (`ctid`). The location stays valid until another
 * transaction changes the row, which the lock on the workspace's row in `heads` prevents.
 */

/** Returns SQL that selects the columns of a list, each with the location (`ctid`) of the table row that matches. */
export const withPlaces = (table: string, list: string, condition: string): string => `
  SELECT wanted.*, found.place FROM ${list} CROSS JOIN LATERAL (
    SELECT ctid AS place FROM ${table} WHERE ${table}.workspace = $1 AND ${condition} OFFSET 0
  ) AS found`

/** Returns an SQL condition that is true for the rows of a table that match a list. */
export const isListed = (table: string, list: string, condition: string): string =>
  `${table}.ctid = ANY (ARRAY(SELECT place FROM (${withPlaces(table, list, condition)}) AS places))`
