import type { WorkspaceId } from "@inlethq/core/values/Identifier"

/*
 * The tables that a copy moves from one store to another. Both SQL stores have these tables, with the same contents.
 * All other data of a store are derived from these tables or belong to that store alone.
 */

/** The number in the column `workspace` of rows that belong to the whole installation. */
export const wholeInstallation = 0

/** The owner of rows: a workspace or the whole installation. */
export type RowOwner = WorkspaceId | typeof wholeInstallation

/** A value of a column. Texts have their stored form, as `toStored` returns it. */
export type Value = string | number | null

/** The values of one row, in the order of the columns of its table. */
export type TransferRow = ReadonlyArray<Value>

/** A table of a workspace's data. The list of columns does not contain the workspace. */
export interface TransferTable {
  readonly name: TransferTableName
  readonly columns: ReadonlyArray<Column>
  /**
   * The number of leading columns that identify a row in its workspace. Zero if the table has only one row per
   * workspace.
   */
  readonly keyColumns: number
  /** The columns with long texts. A page ends when these texts reach `transferLengthMax` in total. */
  readonly longTexts: ReadonlyArray<string>
}

export interface Column {
  readonly name: string
  readonly type: "integer" | "text"
}

const transferTableNames = [
  "workspaces",
  "keys",
  "heads",
  "subjects",
  "identifiers",
  "links",
  "sizes",
  "segment_sizes",
  "addressed",
  "erased_addresses",
  "suppressions",
  "erasures",
  "erasure_receipts",
  "leaf_states",
  "senders",
  "contexts",
  "activity",
  "entry_parts",
  "rejected_calls",
  "uploads",
  "imports",
  "import_errors",
  "import_error_names",
  "log_cursors",
  "lake_files",
  "lake_erasures",
  "lake_rewrites",
  "type_summaries",
  "cause_summaries",
  "dismissals",
  "saved_views",
  "alerts",
  "webhooks",
  "webhook_progress",
  "webhook_held",
  "webhook_attempts",
  "forwards",
  "forward_names",
  "destination_hours",
  "management_tokens",
  "console_sessions",
  "spent_sign_ins",
  "audit_log",
] as const
export type TransferTableName = (typeof transferTableNames)[number]

/** Returns a table. `columns` lists the names of all columns, with a `$` before the name of each text column. */
const table = (
  name: TransferTableName,
  keyColumns: number,
  columns: string,
  ...longTexts: ReadonlyArray<string>
): TransferTable => ({
  name,
  keyColumns,
  longTexts,
  columns: columns
    .split(" ")
    .map((column) =>
      column.startsWith("$") ? { name: column.slice(1), type: "text" } : { name: column, type: "integer" },
    ),
})

/** The tables in the order in which they are copied. */
export const transferTables: ReadonlyArray<TransferTable> = [
  table("workspaces", 0, "$doc"),
  table("keys", 1, "number $id $kind $name $site_id $digest created $prefix last_used expires $scope"),
  table("heads", 0, "next_key next_sequence latest_receipt records pruned_to rules_version"),
  table("subjects", 1, "key state owner $name created updated $doc", "doc"),
  table("identifiers", 1, "$text subject"),
  table("links", 2, "target subject cleaned"),
  table("sizes", 1, "subject size"),
  table("segment_sizes", 2, "segment day size"),
  table("addressed", 2, "$address delivery cleaned"),
  table("erased_addresses", 2, "$address subject before"),
  table("suppressions", 1, "$digest group_key"),
  table("erasures", 2, "at position $doc", "doc"),
  table(
    "erasure_receipts",
    2,
    "at position $doc events entries mentions deliveries answers first_entry last_entry",
    "doc",
  ),
  table("leaf_states", 2, "subject leaf $ring due", "ring"),
  table("senders", 1, "id $doc"),
  table("contexts", 1, "number $digest $json", "json"),
  table(
    "activity",
    1,
    "sequence subject kind $name source outcome at received processed $claim parts $detail rule_code reason_code anonymous_code sender context",
    "detail",
  ),
  table("entry_parts", 3, "sequence subject place $doc", "doc"),
  table("rejected_calls", 1, "sequence received characters $doc", "doc"),
  table("uploads", 1, "$name $digest at"),
  table("imports", 1, "$id ended version $doc", "doc"),
  table("import_errors", 2, "$job number line $message", "message"),
  table("import_error_names", 3, "$digest $job number"),
  table("log_cursors", 1, "$destination token sequence"),
  table("lake_files", 1, "$path replaced $doc", "doc"),
  table("lake_erasures", 1, "position subject received"),
  table("lake_rewrites", 2, "position $path $doc", "doc"),
  table("type_summaries", 2, "$kind $name $doc $shape", "doc", "shape"),
  table("cause_summaries", 1, "$cause $doc", "doc"),
  table("dismissals", 2, "subject other at"),
  table("saved_views", 1, "$id created $page $name $doc"),
  table("alerts", 1, "$id began began_mark ended ended_mark $doc"),
  table("webhooks", 1, "$id created $doc"),
  table("webhook_progress", 1, "$webhook position $ahead attempts first_tries removed", "ahead"),
  table(
    "webhook_held",
    2,
    "$webhook position subject state attempts next_at expires_at in_order received_at held_at",
  ),
  table("webhook_attempts", 2, "$webhook key position number at status first_try $doc"),
  table("forwards", 1, "$id created $doc"),
  table("forward_names", 2, "position $forward at $sealed", "sealed"),
  table("destination_hours", 2, "$destination hour entries lag_entries lag_ms"),
  table("management_tokens", 1, "$id created used $doc"),
  table("console_sessions", 1, "$id $principal created expires $doc"),
  table("spent_sign_ins", 1, "$digest expires"),
  table("audit_log", 1, "position $doc", "doc"),
]

/**
 * The tables of which the target may already have rows: the erasure ledger and its receipts stay when their workspace is deleted, and the
 * workspace can be copied back.
 */
export const unitedTables: ReadonlySet<string> = new Set<TransferTableName>(["erasures", "erasure_receipts"])

/** Returns the columns of a table, without the workspace. */
export const columnsOf = (name: TransferTableName): ReadonlyArray<Column> =>
  transferTables.find((one) => one.name === name)?.columns ?? []

const installationNames = new Set<TransferTableName>([
  "management_tokens",
  "console_sessions",
  "spent_sign_ins",
  "audit_log",
])

/**
 * The tables that belong to the installation. Only a copy of all workspaces moves their rows. The audit log has rows
 * about single workspaces too: they stay when their workspace is deleted, because they say who deleted it.
 */
export const installationTables = transferTables.filter(({ name }) => installationNames.has(name))

/**
 * The key of the last row of a page, after which the next page begins. The source store may have shortened the texts in
 * the key.
 */
export type TransferCursor = ReadonlyArray<string | number>

/**
 * Returns the cursor before the first row of a table. For each key column, the cursor has 0 or an empty text, because
 * key columns contain only positive integers and non-empty texts.
 */
export const firstCursor = ({ columns, keyColumns }: TransferTable): TransferCursor =>
  columns.slice(0, keyColumns).map(({ type }) => (type === "text" ? "" : 0))

/** The largest number of rows on one page. */
export const transferRowsMax = 1000

/**
 * A page ends when the texts in the columns `longTexts` of its rows reach this total length, in UTF-16 code units in
 * SQLite and in bytes in PostgreSQL.
 */
export const transferLengthMax = 1024 * 1024
