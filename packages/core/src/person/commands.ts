import { Schema } from "effect"
import { envelope } from "../fold/Envelope.ts"
import { DeviceChange } from "../device/commands.ts"
import type { NeedsCollector } from "../fold/Needs.ts"
import { collectObjects, RelationshipChange } from "../relationship/commands.ts"
import { Assignment } from "../state/Attributes.ts"
import { PersonBefore } from "../log/Overwritten.ts"
import { identifierText, Reference, Sequence, SubjectKey } from "../values/Identifier.ts"

/** Add or update a person, or update an anonymous visitor (track-api §2.1). */
export const IdentifyPerson = Schema.TaggedStruct("IdentifyPerson", {
  ...envelope,
  /**
   * The identifier that the request addresses the person with. `id`, `email` and `anonymousId` are the other
   * identifiers in the request.
   */
  target: Reference,
  id: Schema.NullOr(Schema.NonEmptyString),
  email: Schema.NullOr(Schema.NonEmptyString),
  /** Whether the request removes the person's email. If true, `email` is null (contract §6). */
  removeEmail: Schema.Boolean,
  anonymousId: Schema.NullOr(Schema.NonEmptyString),
  assignments: Schema.Array(Assignment),
  /** Relationships to add or remove; null if the request names no relationship. */
  relationships: Schema.NullOr(RelationshipChange),
  /** A device to update or remove; null if the request names no device. */
  device: Schema.NullOr(DeviceChange),
  /** Whether the request must not create a person (`_update` on the wire). */
  updateOnly: Schema.Boolean,
})
export type IdentifyPerson = typeof IdentifyPerson.Type

/** Delete a person and all their data (contract §6). */
export const DeletePerson = Schema.TaggedStruct("DeletePerson", { ...envelope, target: Reference })
export type DeletePerson = typeof DeletePerson.Type

/** Adds whom a deletion or suppression names, who may have been merged. */
export const collectErased = (needs: NeedsCollector, { target }: { readonly target: Reference }): void => {
  needs.reference(target)
  for (const text of namesIn(target)) needs.freed.add(text)
}

/** Returns the lookup texts of the identifiers in a reference that a merge can free. */
export const namesIn = (reference: Reference): ReadonlyArray<string> => {
  switch (reference._tag) {
    case "BySvcId":
      return []
    case "ByIdentifier":
      return reference.kind === "anonymous_id" ? [] : [identifierText(reference.kind, reference.value)]
    case "ByBareText":
      return [identifierText("id", reference.value), ...namesIn(reference.otherwise)]
  }
}

/** Merge two people. The primary remains, and the secondary's profile is deleted (track-api §4.3 rule 1). */
export const MergePeople = Schema.TaggedStruct("MergePeople", {
  ...envelope,
  primary: Reference,
  secondary: Reference,
})
export type MergePeople = typeof MergePeople.Type

/**
 * Undo a merge. The receipt is what the entry of the merge says it overwrote of the two people, so it does not change
 * between the reading and the decision.
 */
export const UnmergePeople = Schema.TaggedStruct("UnmergePeople", {
  ...envelope,
  primary: SubjectKey,
  secondary: SubjectKey,
  receipt: Schema.Struct({
    position: Sequence,
    mergedAt: Schema.Int,
    primary: PersonBefore,
    secondary: PersonBefore,
    /** The segments that the secondary was in by their rules, with the versions of these. */
    ruled: Schema.Array(Schema.Struct({ segment: SubjectKey, version: Schema.Int })),
    /** What the primary's preferences became, if it got those of the secondary through others. */
    preferences: Schema.optionalKey(Schema.Struct({ at: Schema.Int, value: Schema.Json })),
  }),
  /**
   * Whether events since the merge that named an identifier which the merge moved go back to the secondary. Otherwise they
   * stay with the primary.
   */
  divide: Schema.Boolean,
  /** Whether the secondary is erased in the same commit, so that no rule decides about them. */
  erases: Schema.optionalKey(Schema.Literal(true)),
})
export type UnmergePeople = typeof UnmergePeople.Type

/** Adds what the secondary had to the keys that the store must load, to find out who has it now. */
export const collectUnmerge = (
  needs: NeedsCollector,
  { primary, receipt, secondary }: Pick<UnmergePeople, "primary" | "receipt" | "secondary">,
): void => {
  const { anonymousIds, attached, devices, email, id, relationships, segments } = receipt.secondary
  needs.subject(primary)
  needs.subject(secondary)
  needs.identifier("id", id ?? null)
  needs.identifier("email", email ?? null)
  for (const anonymousId of anonymousIds?.removed ?? []) needs.identifier("anonymous_id", anonymousId)
  for (const token of devices?.keys() ?? []) needs.device({ token })
  for (const object of relationships?.keys() ?? []) needs.subject(object)
  for (const segment of segments?.removed ?? []) needs.subject(segment)
  for (const { key } of attached?.removed ?? []) needs.subject(key)
  for (const key of receipt.secondary.from?.values() ?? []) needs.subject(key)
  for (const key of receipt.primary.from?.values() ?? []) needs.subject(key)
}

/**
 * Declare that the person was known by a previous id (pipelines-api §2.2). If a person has the previous id, the two
 * people are merged. Otherwise, the previous id counts as an anonymous id, and the visitor with this anonymous id is
 * attached to the person (contract §13).
 */
export const AliasPerson = Schema.TaggedStruct("AliasPerson", {
  ...envelope,
  target: Reference,
  previous: Reference,
  previousId: Schema.NonEmptyString,
})
export type AliasPerson = typeof AliasPerson.Type

/**
 * Adds the target, the other identifiers, the objects and the device of an identify command to the keys that the store
 * must load.
 */
export const collectIdentify = (needs: NeedsCollector, command: IdentifyPerson): void => {
  needs.reference(command.target)
  needs.identifier("id", command.id)
  needs.identifier("email", command.email)
  needs.identifier("anonymous_id", command.anonymousId)
  collectObjects(needs, command.relationships?.entries ?? [])
  needs.device(command.device)
}

/**
 * Adds the two ids of an alias command to the keys that the store must load. The previous id is the id of a person or
 * an anonymous id.
 */
export const collectAlias = (needs: NeedsCollector, command: AliasPerson): void => {
  needs.reference(command.target)
  needs.reference(command.previous)
  needs.identifier("anonymous_id", command.previousId)
}
