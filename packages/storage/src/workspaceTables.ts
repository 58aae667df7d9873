import { installationTables, transferTables } from "./transfer/transferTables.ts"

/** A table with data of workspaces, and the columns that identify a row in its workspace. */
export interface WorkspaceTable {
  readonly name: string
  readonly key: ReadonlyArray<string>
}

/** The row in `workspaces` is deleted at once, and the installation's own tables have no rows of workspaces. */
const kept = new Set<string>(["workspaces", "heads", ...installationTables.map(({ name }) => name)])

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
