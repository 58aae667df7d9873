import { digestKeyId, ledgerLine } from "@inlethq/contract/transfer/Erasures"
import type { ErasurePlace } from "@inlethq/core/ledger/ErasureRecord"
import type { Digest } from "@inlethq/core/ports/Digest"
import { erasureReadMax, type ErasureLedger } from "@inlethq/core/ports/ErasureLedger"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { Effect, Option, Stream } from "effect"
import type { Piece } from "../exports/exportLines.ts"

/** The lines of the erasure ledger of all workspaces, deleted ones included. */
export const ledgerLines = (
  ledger: ErasureLedger["Service"],
  digest: Digest["Service"],
): Stream.Stream<Piece, StoreUnavailable> =>
  Stream.flatMap(Stream.fromIterableEffect(ledger.workspaces), (workspace) =>
    linesOf(ledger, workspace, digestKeyId(digest)),
  )

const linesOf = (ledger: ErasureLedger["Service"], workspace: WorkspaceId, keyId: string) => {
  const start: ErasurePlace | null = null
  return Stream.paginate<ErasurePlace | null, Piece, StoreUnavailable, never>(start, (after) =>
    Effect.map(ledger.read(workspace, { after, limit: erasureReadMax, order: "asc" }), ({ items, next }) => {
      const text = items.map((record) => `${JSON.stringify(ledgerLine(record, keyId))}\n`).join("")
      return [[{ text, lines: items.length }], Option.fromNullOr(next)] as const
    }),
  )
}
