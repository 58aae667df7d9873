import { sqlRowId } from "../engine/rowIds.ts"

const cursor = "coalesce((SELECT sequence FROM log_cursors WHERE workspace = ?1 AND destination = 'lake'), 0)"

/**
 * SQL for the receipt time of the first entry of workspace `?1` that its lake has not read. Null if it has read all
 * entries, or if there is no lake.
 */
export const sqlUnreadByLake = `
  CASE WHEN (SELECT json_extract(doc, '$.lake') FROM workspaces WHERE id = ?1) IS NOT NULL THEN (
    SELECT received FROM activity WHERE id > ${sqlRowId("?1", cursor)} AND id < ${sqlRowId("(?1 + 1)", "0")} ORDER BY id LIMIT 1
  ) END`
