import { Schema } from "effect"
import { Sequence, SubjectKey, WorkspaceId } from "./Identifier.ts"
import { changed, Person } from "./person/Person.ts"
import { dayMs, type EpochMillis } from "./Timestamp.ts"
import { Visitor } from "./visitor/Visitor.ts"

/** A subject that `owner` has taken over: what it did from `since` on belongs to `owner` since `at`. */
const Attached = Schema.TaggedStruct("Attached", {
  key: SubjectKey,
  workspace: WorkspaceId,
  owner: SubjectKey,
  at: Schema.Int,
  since: Schema.Int,
})
export type Attached = typeof Attached.Type

/** A subject that was deleted: its activity before `before` is gone for every reader, and erased in the background. */
const Erased = Schema.TaggedStruct("Erased", {
  key: SubjectKey,
  workspace: WorkspaceId,
  before: Sequence,
})
export type Erased = typeof Erased.Type

/**
 * Whoever activity is about. Every entry of the log names one subject for good; that a visitor becomes a person's, or
 * that a person goes, changes the subject and not its entries, however many there are.
 */
export const Subject = Schema.Union([Person, Visitor, Attached, Erased])
export type Subject = typeof Subject.Type

/** A subject as plain data, whatever a store hands out. */
export const plain = (subject: Subject): Subject =>
  subject._tag === "Person" ? changed(subject, {}) : subject

/** How long an anonymous visitor is remembered after it was last named (contract §13). */
const visitorKeptMs = 30 * dayMs

/**
 * Whether a subject is an anonymous visitor past its time: it and what it did can go. What waits for an `id` or an
 * `email` has no such window.
 */
export const isForgotten = (subject: Subject, now: EpochMillis): boolean =>
  subject._tag === "Visitor" &&
  subject.knownAs.kind === "anonymous_id" &&
  subject.updatedAt < now - visitorKeptMs
