import type { ErasurePlace } from "@inlet/core/ledger/ErasureRecord"
import { erasureReadMax, type ErasureLedger } from "@inlet/core/ports/ErasureLedger"
import type { WorkspaceId } from "@inlet/core/values/Identifier"
import type { PageRequest } from "@inlet/core/values/Page"
import { integer } from "@inlet/storage/columns"
import { erasurePage } from "@inlet/storage/erasureRows"
import { workspaceId } from "@inlet/storage/ids"
import type { Database } from "./engine/Database.ts"

export const makeErasureLedger = (database: Database): ErasureLedger["Service"] => {
  const { durability, reads } = database
  const select = "SELECT workspace, at, position, doc FROM erasures WHERE workspace = ? AND (at, position)"
  const statements = {
    asc: reads.prepare(`${select} > (?, ?) ORDER BY at, position LIMIT ?`),
    desc: reads.prepare(`${select} < (?, ?) ORDER BY at DESC, position DESC LIMIT ?`),
  }
  const workspaces = reads.prepareByPlace("SELECT DISTINCT workspace FROM erasures ORDER BY 1")
  return {
    workspaces: durability.read("read the erasure ledger", () =>
      workspaces.all().map((row) => workspaceId(integer(row[0]))),
    ),
    read: (workspace: WorkspaceId, { after, limit, order }: PageRequest<ErasurePlace>) =>
      durability.read("read the erasure ledger", () => {
        const wanted = Math.min(limit, erasureReadMax)
        const end = order === "asc" ? 0 : Number.MAX_SAFE_INTEGER
        const from = after ?? { at: end, position: end }
        return erasurePage(statements[order].all(workspace, from.at, from.position, wanted + 1), wanted)
      }),
  }
}
