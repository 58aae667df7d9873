import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import type { Snapshot } from "@inlethq/core/catalog/Snapshots"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import { mergeIn } from "@inlethq/core/person/mergeReceipt"
import type { HaveStayed } from "../history/IdentifierChanges.ts"
import { PastAddresses } from "../history/PastAddresses.ts"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { SubjectKey, svcObjectIdKey, type Identifier } from "@inlethq/core/values/Identifier"
import { isJsonObject, type Json, type JsonObject } from "@inlethq/core/values/Json"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Effect, Option } from "effect"
import type { Names } from "./Draft.ts"

/** Finds the names that people, objects and devices had just before entries. */
export class NamesReader {
  private readonly snapshot: Snapshot
  private readonly workspace: Workspace
  private readonly addresses: PastAddresses

  /**
   * `entriesMax` bounds the way back through the entries of one person. Beyond it, today's names stand for theirs. Nobody of whom
   * `haveStayed` is true is gone back for.
   */
  constructor(snapshot: Snapshot, workspace: Workspace, entriesMax = Infinity, haveStayed?: HaveStayed) {
    this.snapshot = snapshot
    this.workspace = workspace
    this.addresses = new PastAddresses(snapshot, workspace.id, entriesMax, haveStayed)
  }

  /** A reader who follows the log forwards must call this for each entry, in order. */
  passed({ entry }: ActivityRecord): void {
    this.addresses.passed(entry)
  }

  readonly namesFor = Effect.fnUntraced(
    { self: this },
    function* (this: NamesReader, record: ActivityRecord): Effect.fn.Return<Names, StoreUnavailable> {
      const addresses = new Map<SubjectKey, Identifier | null>()
      for (const key of peopleOf(record)) addresses.set(key, yield* this.addresses.before(key, record))
      const moved = yield* this.movedName(record)
      if (moved !== null && record.entry.subject !== null) addresses.set(record.entry.subject, moved)
      const created = new Map<SubjectKey, Identifier | null>()
      if (isGone(record)) {
        for (const { before, subject } of record.entry.overwritten) {
          if (before === null) created.set(subject, yield* this.addresses.after(subject, record))
        }
      }
      const objects = new Map<SubjectKey, JsonObject | null>()
      for (const key of objectsOf(record)) objects.set(key, yield* this.object(key, record))
      const { owner, subject } = record
      const devices =
        subject?._tag === "Person" || subject?._tag === "Visitor" ? subject.devices : owner?.devices
      return {
        addressOf: (key) => addresses.get(key) ?? null,
        createdAs: (key) => created.get(key) ?? null,
        objectOf: (key) => objects.get(key) ?? null,
        platformOf: (token) => devices?.get(token)?.platform ?? null,
        lastUsedOf: (token) => devices?.get(token)?.lastUsed ?? null,
        emailsWereFixed: !this.workspace.emailUpdateById,
      }
    },
  )

  /** Returns the identifier by which an event named somebody if a merge had moved it to them, or null. */
  private readonly movedName = Effect.fnUntraced(
    { self: this },
    function* (
      this: NamesReader,
      { entry, owner }: ActivityRecord,
    ): Effect.fn.Return<Identifier | null, StoreUnavailable> {
      const via = owner?.attached.find(({ key }) => key === entry.subject)?.via
      if (via === undefined) return null
      const merge = yield* this.snapshot.operation(this.workspace.id, via.merge)
      return Option.isNone(merge) ? null : nameMovedBy(merge.value.entry, via.secondary, entry.anonymousId)
    },
  )

  private readonly object = Effect.fnUntraced(
    { self: this },
    function* (
      this: NamesReader,
      key: SubjectKey,
      { entry, subject }: ActivityRecord,
    ): Effect.fn.Return<JsonObject | null, StoreUnavailable> {
      if (entry.subject === key) return objectIn(subject)
      const after = key > 1 ? SubjectKey.make(key - 1) : null
      const { items } = yield* this.snapshot.objects(this.workspace.id, null, {
        after,
        limit: 1,
        order: "asc",
      })
      const object = items[0]?.object
      return object?.key === key ? objectIn(object) : null
    },
  )
}

/**
 * Returns the identifier of one of the people of a merge that it gave to its primary: the anonymous id that an event has if it was theirs,
 * otherwise their `id` or email. They are the secondary, or somebody who had been merged into the secondary.
 */
const nameMovedBy = (
  merge: ActivityEntry,
  giver: SubjectKey,
  anonymousId: string | null,
): Identifier | null => {
  const secondary = mergeIn(merge)?.secondary
  const before = merge.overwritten.find(({ subject }) => subject === secondary)?.before
  const isOfGiver = (path: string) => (before?.from?.get(path) ?? secondary) === giver
  for (const { from, path, to } of merge.changes) {
    if (path === "anonymous_ids") {
      if (anonymousId === null || !Array.isArray(to) || !to.includes(anonymousId)) continue
      if (isOfGiver(`anonymous_ids.${anonymousId}`)) return { kind: "anonymous_id", value: anonymousId }
    } else if ((path === "id" || path === "email") && from === null && typeof to === "string") {
      if (isOfGiver(path)) return { kind: path, value: to }
    }
  }
  return null
}

const objectIn = (subject: ActivityRecord["subject"]): JsonObject | null =>
  subject?._tag === "DataObject" ? { object_type_id: subject.typeId, object_id: subject.objectId } : null

/** Returns whether an entry is erased, also after housekeeping has removed its subject. */
export const isGone = ({ entry, isErased, subject }: ActivityRecord): boolean =>
  isErased || (entry.subject !== null && subject === null && entry.data === null)

/** Returns the people and visitors whom an entry names by their keys. */
const peopleOf = (record: ActivityRecord): ReadonlySet<SubjectKey> => {
  const { entry, isErased, subject } = record
  const { kind, overwritten, parts } = entry
  const keys = new Set<SubjectKey>()
  if (subject?._tag === "Person" || subject?._tag === "Visitor" || subject?._tag === "Attached") {
    if (!isErased) keys.add(subject.key)
  }
  for (const part of parts) if (part.anonymousId === null) keys.add(part.subject)
  const isAboutOthers = isGone(record) || kind === "segment_add" || kind === "segment_remove"
  if (isAboutOthers) for (const one of overwritten) keys.add(one.subject)
  return keys
}

/** Returns the objects that an entry names by their keys. */
const objectsOf = ({ entry, subject }: ActivityRecord): ReadonlySet<SubjectKey> => {
  const keys = new Set<SubjectKey>(subject?._tag === "DataObject" ? [subject.key] : [])
  const collect = (value: Json): void => {
    if (Array.isArray(value)) for (const item of value) collect(item)
    else if (isJsonObject(value)) {
      const svcId = value["svc_object_id"]
      const key = typeof svcId === "string" ? svcObjectIdKey(entry.workspace, svcId) : undefined
      if (key !== undefined) keys.add(key)
      for (const name of ["identifiers", "relationships", "svc_relationships"]) collect(value[name] ?? null)
    }
  }
  if (!isEvent(entry.kind)) collect(entry.data)
  return keys
}

const isEvent = (kind: ActivityRecord["entry"]["kind"]): boolean =>
  kind === "event" || kind === "page" || kind === "screen" || kind === "anonymous_event"
