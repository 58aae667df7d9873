import { decodeExported } from "@inlet/api/management/decodeExported"
import type { ExportedEntity, ExportedResult } from "@inlet/api/management/Imports"
import { defaultBrand } from "@inlet/api/wire/Brand"
import type { Receipt } from "@inlet/api/wire/Receipt"
import type { ActivityEntry } from "@inlet/core/log/ActivityEntry"
import { describeFaults } from "@inlet/core/log/Outcome"
import { utf8Bytes } from "@inlet/core/values/Json"
import type { Workspace } from "@inlet/core/workspace/Workspace"
import { Clock, Effect, Result } from "effect"
import { sentNow } from "../../access/sentNow.ts"
import { areKnown } from "./importsRowStatus.ts"
import type { ImportServices } from "./importsRun.ts"

const skipped: ExportedResult = { outcome: "skipped", message: null }

/**
 * Applies the entities of a call that the server does not know, in one commit. A known or an invalid entity gets no log
 * entry. Returns the result of each entity, in order.
 */
export const importExported = Effect.fnUntraced(function* (
  { ingest, store }: ImportServices,
  workspace: Workspace,
  entities: ReadonlyArray<ExportedEntity>,
) {
  const receivedAt = yield* Clock.currentTimeMillis
  const receipt: Receipt = {
    workspace: yield* sentNow(workspace),
    brand: defaultBrand,
    source: "management",
    receivedAt,
    batchIndex: null,
  }
  const decoded = entities.map((entity) => decodeExported(receipt, entity))
  const commands = decoded.flatMap((item) => (Result.isSuccess(item) ? [item.success] : []))
  const known = commands.length === 0 ? [] : yield* areKnown(store, workspace.id, commands)
  const fresh = commands.filter((_, i) => known[i] === false)
  const bytes = utf8Bytes(JSON.stringify(entities))
  const entries = fresh.length === 0 ? [] : yield* ingest.submit(fresh, bytes)
  let checked = 0
  let applied = 0
  return decoded.map((item): ExportedResult => {
    if (Result.isFailure(item)) return { outcome: "failed", message: describeFaults(item.failure.faults) }
    return known[checked++] === true ? skipped : resultOf(entries[applied++])
  })
})

const resultOf = (entry: ActivityEntry | undefined): ExportedResult => {
  if (entry === undefined) return skipped
  const { outcome, reason } = entry
  switch (outcome) {
    case "applied":
    case "created":
    case "pending":
      return { outcome: "imported", message: null }
    case "partial":
      return { outcome: "imported", message: reason }
    case "duplicate":
    case "ignored":
      return skipped
    case "dropped":
    case "rejected":
      return { outcome: "failed", message: reason ?? outcome }
  }
}
