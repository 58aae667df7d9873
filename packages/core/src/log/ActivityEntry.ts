import { Schema } from "effect"
import { Sequence, SubjectKey, WorkspaceId } from "../values/Identifier.ts"
import { FieldChange, Outcome } from "./Outcome.ts"
import { dayMs } from "../values/Timestamp.ts"

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
export const isPermanent = (kind: ActivityKind | null, outcome: Outcome): boolean => {
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

/** An anonymous visitor's events are a person's when they were received this long before the identify (contract §7). */
export const eventMergeWindowMs = 30 * dayMs

/** Entries other than events are kept this long. */
export const activityRetentionMs = 30 * dayMs

/** The kinds of entry whose subject is always an object. */
export const objectKinds = ["object_identify", "object_delete"] as const satisfies ReadonlyArray<ActivityKind>

/**
 * Returns whether an entry keeps its deduplication key when its subject is deleted. Only the deletion of a person frees keys
 * (contract §16): a repeated call must not create a deleted object again.
 */
export const keepsDeduplicationKey = ({
  claimsId,
  kind,
}: Pick<ActivityEntry, "claimsId" | "kind">): boolean =>
  claimsId && objectKinds.some((known) => known === kind)
