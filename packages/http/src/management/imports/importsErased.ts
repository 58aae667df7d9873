import type { ExportedEntity } from "@inlethq/contract/transfer/Imports"
import { needsOf } from "@inlethq/core/CommandTable"
import { ErasureIndex } from "@inlethq/core/ledger/ErasureIndex"
import { byPlace, type ErasurePlace, type ErasureRecord } from "@inlethq/core/ledger/ErasureRecord"
import { erasureReadMax, type ErasureLedger } from "@inlethq/core/ports/ErasureLedger"
import type { Store, StoreUnavailable } from "@inlethq/core/ports/Store"
import {
  IdentifierKind,
  identifierText,
  type Identifier,
  type WorkspaceId,
} from "@inlethq/core/values/Identifier"
import { isJsonObject, type Json } from "@inlethq/core/values/Json"
import { readTime } from "@inlethq/core/values/Timestamp"
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
 * Says which imported documents and replayed operations are about people who were erased here since. Keeps what it has read first of the ledger of
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

  /**
   * Returns the entities that are not about people who were erased after the entities were received first. They name nobody who
   * was erased since among the people whom they relate.
   */
  readonly withoutErased = Effect.fnUntraced(
    { self: this },
    function* (
      this: ImportedErasures,
      workspace: WorkspaceId,
      entities: ReadonlyArray<ExportedEntity>,
    ): Effect.fn.Return<ReadonlyMap<ExportedEntity, ExportedEntity>, StoreUnavailable> {
      const left = new Map(entities.map((entity) => [entity, entity]))
      const known = yield* this.knownOf(workspace)
      const isThere = yield* this.peopleAmong(workspace, entities)
      for (let after = known.after, isRead = false; !isRead;) {
        const page = yield* this.ledger.read(workspace, { limit: erasureReadMax, after, order: "asc" })
        const others = page.items.filter((record) => !this.keep(known, record))
        if (others.length > 0) leaveOut(left, new ErasureIndex(known.digest, others), isThere)
        after = page.next
        isRead = after === null
      }
      leaveOut(left, known.index, isThere)
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

  /** Returns who is there of the people whom exported objects are related to. */
  private readonly peopleAmong = Effect.fnUntraced(
    { self: this },
    function* (
      this: ImportedErasures,
      workspace: WorkspaceId,
      entities: ReadonlyArray<ExportedEntity>,
    ): Effect.fn.Return<(identifier: Identifier) => boolean, StoreUnavailable> {
      const texts = entities.flatMap(({ entity, received_at }) =>
        received_at === undefined
          ? relatedIn(entity).flatMap((one) =>
              namesOf(one).map(({ kind, value }) => identifierText(kind, value)),
            )
          : [],
      )
      if (texts.length === 0) return () => false
      const seen = yield* this.store.view({ ...needsOf(workspace, []), identifiers: new Set(texts) })
      return ({ kind, value }) => seen.identifiers.has(identifierText(kind, value))
    },
  )

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

const leaveOut = (
  left: Map<ExportedEntity, ExportedEntity>,
  index: ErasureIndex,
  isThere: (identifier: Identifier) => boolean,
): void => {
  for (const [given, exported] of left) {
    const receivedAt = readTime(exported.received_at)
    const at = receivedAt ?? readTime(exported.seen_at)
    if (at !== undefined) {
      const isErased = (identifier: Identifier) => index.erasesIdentifier(identifier, at)
      if (identifiersIn(exported.entity).some(isErased)) left.delete(given)
      else if (receivedAt !== undefined) left.set(given, withoutRelated(exported, isErased))
    }
    // When an exported relationship began is not known, but people are imported before objects.
    if (receivedAt === undefined) {
      const isGone = (identifier: Identifier) => index.erasesIdentifier(identifier, 0) && !isThere(identifier)
      if (left.has(given)) left.set(given, withoutRelated(exported, isGone))
    }
  }
}

const relatedIn = ({ svc_relationships: related, type }: ExportedEntity["entity"]): ReadonlyArray<Json> =>
  type === "object" && Array.isArray(related) ? related : []

const namesOf = (related: Json): ReadonlyArray<Identifier> =>
  isJsonObject(related) ? identifiersOf(related["identifiers"] ?? null) : []

/** Returns an entity about an object without the people to whom it relates the object and who were erased. */
const withoutRelated = (
  exported: ExportedEntity,
  isErased: (identifier: Identifier) => boolean,
): ExportedEntity => {
  const related = relatedIn(exported.entity)
  const left = related.filter((one) => !namesOf(one).some(isErased))
  return left.length === related.length
    ? exported
    : { ...exported, entity: { ...exported.entity, svc_relationships: left } }
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
