import { erasureReadMax, type ErasureLedger } from "@inlet/core/ports/ErasureLedger"
import { Effect } from "effect"
import { integer } from "../columns.ts"
import { erasurePage } from "../erasureRows.ts"
import { workspaceId } from "../ids.ts"
import type { Tables } from "./Tables.ts"

const select = "SELECT workspace, at, position, doc FROM erasures WHERE workspace = $1 AND (at, position)"

const statements = {
  asc: `${select} > ($2, $3) ORDER BY at, position LIMIT $4`,
  desc: `${select} < ($2, $3) ORDER BY at DESC, position DESC LIMIT $4`,
}

export const makeErasureLedger = ({ read }: Tables): ErasureLedger["Service"] => ({
  workspaces: Effect.map(
    read("read the erasure ledger", "SELECT DISTINCT workspace FROM erasures ORDER BY 1"),
    (rows) => rows.map((row) => workspaceId(integer(row["workspace"]))),
  ),
  read: (workspace, { after, limit, order }) => {
    const wanted = Math.min(limit, erasureReadMax)
    const end = order === "asc" ? 0 : Number.MAX_SAFE_INTEGER
    const { at, position } = after ?? { at: end, position: end }
    return Effect.map(
      read("read the erasure ledger", statements[order], workspace, at, position, wanted + 1),
      (rows) => erasurePage(rows, wanted),
    )
  },
})
