import { countsTable } from "@inlethq/storage/columns/workspaceTables"
import { transferTables, type TransferTableName } from "@inlethq/storage/columns/transferTables"
import { headsTable } from "../engine/isDistributed.ts"

/** Small tables that every server of Citus has whole. Their unique keys do not contain a workspace, or any statement may join them. */
export const referenceTables = [
  "workspaces",
  "keys",
  "installation",
  "management_tokens",
  "console_sessions",
  "spent_sign_ins",
] as const

/** Tables that stay on the coordinator: they say which nodes run and what they work with. */
export const coordinatorTables = ["leases", "nodes", "migrations"] as const

const isReference = (name: TransferTableName): boolean =>
  referenceTables.some((reference) => reference === name)

/** The tables that are distributed by their column `workspace`, the first of them first. */
export const distributedTables: ReadonlyArray<string> = [
  headsTable,
  ...transferTables.map(({ name }) => name).filter((name) => name !== headsTable && !isReference(name)),
  countsTable.name,
  "writers",
  "import_parts",
  "export_parts",
]
