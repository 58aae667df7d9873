import { Schema } from "effect"
import { Sequence, SubjectKey } from "../values/Identifier.ts"

/** An attribute before an operation: when it was set, and its value unless the operation kept it. */
const AttributeBefore = Schema.Struct({ at: Schema.Int, value: Schema.optionalKey(Schema.Json) })

/** Attributes before an operation, by name; null if the attribute was not there. */
export const AttributesBefore = Schema.ReadonlyMap(Schema.String, Schema.NullOr(AttributeBefore))
export type AttributesBefore = typeof AttributesBefore.Type

/** A device before an operation. A field is missing if the operation kept it. */
const DeviceBefore = Schema.Struct({
  platform: Schema.optionalKey(Schema.String),
  lastUsed: Schema.optionalKey(Schema.NullOr(Schema.Int)),
  attributes: AttributesBefore,
})
export type DeviceBefore = typeof DeviceBefore.Type

/** A visitor or a merged person who belonged to a person. The fields are those of `Attachment`. */
const AttachmentBefore = Schema.Struct({
  key: SubjectKey,
  at: Schema.Int,
  since: Schema.Int,
  merged: Schema.Boolean,
  merge: Schema.optionalKey(Sequence),
  onward: Schema.optionalKey(Schema.Array(Sequence)),
  freed: Schema.optionalKey(Schema.Struct({ at: Schema.Int, identifiers: Schema.Array(Schema.String) })),
  former: Schema.optionalKey(Schema.Array(Schema.Struct({ at: Schema.Int, identifier: Schema.String }))),
  moved: Schema.optionalKey(Schema.Struct({ merge: Sequence, names: Schema.Array(Schema.String) })),
  via: Schema.optionalKey(Schema.Struct({ primary: SubjectKey, secondary: SubjectKey, merge: Sequence })),
})

/**
 * How a list was before an operation: without what the operation added, and with what it removed. The order of the list
 * has no meaning.
 */
const listBefore = <S extends Schema.Top, K extends Schema.Top>(item: S, key: K) =>
  Schema.Struct({ added: Schema.Array(key), removed: Schema.Array(item) })

/**
 * What an operation overwrote in the document of an object. A field is missing if the operation kept it. Of an object that was
 * deleted, everything that it had.
 */
const ObjectBefore = Schema.Struct({
  createdAt: Schema.optionalKey(Schema.Int),
  updatedAt: Schema.optionalKey(Schema.Int),
  attributes: AttributesBefore,
  /** The object was deleted and had more related people than an entry can name, so it names none of them. */
  crowded: Schema.optionalKey(Schema.Literal(true)),
})
export type ObjectBefore = typeof ObjectBefore.Type

/**
 * What an operation overwrote in the document of a person. A field is missing if the operation kept it. Attributes,
 * devices and relationships hold only the items that the operation changed, with null for those that it added.
 */
export const PersonBefore = Schema.Struct({
  updatedAt: Schema.optionalKey(Schema.Int),
  id: Schema.optionalKey(Schema.NullOr(Schema.String)),
  email: Schema.optionalKey(Schema.NullOr(Schema.String)),
  idAt: Schema.optionalKey(Schema.NullOr(Schema.Int)),
  emailAt: Schema.optionalKey(Schema.NullOr(Schema.Int)),
  anonymousIds: Schema.optionalKey(listBefore(Schema.String, Schema.String)),
  attributes: Schema.optionalKey(AttributesBefore),
  devices: Schema.optionalKey(Schema.ReadonlyMap(Schema.String, Schema.NullOr(DeviceBefore))),
  relationships: Schema.optionalKey(Schema.ReadonlyMap(SubjectKey, Schema.NullOr(AttributesBefore))),
  /** The segments that the person was added to or removed from by hand. `effects` has those with rules. */
  segments: Schema.optionalKey(listBefore(SubjectKey, SubjectKey)),
  attached: Schema.optionalKey(listBefore(AttachmentBefore, SubjectKey)),
  /** Whose what is here was, if it came with a merge: by path, the merged person (see `Origins`). */
  from: Schema.optionalKey(Schema.ReadonlyMap(Schema.String, SubjectKey)),
  /** If the subject is an object and no person: what was overwritten of it, null if there was no such object. */
  object: Schema.optionalKey(Schema.NullOr(ObjectBefore)),
})
export type PersonBefore = typeof PersonBefore.Type

/** What an operation overwrote of one person or object. An empty `before` of an object says that only relationships to it changed. */
export const Overwritten = Schema.Struct({
  subject: SubjectKey,
  /**
   * Null if there was no such person before the operation. Of a person who was merged, everything that the person had.
   */
  before: Schema.NullOr(PersonBefore),
  /** The person whose item has something from this subject (`PersonBefore.from`). Otherwise missing. */
  within: Schema.optionalKey(SubjectKey),
})
export type Overwritten = typeof Overwritten.Type

/**
 * Returns what an entry says it overwrote, without what is about its own subject: the person, or relationships to the
 * object. The rest stays when the subject is deleted, because it is about people who are still there.
 */
export const overwrittenOfOthers = ({
  overwritten,
  subject,
}: {
  readonly subject: SubjectKey | null
  readonly overwritten: ReadonlyArray<Overwritten>
}): ReadonlyArray<Overwritten> =>
  overwritten.length === 0 ? overwritten : overwritten.filter((one) => isOfOther(one, subject))

/** Returns whether an item stays in an entry when the subject of the entry is deleted. */
export const isOfOther = ({ before, subject, within }: Overwritten, about: SubjectKey | null): boolean =>
  subject !== about && (about === null || (within !== about && before?.relationships?.has(about) !== true))
