import { Schema } from "effect"
import { isJsonObject, type Json, type JsonObject } from "./Json.ts"
import { Sequence, SubjectKey, svcIdText, WorkspaceId } from "./Identifier.ts"
import { FieldChange, Outcome } from "./Outcome.ts"
import type { Person } from "./person/Person.ts"
import type { Subject } from "./Subject.ts"
import { dayMs, hourMs, minuteMs, type EpochMillis } from "./Timestamp.ts"

export const ActivityKind = Schema.Literals([
  "identify",
  "delete",
  "suppress",
  "unsuppress",
  "merge",
  "event",
  "page",
  "screen",
  "add_device",
  "delete_device",
  "add_relationships",
  "delete_relationships",
  "object_identify",
  "object_delete",
  "delivery_metric",
  "unsubscribe",
  "form_submission",
  "segment_add",
  "segment_remove",
  "anonymous_event",
])
export type ActivityKind = typeof ActivityKind.Type

/** The kinds that are events: they are kept for ever, and go with the person who did them. */
export const EventKind = Schema.Literals(["event", "page", "screen", "anonymous_event"])
export type EventKind = typeof EventKind.Type

export const isEventKind = Schema.is(EventKind)

/** Whether an entry is kept for good: an event that was taken. Everything else is pruned after its window. */
export const isKept = (kind: ActivityKind | null, outcome: Outcome): boolean => {
  if (!isEventKind(kind)) return false
  switch (outcome) {
    case "applied":
    case "created":
    case "partial":
    case "pending":
      return true
    case "duplicate":
    case "ignored":
    case "dropped":
    case "rejected":
      return false
  }
}

export const ActivitySource = Schema.Literals([
  "track-v1",
  "track-v2",
  "pipelines",
  "csv",
  "management",
  "system",
])
export type ActivitySource = typeof ActivitySource.Type

/**
 * What an operation about an object did for one person or visitor that it names. The entry is filed under their subject
 * too, and the part is erased with them.
 */
export const EntryPart = Schema.Struct({
  subject: SubjectKey,
  /** The visitor's anonymous id; null for a person. */
  anonymousId: Schema.NullOr(Schema.String),
  /** An element of `relationships` in the entry's data. */
  data: Schema.Json,
  /** Paths in the person's own document. */
  changes: Schema.Array(FieldChange),
})
export type EntryPart = typeof EntryPart.Type

/**
 * One operation as it is kept: event store, audit trail and receipt in one. `kind` is null where a request could not be
 * read far enough to tell.
 */
export const ActivityEntry = Schema.Struct({
  sequence: Sequence,
  workspace: WorkspaceId,
  subject: Schema.NullOr(SubjectKey),
  kind: Schema.NullOr(ActivityKind),
  name: Schema.NullOr(Schema.String),
  source: ActivitySource,
  /** The operation's own time. */
  at: Schema.Int,
  receivedAt: Schema.Int,
  /** When it took effect for a person; null while nobody is known. */
  processedAt: Schema.NullOr(Schema.Int),
  outcome: Outcome,
  /** The deduplication key that the client sent: an event's `id`, a Pipelines call's `messageId`. */
  id: Schema.NullOr(Schema.String),
  /** Whether later operations with the same `id` are duplicates of this one. */
  claimsId: Schema.Boolean,
  /** The place in its batch; null outside one. */
  batchIndex: Schema.NullOr(Schema.Int),
  originalTimestamp: Schema.NullOr(Schema.Int),
  anonymousId: Schema.NullOr(Schema.String),
  reason: Schema.NullOr(Schema.String),
  /** The section of the reference that decided. */
  rule: Schema.NullOr(Schema.String),
  data: Schema.Json,
  changes: Schema.Array(FieldChange),
  /** In the order of the request; one person may have several. */
  parts: Schema.Array(EntryPart),
})
export type ActivityEntry = typeof ActivityEntry.Type

/**
 * An entry with the subject it names and the person behind that one, if any: who has taken it over, or to whom a
 * delivery went.
 */
export interface ActivityRecord {
  readonly entry: ActivityEntry
  readonly subject: Subject | null
  readonly owner: Person | null
  /** Whether a person it is about was deleted after it (`isErased` in `erasure.ts`). */
  readonly isErased: boolean
}

/** An entry as operators see it now. */
export interface ActivityView extends ActivityEntry {
  readonly person: Person | null
  readonly knownAs: {
    readonly id: string | null
    readonly email: string | null
    readonly anonymousId: string | null
    readonly objectTypeId: string | null
    readonly objectId: string | null
  }
  readonly triggerEligible: boolean
  readonly messageOverrides: JsonObject | null
}

/** An anonymous visitor's events are a person's when they were received this long before the identify (contract §7). */
export const eventMergeWindowMs = 30 * dayMs

/** Entries other than events are kept this long. */
export const activityKeptMs = 30 * dayMs

/** An event can trigger when its own time lies this long before it was associated with a person (contract §7). */
const triggerWindowMs = 72 * hourMs

/** How far ahead of ours a client's clock may be for its events to trigger. */
const clockAheadMaxMs = 5 * minuteMs

/** The keys of an event's data that override the addresses of messages it triggers (track-api §2.5). */
const overrideKeys = ["recipient", "from_address", "reply_to"]

