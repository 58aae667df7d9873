import { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { TransferSource, TransferTarget } from "@inlethq/storage/transfer/Transfer"
import {
  wholeInstallation,
  type RowOwner,
  type TransferRow,
  type TransferTableName,
} from "@inlethq/storage/columns/transferTables"
import { Effect } from "effect"

/** Holds copied rows in memory. Data can be copied into this object once, and from this object any number of times. */
export class TransferRows {
  /** The rows of each table, by their owner. */
  readonly tables = new Map<number, Map<TransferTableName, Array<TransferRow>>>()

  readonly target: TransferTarget = {
    state: Effect.succeed({ _tag: "Empty" }),
    begin: () => Effect.void,
    write: ({ name }, workspace, rows) => Effect.sync(() => void this.rowsOf(workspace, name).push(...rows)),
    derive: () => Effect.succeed(false),
    erasures: () => Effect.succeed({ items: [], next: null }),
    eraseAgain: () => Effect.succeed(0),
    finish: Effect.void,
  }

  readonly source: TransferSource = {
    lastDeleted: Effect.succeed(0),
    workspaces: Effect.sync(() =>
      [...this.tables.keys()].filter((id) => id !== wholeInstallation).map((id) => WorkspaceId.make(id)),
    ),
    owners: ({ name }) =>
      Effect.sync(() =>
        [...this.tables].flatMap(([owner, tables]) =>
          tables.has(name) ? [owner === wholeInstallation ? owner : WorkspaceId.make(owner)] : [],
        ),
      ),
    // Each page has one row, so a copy can be interrupted after any row. The cursor is the number of rows that were
    // read.
    read: ({ keyColumns, name }, workspace, after) =>
      Effect.sync(() => {
        const [read = 0] = keyColumns === 0 ? [] : after.slice(-1)
        const start = typeof read === "number" ? read : 0
        return { rows: this.rowsOf(workspace, name).slice(start, start + 1), cursor: [start + 1] }
      }),
  }

  private rowsOf(workspace: RowOwner, name: TransferTableName): Array<TransferRow> {
    const tables = this.tables.get(workspace) ?? new Map<TransferTableName, Array<TransferRow>>()
    this.tables.set(workspace, tables)
    const rows = tables.get(name) ?? []
    tables.set(name, rows)
    return rows
  }
}
