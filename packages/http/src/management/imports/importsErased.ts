import type { ExportedEntity } from "@inlet/api/management/Imports"
import { needsOf } from "@inlet/core/CommandTable"
import { ErasureIndex } from "@inlet/core/ledger/ErasureIndex"
import { byPlace, type ErasurePlace, type ErasureRecord } from "@inlet/core/ledger/ErasureRecord"
import { erasureReadMax, type ErasureLedger } from "@inlet/core/ports/ErasureLedger"
import type { Store, StoreUnavailable } from "@inlet/core/ports/Store"
import { IdentifierKind, type Identifier, type WorkspaceId } from "@inlet/core/values/Identifier"
import { isJsonObject, type Json } from "@inlet/core/values/Json"
import { fromIso } from "@inlet/core/values/Timestamp"
import { Effect } from "effect"

/** The records of the erasure ledger that are kept between the calls of a replay. Each call reads later ones again. */
const recordsKeptMax = 50_000

interface KnownErasures {
  readonly workspace: WorkspaceId
  readonly digest: (text: string) => string
  readonly index: ErasureIndex
  /** The number of records in the index, and the place of the last one. */
  records: number
  after: ErasurePlace | null
}

/**
 * Says which replayed operations are about people who were erased here since. Keeps what it has read first of the ledger of
 * one workspace, so that the calls of a replay read only what was added.
 */
export class ImportedErasures {
  private readonly ledger: ErasureLedger["Service"]
  private readonly store: Store["Service"]
  private readonly recordsMax: number
  private known: KnownErasures | undefined

  constructor(ledger: ErasureLedger["Service"], store: Store["Service"], recordsMax = recordsKeptMax) {
    this.ledger = ledger
    this.store = store
    this.recordsMax = recordsMax
  }

  /** Returns the entities that say nothing about people who were erased after the entities were received first. */
  readonly withoutErased = Effect.fnUntraced(
    { self: this },
    function* (
      this: ImportedErasures,
      workspace: WorkspaceId,
      entities: ReadonlyArray<ExportedEntity>,
    ): Effect.fn.Return<ReadonlySet<ExportedEntity>, StoreUnavailable> {
      const left = new Set(entities)
      if (!entities.some(({ received_at }) => received_at !== undefined)) return left
      const known = yield* this.knownOf(workspace)
      for (let after = known.after, isRead = false; !isRead;) {
        const page = yield* this.ledger.read(workspace, { limit: erasureReadMax, after, order: "asc" })
        const others = page.items.filter((record) => !this.keep(known, record))
        if (others.length > 0) leaveOut(left, new ErasureIndex(known.digest, others))
        after = page.next
        isRead = after === null
      }
      leaveOut(left, known.index)
      return left
    },
  )

  /** Adds a record to the index. Returns false if there is no room for it. */
  private keep(known: KnownErasures, record: ErasureRecord): boolean {
    // Another call may have read the same page.
    if (known.after !== null && byPlace(record, known.after) <= 0) return true
    if (known.records >= this.recordsMax) return false
    known.index.add(record)
    known.records++
    known.after = { at: record.at, position: record.position }
    return true
  }

  private readonly knownOf = Effect.fnUntraced(
    { self: this },
    function* (
      this: ImportedErasures,
      workspace: WorkspaceId,
    ): Effect.fn.Return<KnownErasures, StoreUnavailable> {
      if (this.known?.workspace === workspace) return this.known
      const { digest } = yield* this.store.view(needsOf(workspace, []))
      const index = new ErasureIndex(digest, [])
      const known: KnownErasures = { workspace, digest, index, records: 0, after: null }
      this.known = known
      return known
    },
  )
}

const leaveOut = (left: Set<ExportedEntity>, index: ErasureIndex): void => {
  for (const exported of left) if (isErased(index, exported)) left.delete(exported)
}

const isErased = (index: ErasureIndex, { entity, received_at }: ExportedEntity): boolean => {
  const at = fromIso(received_at)
  return (
    at !== undefined && identifiersIn(entity).some((identifier) => index.erasesIdentifier(identifier, at))
  )
}

/** Returns the identifiers of people in an entity. Related people and people of segments are erased with them. */
const identifiersIn = (entity: ExportedEntity["entity"]): ReadonlyArray<Identifier> => {
  const { attributes = null, data = null, id_type, identifiers, ids, primary, secondary, type } = entity
  const named = type === "person" ? [identifiers, primary, secondary, attributes] : [data]
  const found = named.flatMap((names) => identifiersOf(names ?? null))
  const kind = id_type === "email" ? "email" : "id"
  const listed = Array.isArray(ids) ? ids : []
  const members = listed.flatMap((value: Json) => (isText(value) ? [{ kind, value } as const] : []))
  return [...found, ...members]
}

const identifiersOf = (names: Json): ReadonlyArray<Identifier> =>
  IdentifierKind.literals.flatMap((kind) => {
    const value = isJsonObject(names) ? names[kind] : undefined
    return isText(value) ? [{ kind, value }] : []
  })

const isText = (value: Json | undefined): value is string => typeof value === "string" && value !== ""
