import { Schema } from "effect"
import { ActivityEntry } from "./Activity.ts"
import { Attributes } from "./Attributes.ts"
import { Identifier, Sequence, SubjectKey, WorkspaceId } from "./Identifier.ts"

/** A person exists now, in the place of the visitor with the same key where there was one. */
const PersonCreated = Schema.TaggedStruct("PersonCreated", {
  key: SubjectKey,
  workspace: WorkspaceId,
  at: Schema.Int,
})

/** A person carries an identifier now, in the place of the one of that kind before. */
const IdentifierTaken = Schema.TaggedStruct("IdentifierTaken", {
  key: SubjectKey,
  identifier: Identifier,
  at: Schema.Int,
})

/** Attributes of a person or a visitor have new values or times. */
const AttributesAssigned = Schema.TaggedStruct("AttributesAssigned", {
  key: SubjectKey,
  entries: Attributes,
  at: Schema.Int,
})

/** Somebody who is no person was named, for the first time or again. */
const VisitorSeen = Schema.TaggedStruct("VisitorSeen", {
  key: SubjectKey,
  workspace: WorkspaceId,
  knownAs: Identifier,
  at: Schema.Int,
})

/** A visitor turned out to be a person: what it did from `since` on is the person's. */
const VisitorAttached = Schema.TaggedStruct("VisitorAttached", {
  key: SubjectKey,
  owner: SubjectKey,
  at: Schema.Int,
  since: Schema.Int,
})

/** A person, or a visitor, is gone with all that hung on it and was recorded before `before`. */
const SubjectDeleted = Schema.TaggedStruct("SubjectDeleted", { key: SubjectKey, before: Sequence })

/** An operation was decided; its entry is the last change of each command. */
const OperationRecorded = Schema.TaggedStruct("OperationRecorded", { entry: ActivityEntry })

/** What happened. Whatever anyone can see is a function of committed changes. */
export const Change = Schema.Union([
  PersonCreated,
  IdentifierTaken,
  AttributesAssigned,
  VisitorSeen,
  VisitorAttached,
  SubjectDeleted,
  OperationRecorded,
])
export type Change = typeof Change.Type
