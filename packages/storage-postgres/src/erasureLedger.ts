import { erasureReadMax, type ErasureLedger } from "@inlet/core/ports/ErasureLedger"
import { integer } from "@inlet/storage/columns"
import { erasurePage } from "@inlet/storage/erasureRows"
import { workspaceId } from "@inlet/storage/ids"
import { Effect } from "effect"
import type { Database } from "./engine/Database.ts"

const select = "SELECT workspace, at, position, doc FROM erasures WHERE workspace = $1 AND (at, position)"

const statements = {
  asc: `${select} > ($2::bigint, $3::bigint) ORDER BY at, position LIMIT $4`,
  desc: `${select} < ($2::bigint, $3::bigint) ORDER BY at DESC, position DESC LIMIT $4`,
}

export const makeErasureLedger = (database: Database["Service"]): ErasureLedger["Service"] => ({
  workspaces: Effect.map(
    database.query("read the erasure ledger", "SELECT DISTINCT workspace FROM erasures ORDER BY 1", []),
    (rows) => rows.map((row) => workspaceId(integer(row["workspace"]))),
  ),
  read: (workspace, { after, limit, order }) => {
    const wanted = Math.min(limit, erasureReadMax)
    const end = order === "asc" ? 0 : Number.MAX_SAFE_INTEGER
    const { at, position } = after ?? { at: end, position: end }
    const parameters = [workspace, at, position, wanted + 1]
    return Effect.map(database.query("read the erasure ledger", statements[order], parameters), (rows) =>
      erasurePage(rows, wanted),
    )
  },
})
