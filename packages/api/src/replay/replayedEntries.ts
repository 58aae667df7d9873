import type { ActivityRecord } from "@inlet/core/catalog/ActivityView"
import { noFilter } from "@inlet/core/catalog/Catalog"
import { provenanceOf } from "@inlet/core/log/ActivityEntry"
import type { Snapshot } from "@inlet/core/catalog/Snapshots"
import { PastAddresses } from "@inlet/core/history/PastAddresses"
import { mergeIn, unmergedIn } from "@inlet/core/person/mergeReceipt"
import type { StoreUnavailable } from "@inlet/core/ports/Store"
import { Sequence, SubjectKey, svcObjectIdKey, type Identifier } from "@inlet/core/values/Identifier"
import { isJsonObject, type Json, type JsonObject } from "@inlet/core/values/Json"
import type { Page } from "@inlet/core/values/Page"
import { toIso } from "@inlet/core/values/Timestamp"
import type { Workspace } from "@inlet/core/workspace/Workspace"
import { Effect, Option, Stream } from "effect"
import type { EntryNames } from "./Draft.ts"
import { entitiesOfEntry } from "./entitiesOfEntry.ts"
import { callProvenanceDocument } from "../management/CallProvenance.ts"
import { replayKey, type ReplayedEntry } from "../management/ReplayedEntry.ts"

/** The number of entries in one read from the store. */
const entriesPerRead = 200

/** The part of a log that is replayed: the positions from `from` to `to`, both included. */
export interface ReplayRange {
  readonly from: Sequence
  readonly to: Sequence | null
}

/** Reads the entries of a range in order, each as the operations that it records. */
export const replayedEntries = (
  snapshot: Snapshot,
  workspace: Workspace,
  { from, to }: ReplayRange,
  isWanted: (record: ActivityRecord) => boolean,
): Stream.Stream<ReadonlyArray<ReplayedEntry>, StoreUnavailable> => {
  const reader = new Reader(snapshot, workspace)
  const start = from === 1 ? null : Sequence.make(from - 1)
  const end = to === null ? {} : { end: Sequence.make(to + 1) }
  return Stream.paginate(start, (after) =>
    Effect.gen(function* () {
      const { items, next } = yield* snapshot.activity(workspace.id, noFilter, {
        limit: entriesPerRead,
        after,
        order: "asc",
        ...end,
      })
      const entries: Array<ReplayedEntry> = []
      for (const record of items) {
        if (isWanted(record)) entries.push(yield* reader.read(record))
        reader.pass(record)
      }
      return [[entries], next === null ? Option.none() : Option.some(next)]
    }),
  )
}

/** Reads entries with the names that they had then. */
class Reader {
  private readonly snapshot: Snapshot
  private readonly workspace: Workspace
  private readonly addresses: PastAddresses

  constructor(snapshot: Snapshot, workspace: Workspace) {
    this.snapshot = snapshot
    this.workspace = workspace
    this.addresses = new PastAddresses(snapshot, workspace.id)
  }

  pass({ entry }: ActivityRecord): void {
    this.addresses.passed(entry)
  }

  read(record: ActivityRecord): Effect.Effect<ReplayedEntry, StoreUnavailable> {
    return Effect.map(this.namesFor(record), (names) => {
      const { entry } = record
      const found = entitiesOfEntry(entry, isGone(record), names)
      const key = replayKey(this.workspace.id, entry.sequence)
      const provenance = isGone(record) ? {} : callProvenanceDocument(provenanceOf(entry))
      const times = { at: toIso(entry.at), received_at: toIso(entry.receivedAt) }
      const common = { position: entry.sequence, received_at: times.received_at, kind: entry.kind }
      return typeof found === "string"
        ? { ...common, left_out: found, entities: [] }
        : {
            ...common,
            left_out: null,
            entities: found.map((draft, i) => ({
              ...times,
              ...draft,
              ...provenance,
              key: i === 0 ? key : `${key}:${i}`,
            })),
          }
    })
  }

  private readonly namesFor = Effect.fnUntraced(
    { self: this },
    function* (this: Reader, record: ActivityRecord): Effect.fn.Return<EntryNames, StoreUnavailable> {
      const addresses = new Map<SubjectKey, Identifier | null>()
      for (const key of peopleOf(record)) addresses.set(key, yield* this.addresses.before(key, record))
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
        emailsWereFixed: !this.workspace.emailUpdateById,
        mergeKey: yield* this.mergeKey(record),
      }
    },
  )

  private readonly object = Effect.fnUntraced(
    { self: this },
    function* (
      this: Reader,
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

  /** Returns the key of what replayed the merge that an entry undoes, or null if the entry undoes none. */
  private readonly mergeKey = Effect.fnUntraced(
    { self: this },
    function* (this: Reader, { entry }: ActivityRecord): Effect.fn.Return<string | null, StoreUnavailable> {
      const secondary = unmergedIn(entry.data, this.workspace.id)
      if (secondary === undefined) return null
      let after: Sequence | null = entry.sequence
      do {
        const page: Page<ActivityRecord, Sequence> = yield* this.snapshot.activity(
          this.workspace.id,
          { ...noFilter, kind: "merge" },
          { after, limit: entriesPerRead, order: "desc" },
        )
        const merge = page.items.find((record) => mergeIn(record.entry)?.secondary === secondary)
        if (merge !== undefined) return replayKey(this.workspace.id, merge.entry.sequence)
        after = page.next
      } while (after !== null)
      return null
    },
  )
}

const objectIn = (subject: ActivityRecord["subject"]): JsonObject | null =>
  subject?._tag === "DataObject" ? { object_type_id: subject.typeId, object_id: subject.objectId } : null

/** Returns whether an entry is erased, also after housekeeping has removed its subject. */
const isGone = ({ entry, isErased, subject }: ActivityRecord): boolean =>
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
