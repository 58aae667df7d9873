import { Schema } from "effect"
import { Sequence, SubjectKey, WorkspaceId } from "../values/Identifier.ts"
import { FieldChange, Outcome, tookEffect } from "./Outcome.ts"
import { Overwritten } from "./Overwritten.ts"
import { Reason } from "./Reason.ts"
import { RejectedCall } from "./RejectedCall.ts"
import { SenderId } from "./Sender.ts"
import { PlanFinding } from "./PlanFinding.ts"
import { Provenance } from "./Provenance.ts"
import { KeptValue } from "./KeptValue.ts"
import { RefusedValue } from "./RefusedValue.ts"
import { dayMs } from "../values/Timestamp.ts"

export const ActivityKind = Schema.Literals([
  "identify",
  "delete",
  "suppress",
  "unsuppress",
  "merge",
  "unmerge",
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
  "segment_change",
])
export type ActivityKind = typeof ActivityKind.Type

/** Returns whether an entry records a merge of two people, or that one was undone. */
export const isMergeKind = (kind: ActivityKind | null): boolean => kind === "merge" || kind === "unmerge"

/**
 * The kinds of log entry that record events. An event that took effect, or that waits for a person, is stored until its
 * person is deleted or the retention of the workspace ends.
 */
export const EventKind = Schema.Literals(["event", "page", "screen", "anonymous_event"])
export type EventKind = typeof EventKind.Type

export const isEventKind = Schema.is(EventKind)

/** Returns whether nothing stays of an entry whose subject is deleted: it records an event that has no effect on others. */
export const isGoneOnceErased = (entry: Pick<ActivityEntry, "effects" | "kind" | "subject">): boolean =>
  isEventKind(entry.kind) && effectsOnOthers(entry).length === 0

/**
 * Returns the earliest receipt time of entries that a workspace keeps, or null if the workspace keeps events for ever.
 * All entries that were received earlier are deleted.
 */
export const retentionStart = (retentionDays: number | null, now: number): number | null =>
  retentionDays === null ? null : now - retentionDays * dayMs

/**
 * Returns whether a log entry is exempt from pruning. Only events that took effect or wait for a person are exempt. All
 * other entries are pruned after the days of history of their workspace (`daysOfHistory`), and those of rejected calls not before the call itself.
 */
export const isPermanent = (kind: ActivityKind | null, outcome: Outcome): boolean =>
  isEventKind(kind) && tookEffect(outcome)

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
 * The effect that an operation about an object has on one person or visitor named in the request. The log entry of the
 * operation also appears in the activity of that person or visitor. Deleting the person or visitor erases this part of
 * the entry.
 */
export const EntryPart = Schema.Struct({
  subject: SubjectKey,
  /** The visitor's anonymous id; null for a person. */
  anonymousId: Schema.NullOr(Schema.String),
  /**
   * The relationship of this person or visitor to the object. Readers get the relationships of all people and visitors
   * of the entry as the list `relationships` in the `data` of the entry.
   */
  data: Schema.Json,
  /** Changes to the data of this person or visitor. */
  changes: Schema.Array(FieldChange),
  /** Where the call of this person or visitor came from. */
  provenance: Schema.optionalKey(Provenance),
})
export type EntryPart = typeof EntryPart.Type

/** A person who entered or left a segment by its rule, because of an operation. */
export const SegmentEffect = Schema.Struct({
  subject: SubjectKey,
  segment: SubjectKey,
  /** The version of the rule. */
  version: Schema.Int,
  change: Schema.Literals(["entered", "left"]),
})
export type SegmentEffect = typeof SegmentEffect.Type

/**
 * Returns the effects of an entry on others than its own subject. They stay when the subject is deleted, so that whoever follows
 * the log knows who is in which segment.
 */
export const effectsOnOthers = ({
  effects,
  subject: own,
}: {
  readonly effects: ReadonlyArray<SegmentEffect>
  readonly subject: SubjectKey | null
}): ReadonlyArray<SegmentEffect> =>
  effects.length === 0 ? effects : effects.filter(({ subject }) => subject !== own)

/**
 * An entry of the activity log, which records one operation. The log serves as event store, audit trail and receipt.
 * `kind` is null if the request was refused before its kind was known.
 */
