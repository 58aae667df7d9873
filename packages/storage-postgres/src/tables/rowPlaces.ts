/*
 * SQL that finds rows by the keys in a list with one index lookup for each key. PostgreSQL may otherwise join the list with the whole table,
 * which is fast only for the table sizes that its statistics show. `OFFSET 0` keeps the lookups as they are written. A place (`ctid`) is
 * valid until another transaction changes the row, which the lock on the head prevents.
 */

/** Returns SQL that selects the columns of a list and the places of the rows that match them. */
export const withPlaces = (table: string, list: string, condition: string): string => `
  SELECT wanted.*, found.place FROM ${list} CROSS JOIN LATERAL (
    SELECT ctid AS place FROM ${table} WHERE ${table}.workspace = $1 AND ${condition} OFFSET 0
  ) AS found`

/** Returns an SQL condition that is true for the rows of a table that match a list. */
export const isListed = (table: string, list: string, condition: string): string =>
  `${table}.ctid = ANY (ARRAY(SELECT place FROM (${withPlaces(table, list, condition)}) AS places))`
