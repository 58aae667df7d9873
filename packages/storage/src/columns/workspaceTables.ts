import { installationTables, transferTables, unitedTables } from "./transferTables.ts"

/** A table with data of workspaces, and the columns that identify a row in its workspace. */
export interface WorkspaceTable {
  readonly name: string
  readonly key: ReadonlyArray<string>
}

/**
 * The row in `workspaces` is deleted at once, the installation's own tables have no rows of workspaces, and the erasure
 * ledger must be there when a backup of the workspace is restored.
 */
const kept = new Set<string>([
  "workspaces",
  "heads",
  ...installationTables.map(({ name }) => name),
  ...unitedTables,
])

/**
 * The tables whose rows are erased when their workspace is deleted, in order. Deleted people come first, so that nothing
 * else erases them at the same time. The table `heads` is missing, because its row marks the workspace as deleted until
 * all other rows are erased.
 */
export const workspaceTables: ReadonlyArray<WorkspaceTable> = transferTables
  .filter(({ name }) => !kept.has(name))
  .map(({ columns, keyColumns, name }) => ({
    name,
    key: columns.slice(0, keyColumns).map((column) => column.name),
  }))
  .toSorted((a, b) => Number(b.name === "subjects") - Number(a.name === "subjects"))

/** The counts of the log, which each database derives from it (`logCounts.ts`). */
export const countsTable: WorkspaceTable = { name: "log_counts", key: ["block", "kind", "outcome"] }