/** Whether readers see nothing of an entry any more: an event of a subject that was deleted after it. */
export const isHidden = ({ entry, isErased }: ActivityRecord): boolean => isErased && isEventKind(entry.kind)

/** What operators see of an entry: whose it is now, since when, and without what was erased. */
export const present = (record: ActivityRecord): ActivityView => {
  const { entry, owner, subject } = record
  if (record.isErased) return withoutPersonalData(entry)
  const association = associationOf(entry, subject, owner)
  const person = association?.person ?? null
  const visitor = subject?._tag === "Visitor" ? subject.knownAs : undefined
  const object = subject?._tag === "DataObject" ? subject : undefined
  const processedAt = entry.processedAt ?? association?.at ?? null
  return {
    ...entry,
    data: dataWithParts(entry),
    changes: changesWithParts(entry),
    processedAt,
    outcome: entry.outcome === "pending" && processedAt !== null ? settled(entry) : entry.outcome,
    person,
    knownAs: {
      id: person?.id ?? (visitor?.kind === "id" ? visitor.value : null),
      email: person?.email ?? (visitor?.kind === "email" ? visitor.value : null),
      anonymousId: entry.anonymousId ?? (visitor?.kind === "anonymous_id" ? visitor.value : null),
      objectTypeId: object?.typeId ?? null,
      objectId: object?.objectId ?? null,
    },
    triggerEligible: association?.triggers !== false && isTriggerEligible(entry, processedAt),
    messageOverrides: isEventKind(entry.kind) ? overridesOf(entry.data) : null,
  }
}

/** The kinds of entry whose subject is always an object. */
export const objectKinds = ["object_identify", "object_delete"] as const satisfies ReadonlyArray<ActivityKind>

/**
 * Returns whether an entry keeps its deduplication key when its subject is deleted. Only the deletion of a person frees keys
 * (contract §16): a repeated call must not create a deleted object again.
 */
export const keepsKey = ({ claimsId, kind }: Pick<ActivityEntry, "claimsId" | "kind">): boolean =>
  claimsId && objectKinds.some((known) => known === kind)

/** Takes out of an entry what says who somebody was or what they did. */
export const withoutPersonalData = (entry: ActivityEntry): ActivityView => ({
  ...entry,
  name: isEventKind(entry.kind) ? null : entry.name,
  id: keepsKey(entry) ? entry.id : null,
  claimsId: keepsKey(entry),
  reason: null,
  anonymousId: null,
  data: null,
  changes: [],
  parts: [],
  person: null,
  knownAs: { id: null, email: null, anonymousId: null, objectTypeId: null, objectId: null },
  triggerEligible: false,
  messageOverrides: null,
})

/** Returns whether a part of the entry belongs to the person, or to a visitor or person that they have taken over. */
export const hasPartOf = (entry: ActivityEntry, { attached, key }: Person): boolean =>
  entry.parts.some(
    ({ subject }) =>
      subject === key ||
      attached.some((attachment) => attachment.key === subject && entry.receivedAt >= attachment.since),
  )

const dataWithParts = ({ data, parts }: ActivityEntry): Json =>
  parts.length > 0 && isJsonObject(data) ? { ...data, relationships: parts.map((part) => part.data) } : data

/** A part's paths begin with `people.` and the `svc_id` or anonymous id, so that each person's changes can be told apart. */
const changesWithParts = ({ changes, parts }: ActivityEntry): ReadonlyArray<FieldChange> =>
  parts.length === 0 ? changes : [...changes, ...parts.flatMap(changesOfPart)]

const changesOfPart = ({ anonymousId, changes, subject }: EntryPart): ReadonlyArray<FieldChange> => {
  const path = `people.${anonymousId ?? svcIdText(subject)}.`
  return changes.map((change) => ({ ...change, path: path + change.path }))
}

const associationOf = (
  entry: ActivityEntry,
  subject: Subject | null,
  owner: Person | null,
): { readonly person: Person; readonly at: EpochMillis; readonly triggers: boolean } | undefined => {
  switch (subject?._tag) {
    case "Person":
      return { person: subject, at: Math.max(subject.createdAt, entry.receivedAt), triggers: true }
    case "Attached":
      return owner !== null && entry.receivedAt >= subject.since
        ? { person: owner, at: Math.max(subject.at, entry.receivedAt), triggers: !subject.merged }
        : undefined
    case "Visitor":
    case "Erased":
    case "DataObject":
    case "Delivery":
    case "Form":
    case "Segment":
    case undefined:
      return undefined
  }
}

/** What an operation that waited for a person came to: a part of it may have been left out. */
const settled = ({ reason }: ActivityEntry): Outcome => (reason === null ? "applied" : "partial")

const isTriggerEligible = (entry: ActivityEntry, processedAt: EpochMillis | null): boolean => {
  if (processedAt === null || !isKept(entry.kind, entry.outcome)) return false
  const age = processedAt - entry.at
  return age <= triggerWindowMs && age >= -clockAheadMaxMs
}

const overridesOf = (data: Json): JsonObject | null => {
  if (!isJsonObject(data)) return null
  const found = overrideKeys.flatMap((key) =>
    Object.hasOwn(data, key) ? [[key, data[key] ?? null] as const] : [],
  )
  return found.length === 0 ? null : Object.fromEntries(found)
}
