import { Schema } from "effect"
import { ActivityKind, ActivitySource, EventKind } from "./Activity.ts"
import { Assignment } from "./Attributes.ts"
import { Reference, type IdentifierKind } from "./Identifier.ts"
import type { Json, JsonObject } from "./Json.ts"
import { Fault } from "./Outcome.ts"
import { Workspace } from "./Workspace.ts"

/** What every command carries besides what it asks for. Times are milliseconds since 1970. */
const envelope = {
  workspace: Workspace,
  source: ActivitySource,
  receivedAt: Schema.Int,
  /** The operation's own time: orders updates and dates events. */
  at: Schema.Int,
  /** The time that the client's clock showed, where it was corrected. */
  originalTimestamp: Schema.NullOr(Schema.Int),
  /** The place in its batch; null outside one. */
  batchIndex: Schema.NullOr(Schema.Int),
  /** Makes a second arrival have no effect (contract §8). */
  deduplicationKey: Schema.NullOr(Schema.NonEmptyString),
  /** Parts of the request that were left out already. */
  faults: Schema.Array(Fault),
}

/** Add or update a person, or what is kept about an anonymous visitor (track-api §2.1). */
export const IdentifyPerson = Schema.TaggedStruct("IdentifyPerson", {
  ...envelope,
  /** Who is addressed; the identifiers below are the others that the request holds. */
  target: Reference,
  id: Schema.NullOr(Schema.NonEmptyString),
  email: Schema.NullOr(Schema.NonEmptyString),
  anonymousId: Schema.NullOr(Schema.NonEmptyString),
  assignments: Schema.Array(Assignment),
  /** `_update`: never create anybody. */
  updateOnly: Schema.Boolean,
})
export type IdentifyPerson = typeof IdentifyPerson.Type

/** Remove a person and all that hangs on it (contract §6). */
export const DeletePerson = Schema.TaggedStruct("DeletePerson", { ...envelope, target: Reference })
export type DeletePerson = typeof DeletePerson.Type

/** Record what somebody did (track-api §2.5). `target` is null for an event that nobody can be given. */
export const RecordEvent = Schema.TaggedStruct("RecordEvent", {
  ...envelope,
  kind: EventKind,
  target: Schema.NullOr(Reference),
  /** The anonymous id that the request named, beside its target or as its target. */
  anonymousId: Schema.NullOr(Schema.NonEmptyString),
  name: Schema.NonEmptyString,
  data: Schema.Json,
})
export type RecordEvent = typeof RecordEvent.Type

/** Record that a request or an item was refused; nothing that it held is kept. */
export const RejectOperation = Schema.TaggedStruct("RejectOperation", {
  ...envelope,
  kind: Schema.NullOr(ActivityKind),
})
export type RejectOperation = typeof RejectOperation.Type

/** What a client asks for: decoded, measured, and not yet decided. */
export const Command = Schema.Union([IdentifyPerson, DeletePerson, RecordEvent, RejectOperation])
export type Command = typeof Command.Type

/**
 * The payload of an identify as its activity entry shows it, without the identifiers that were refused: they are somebody
 * else's, and go when that person does.
 */
export const identifyPayload = (
  { anonymousId, assignments, email, id, updateOnly }: IdentifyPerson,
  refused: ReadonlySet<IdentifierKind>,
): JsonObject => {
  const entries: Array<readonly [string, Json]> = []
  if (id !== null && !refused.has("id")) entries.push(["id", id])
  if (email !== null && !refused.has("email")) entries.push(["email", email])
  if (anonymousId !== null) entries.push(["anonymous_id", anonymousId])
  if (updateOnly) entries.push(["_update", true])
  for (const { name, value } of assignments) entries.push([name, value])
  return Object.fromEntries(entries)
}

/** What a command is called in the activity log. */
export const kindOf = (command: Command): ActivityKind | null => {
  switch (command._tag) {
    case "IdentifyPerson":
      return "identify"
    case "DeletePerson":
      return "delete"
    case "RecordEvent":
    case "RejectOperation":
      return command.kind
  }
}
