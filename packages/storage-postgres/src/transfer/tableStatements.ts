import { unitedTables, type Column, type TransferTable } from "@inlethq/storage/columns/transferTables"

/** The SQL statements that read and write one table when data are copied from or to a PostgreSQL store. */
export interface TableStatements {
  /**
   * Reads a page. The parameters are the workspace, the largest number of rows, the largest number of bytes of the long
   * texts on the page, and the cursor. The row that exceeds this number of bytes is the last row of the page.
   */
  readonly read: string
  /** Inserts rows. The parameters are the workspace, and one array for each column of `writtenColumns`. */
  readonly write: string
  /** The columns to write, each with the index of its value in a row. */
  readonly writtenColumns: ReadonlyArray<readonly [column: Column, place: number]>
}

/**
 * Columns that this store saves in another form than the other stores. `read` is the SQL that reads the column. In
 * `write`, `$` stands for the value to save. An empty `write` saves the value unchanged.
 */
const expressions: Readonly<Record<string, { readonly read: string; readonly write: string }>> = {
  "activity.claim": { read: "coalesce(long_claim, claim)", write: "" },
  "webhook_progress.removed": { read: "removed::integer", write: "$ = 1" },
}

/** Returns the SQL that copies the rows of a table from or to a PostgreSQL store. */
export const statementsOf = (table: TransferTable): TableStatements => ({
  read: readSql(table),
  ...writeSql(table),
})

const readSql = ({ columns, keyColumns, longTexts, name }: TransferTable): string => {
  const workspaceColumn = name === "workspaces" ? "id" : "workspace"
  const selected = columns.map((column) => expressions[`${name}.${column.name}`]?.read ?? column.name)
  if (keyColumns === 0) return `SELECT ${selected.join(", ")} FROM ${name} WHERE ${workspaceColumn} = $1`
  const key = columns.slice(0, keyColumns)
  const order = key.map((column) => column.name).join(", ")
  const from = key.map(({ type }, index) => `$${index + 4}::${type === "text" ? "text" : "bigint"}`)
  const length = longTexts.map((column) => `octet_length(${column})`).join(" + ") || "0"
  // `before_row` is the total size of the rows before a row. The first row has the `before_row` 0, so a page always has
  // at least one row.
  return `
    SELECT ${selected.join(", ")} FROM (
      SELECT *, sum(${length}) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING) - ${length} AS before_row FROM (
        SELECT * FROM ${name} WHERE ${workspaceColumn} = $1 AND (${order}) > (${from.join(", ")})
        ORDER BY ${order} LIMIT $2
      ) AS page
    ) AS sized WHERE before_row < $3 ORDER BY ${order}`
}

const writeSql = ({ columns, name }: TransferTable): Omit<TableStatements, "read"> => {
  // API keys are numbered in the whole installation, so a copied key gets a new number in this database.
  const writtenColumns = columns
    .map((column, place) => [column, place] as const)
    .filter(([column]) => name !== "keys" || column.name !== "number")
  const workspaceColumn = name === "workspaces" ? "id" : "workspace"
  const names = writtenColumns.map(([column]) => column.name)
  const values = names.map((column) => {
    const expression = expressions[`${name}.${column}`]?.write ?? ""
    return expression === "" ? column : expression.replace("$", column)
  })
  const arrays = writtenColumns.map(
    ([{ type }], index) => `$${index + 2}::${type === "text" ? "text" : "bigint"}[]`,
  )
  return {
    writtenColumns,
    write: `
      INSERT INTO ${name} (${[workspaceColumn, ...names].join(", ")})
      SELECT $1, ${values.join(", ")} FROM unnest(${arrays.join(", ")}) AS given (${names.join(", ")})${unitedTables.has(name) ? " ON CONFLICT DO NOTHING" : ""}`,
  }
}
