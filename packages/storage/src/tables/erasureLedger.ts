import { erasureReadMax, unsealedMax, type ErasureLedger } from "@inlethq/core/ports/ErasureLedger"
import { Effect } from "effect"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { integer, type Row } from "../columns/columns.ts"
import { erasedRowsFrom, erasurePage, receiptDoc, receiptFromRow, unsealedPage } from "../rows/erasureRows.ts"
import { workspaceId } from "../columns/ids.ts"
import { wholeInstallation } from "../columns/transferTables.ts"
import { cleared } from "./logCursors.ts"
import type { Tables } from "./Tables.ts"

const select = "SELECT workspace, at, position, doc FROM erasures WHERE workspace = $1 AND (at, position)"

const statements = {
  asc: `${select} > ($2, $3) ORDER BY at, position LIMIT $4`,
  desc: `${select} < ($2, $3) ORDER BY at DESC, position DESC LIMIT $4`,
}

/** SQL for a receipt with the document of its erasure. It is null while it waits for a lake or for the summaries of the log. */
const receiptColumns = (workspace: string): string => `
  receipt.workspace, receipt.at, receipt.position, CASE
    WHEN EXISTS (
      SELECT 1 FROM lake_erasures AS due
      WHERE due.workspace = ${workspace} AND due.position = receipt.position
    ) OR EXISTS (
      SELECT 1 FROM log_cursors AS follower
      WHERE follower.workspace = ${workspace} AND follower.destination IN ('lake', 'types')
        AND follower.sequence <> ${cleared} AND follower.sequence < receipt.position
    ) THEN NULL
    ELSE (
      SELECT doc FROM erasures AS found
      WHERE found.workspace = ${workspace} AND found.at = receipt.at AND found.position = receipt.position
    ) END AS doc`

/** Finds the receipts of a page that are not sealed, and one more. */
export const unsealedPlacesSql = `
  SELECT workspace, at, position FROM erasure_receipts
  WHERE doc IS NULL AND (at, workspace, position) < ($1, $2, $3)
  ORDER BY at DESC, workspace DESC, position DESC LIMIT ${unsealedMax + 1}`

/** Looks at one receipt more than a page. */
export const unsealedSql = `
  SELECT ${receiptColumns("receipt.workspace")} FROM (${unsealedPlacesSql}) AS receipt
  ORDER BY receipt.at DESC, receipt.workspace DESC, receipt.position DESC`

/** Looks at one receipt, in statements that read one workspace only. */
export const unsealedOneSql = `
  SELECT ${receiptColumns("$1")} FROM erasure_receipts AS receipt
  WHERE receipt.workspace = $1 AND receipt.at = $2 AND receipt.position = $3`

const newest = Number.MAX_SAFE_INTEGER

const receiptSql = "SELECT doc FROM erasure_receipts WHERE workspace = $1 AND at = $2 AND position = $3"

const erasedSql = `
  SELECT events, entries, mentions, deliveries, answers, first_entry, last_entry FROM erasure_receipts
  WHERE workspace = $1 AND at = $2 AND position = $3`

/** Several nodes may seal a receipt, and the first one counts. */
const sealSql =
  "UPDATE erasure_receipts SET doc = $4 WHERE workspace = $1 AND at = $2 AND position = $3 AND doc IS NULL"

const forgetRewritesSql = "DELETE FROM lake_rewrites WHERE workspace = $1 AND position = $2"

const reading = "read the erasure ledger"

/** What a database knows about the bytes of deleted rows. */
export type ErasureProgress = Pick<
  ErasureLedger["Service"],
  "medium" | "erasing" | "isOverwritten" | "overwriting"
>

/** Reads the rows of `unsealedSql` before a place of the ledger. */
export type ReadUnsealed = (
  at: number,
  workspace: number,
  position: number,
) => Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>

export const makeErasureLedger = (
  { read, write }: Tables,
  progress: ErasureProgress,
  readUnsealed: ReadUnsealed = (...before) => read(reading, unsealedSql, ...before),
): ErasureLedger["Service"] => ({
  ...progress,
  workspaces: Effect.map(read(reading, "SELECT DISTINCT workspace FROM erasures ORDER BY 1"), (rows) =>
    rows.map((row) => workspaceId(integer(row["workspace"]))),
  ),
  read: (workspace, { after, limit, order }) => {
    const wanted = Math.min(limit, erasureReadMax)
    const end = order === "asc" ? 0 : Number.MAX_SAFE_INTEGER
    const { at, position } = after ?? { at: end, position: end }
    return Effect.map(read(reading, statements[order], workspace, at, position, wanted + 1), (rows) =>
      erasurePage(rows, wanted),
    )
  },
  unsealed: (before) => {
    const { at, position, workspace } = before ?? { at: newest, position: newest, workspace: newest }
    return Effect.map(readUnsealed(at, workspace, position), unsealedPage)
  },
  receipt: (workspace, { at, position }) =>
    Effect.map(read(reading, receiptSql, workspace, at, position), ([row]) => receiptFromRow(row)),
  erased: (workspace, { at, position }) =>
    Effect.map(read(reading, erasedSql, workspace, at, position), ([row]) => erasedRowsFrom(row)),
  seal: (workspace, { at, position }, receipt) =>
    Effect.asVoid(
      write("seal a receipt", wholeInstallation, (ask) =>
        Effect.andThen(
          ask.run(sealSql, workspace, at, position, receiptDoc(receipt)),
          ask.run(forgetRewritesSql, workspace, position),
        ),
      ),
    ),
})