export const ActivityEntry = Schema.Struct({
  sequence: Sequence,
  workspace: WorkspaceId,
  subject: Schema.NullOr(SubjectKey),
  kind: Schema.NullOr(ActivityKind),
  name: Schema.NullOr(Schema.String),
  source: ActivitySource,
  /** Who sent the operation. Null if it did not arrive with the key of a client. */
  sender: Schema.NullOr(SenderId),
  /** The time of the operation: the timestamp of the client, or the receipt time if the client sent no timestamp. */
  at: Schema.Int,
  receivedAt: Schema.Int,
  /** The time when the operation was processed; null while its outcome is `pending`. */
  processedAt: Schema.NullOr(Schema.Int),
  outcome: Outcome,
  /** The deduplication key that the client sent: the `id` of an event or the `messageId` of a Pipelines call. */
  id: Schema.NullOr(Schema.String),
  /** Whether later operations with the same `id` are duplicates of this operation. */
  claimsId: Schema.Boolean,
  /** The index of the operation within a batch request; null outside a batch. */
  batchIndex: Schema.NullOr(Schema.Int),
  originalTimestamp: Schema.NullOr(Schema.Int),
  anonymousId: Schema.NullOr(Schema.String),
  /** Why the operation was not applied, or what was left out. Empty if nothing was. */
  reasons: Schema.Array(Reason),
  /** The section of the contract or of a reference that decided the operation. */
  rule: Schema.NullOr(Schema.String),
  data: Schema.Json,
  changes: Schema.Array(FieldChange),
  /**
   * The effects that an operation about an object has on single people and visitors, one part for each effect, in the
   * order of the request. If the request names a person several times, the person can have several parts.
   */
  parts: Schema.Array(EntryPart),
  /** The values that the operation left out, at most `refusedValuesMax` (contract §16 *refused values*). */
  refused: Schema.Array(RefusedValue),
  /** The values that the operation read differently than they were sent, at most `keptValuesMax`. */
  keptAs: Schema.Array(KeptValue),
  /** Who entered and who left segments by their rules because of the operation. */
  effects: Schema.Array(SegmentEffect),
  /** What the operation overwrote in the documents of people. The entry also appears in the activity of these people. */
  overwritten: Schema.Array(Overwritten),
  /** What is kept of a rejected call; null for any other operation, and once it is erased or no longer kept. */
  call: Schema.NullOr(RejectedCall),
  /**
   * Where the call came from. Missing if this is not known. In an entry about an object with an effect on a person or visitor,
   * it belongs to the first part.
   */
  provenance: Schema.optionalKey(Provenance),
  /** The plan that the call did not fit (contract §8 *plans*). Missing if it did, or if there was none. */
  plan: Schema.optionalKey(PlanFinding),
})
export type ActivityEntry = typeof ActivityEntry.Type

/** Returns where the call of an entry came from, whether it belongs to the entry or to one of its parts. */
export const provenanceOf = ({
  provenance,
  parts,
}: Pick<ActivityEntry, "provenance" | "parts">): Provenance =>
  provenance ?? parts.find((part) => part.provenance !== undefined)?.provenance ?? unknownProvenance

const unknownProvenance: Provenance = {}

/**
 * When a person is identified with an anonymous id, earlier events of that anonymous id move to the person if they
 * arrived at most this long before (contract §7).
 */
export const eventMergeWindowMs = 30 * dayMs

/** Returns the entry of a rejected call without what was kept of the call, which includes the name that it gave. */
export const withoutCall = (entry: ActivityEntry): ActivityEntry => ({ ...entry, name: null, call: null })

/** The kinds of log entry that are always about an object. */
export const objectKinds = ["object_identify", "object_delete"] as const satisfies ReadonlyArray<ActivityKind>

/**
 * Returns whether a log entry keeps its deduplication key when the person or object that it is about is deleted.
 * Entries about objects keep their key, because a repeated call must not create a deleted object again (contract §16).
 */
export const keepsDeduplicationKey = ({
  claimsId,
  kind,
}: Pick<ActivityEntry, "claimsId" | "kind">): boolean =>
  claimsId && objectKinds.some((known) => known === kind)
