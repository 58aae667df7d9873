import { Schema } from "effect"
import { Sequence, SubjectKey, WorkspaceId } from "./Identifier.ts"
import { Person } from "./person/Person.ts"
import { Visitor } from "./visitor/Visitor.ts"

/** A subject that `owner` has taken over: what it did from `since` on belongs to `owner` since `at`. */
export const Attached = Schema.TaggedStruct("Attached", {
  key: SubjectKey,
  workspace: WorkspaceId,
  owner: SubjectKey,
  at: Schema.Int,
  since: Schema.Int,
})
export type Attached = typeof Attached.Type

/** A subject that was deleted: its activity before `before` is gone for every reader, and erased in the background. */
export const Erased = Schema.TaggedStruct("Erased", {
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
