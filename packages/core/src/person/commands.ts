import { Schema } from "effect"
import { envelope } from "../Envelope.ts"
import { DeviceChange } from "../device/commands.ts"
import type { NeedsCollector } from "../Needs.ts"
import { collectObjects, RelationshipChange } from "../relationship/commands.ts"
import { Assignment } from "../state/Attributes.ts"
import { Reference } from "../values/Identifier.ts"

/** Add or update a person, or what is kept about an anonymous visitor (track-api §2.1). */
export const IdentifyPerson = Schema.TaggedStruct("IdentifyPerson", {
  ...envelope,
  /** Who is addressed; the identifiers below are the others that the request holds. */
  target: Reference,
  id: Schema.NullOr(Schema.NonEmptyString),
  email: Schema.NullOr(Schema.NonEmptyString),
  /** Whether the request removes the person's email; `email` is null then (contract §16). */
  removeEmail: Schema.Boolean,
  anonymousId: Schema.NullOr(Schema.NonEmptyString),
  assignments: Schema.Array(Assignment),
  /** What the request says about the person's relationships; null for nothing. */
  relationships: Schema.NullOr(RelationshipChange),
  /** What the request says of a device beside; null for nothing. */
  device: Schema.NullOr(DeviceChange),
  /** `_update`: never create anybody. */
  updateOnly: Schema.Boolean,
})
export type IdentifyPerson = typeof IdentifyPerson.Type

/** Remove a person and all that hangs on it (contract §6). */
export const DeletePerson = Schema.TaggedStruct("DeletePerson", { ...envelope, target: Reference })
export type DeletePerson = typeof DeletePerson.Type

/** Make one person of two: the primary stays (track-api §4.3 rule 1). */
export const MergePeople = Schema.TaggedStruct("MergePeople", {
  ...envelope,
  primary: Reference,
  secondary: Reference,
})
export type MergePeople = typeof MergePeople.Type

/**
 * Say that whoever was known by a previous id is the person who is addressed (pipelines-api §2.2): a merge, or where the
 * previous id is known only as an anonymous one, an identify with it (contract §13).
 */
export const AliasPerson = Schema.TaggedStruct("AliasPerson", {
  ...envelope,
  target: Reference,
  previous: Reference,
  previousId: Schema.NonEmptyString,
})
export type AliasPerson = typeof AliasPerson.Type

/** Collects what an identify names: its target, its other identifiers, objects and a device. */
export const collectIdentify = (needs: NeedsCollector, command: IdentifyPerson): void => {
  needs.reference(command.target)
  needs.identifier("id", command.id)
  needs.identifier("email", command.email)
  needs.identifier("anonymous_id", command.anonymousId)
  collectObjects(needs, command.relationships?.entries ?? [])
  needs.device(command.device)
}

/** Collects the two ids of an alias. The previous id may be a person or an anonymous id. */
export const collectAlias = (needs: NeedsCollector, command: AliasPerson): void => {
  needs.reference(command.target)
  needs.reference(command.previous)
  needs.identifier("anonymous_id", command.previousId)
}
