import type { ExportedEntity, ExportedResult } from "@inlethq/contract/transfer/Imports"
import { decodeReplayed, readsStore } from "@inlethq/log/replay/decodeReplayed"
import { defaultBrand } from "@inlethq/wire/decoding/Brand"
import type { Receipt } from "@inlethq/wire/decoding/Receipt"
import type { Catalog } from "@inlethq/core/catalog/Catalog"
import type { Command } from "@inlethq/core/Command"
import { sentenceOf } from "@inlethq/wire/texts/sentences"
import type { WrittenBrand } from "@inlethq/wire/texts/WrittenBrand"
import { BrandInUse } from "../../BrandInUse.ts"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import { reasonsOf } from "@inlethq/core/log/reasonsOf"
import { utf8Bytes } from "@inlethq/core/values/Json"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Clock, Effect, Result } from "effect"
import { sentNow } from "../../access/sentNow.ts"
import type { ImportedErasures } from "./importsErased.ts"
import { knownAmong } from "./importsRowStatus.ts"
import type { ImportServices } from "./importsRun.ts"

const skipped: ExportedResult = { outcome: "skipped", message: null }
const erased: ExportedResult = { outcome: "erased", message: null }

/** What a call imports. Webhooks leave out replayed operations without a sender. */
interface ExportedPayload {
  readonly entities: ReadonlyArray<ExportedEntity>
  readonly webhooks?: boolean
  readonly include_erased?: boolean
}

export interface ExportedServices extends ImportServices {
  readonly catalog: Catalog["Service"]
  readonly erasures: ImportedErasures
}

/**
 * Applies the entities of a call that the server does not know, in one commit, or in several if decoding some of them needs
 * to see what others did. A known or an invalid entity gets no log entry, nor one about somebody who was erased since.
 * Returns the result of each entity, in order.
 */
export const importExported = Effect.fnUntraced(function* (
  services: ExportedServices,
  opened: Workspace,
  { entities, include_erased = false, webhooks = false }: ExportedPayload,
) {
  const workspace = yield* sentNow(opened)
  const receivedAt = yield* Clock.currentTimeMillis
  const receipt: Receipt = {
    workspace,
    brand: defaultBrand,
    source: "management",
    receivedAt,
    batchIndex: null,
  }
  const quiet: Receipt = { ...receipt, workspace: { ...workspace, sender: null } }
  const receiptOf = ({ received_at }: ExportedEntity) =>
    received_at === undefined || webhooks ? receipt : quiet
  const kept = include_erased
    ? new Map(entities.map((entity) => [entity, entity]))
    : yield* services.erasures.withoutErased(workspace.id, entities)
  const results: Array<ExportedResult> = []
  for (const run of runsOf(entities)) {
    results.push(...(yield* importRun(services, workspace, run, kept, receiptOf)))
  }
  return results
})

/** Splits entities so that what reads the store is the first of its run. */
const runsOf = (entities: ReadonlyArray<ExportedEntity>): ReadonlyArray<ReadonlyArray<ExportedEntity>> => {
  const runs: Array<Array<ExportedEntity>> = []
  for (const entity of entities) {
    const run = runs.at(-1)
    if (run === undefined || readsStore(entity)) runs.push([entity])
    else run.push(entity)
  }
  return runs
}

const importRun = Effect.fnUntraced(function* (
  services: ExportedServices,
  workspace: Workspace,
  entities: ReadonlyArray<ExportedEntity>,
  kept: ReadonlyMap<ExportedEntity, ExportedEntity>,
  receiptOf: (exported: ExportedEntity) => Receipt,
) {
  const { ingest, store } = services
  const keys = entities.map(({ key }) => key)
  const known = yield* knownAmong(store, workspace.id, keys)
  const decoded = yield* Effect.forEach(entities, (entity) => {
    const left = kept.get(entity)
    return left === undefined || known.has(entity.key)
      ? Effect.succeed(null)
      : decodeReplayed(services, receiptOf(left), left)
  })
  const fresh = decoded.flatMap((item): ReadonlyArray<Command> =>
    item !== null && Result.isSuccess(item) ? [item.success] : [],
  )
  const bytes = utf8Bytes(JSON.stringify(entities))
  const entries = fresh.length === 0 ? [] : yield* ingest.submit(fresh, bytes)
  const brand = yield* BrandInUse
  let applied = 0
  return decoded.map((item, i): ExportedResult => {
    const entity = entities[i]
    if (item === null) return entity === undefined || kept.has(entity) ? skipped : erased
    return Result.isFailure(item)
      ? { outcome: "failed", message: sentenceOf(brand, reasonsOf(item.failure.faults)) }
      : resultOf(brand, entries[applied++])
  })
})

const resultOf = (brand: WrittenBrand, entry: ActivityEntry | undefined): ExportedResult => {
  if (entry === undefined) return skipped
  const { kind, outcome } = entry
  const reason = sentenceOf(brand, entry.reasons)
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
      if (removes(kind)) return skipped
      return { outcome: "failed", message: reason ?? outcome }
    case "rejected":
      return { outcome: "failed", message: reason ?? outcome }
  }
}

/** Returns whether a call removes something, so that one that finds nothing has nothing to do: what it removes was erased. */
const removes = (kind: ActivityEntry["kind"]): boolean =>
  kind === "delete" || kind === "object_delete" || kind === "delete_relationships" || kind === "delete_device"
