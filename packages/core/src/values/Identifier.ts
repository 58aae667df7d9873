import { Schema } from "effect"
import { hasInvisible, trimInvisible } from "./invisible.ts"
import {
  readObjectId,
  readOperationId,
  readPersonId,
  writeObjectId,
  writeOperationId,
  writePersonId,
} from "./idText.ts"

/** The environment id of a workspace: a positive integer. */
export const WorkspaceId = Schema.Int.check(Schema.isGreaterThan(0)).pipe(Schema.brand("WorkspaceId"))
export type WorkspaceId = typeof WorkspaceId.Type

/**
 * The permanent number of a person, object or other subject in its workspace. Keys ascend from 1, all kinds of subject
 * share one sequence, and no key is reused.
 */
export const SubjectKey = Schema.Int.check(Schema.isGreaterThan(0)).pipe(Schema.brand("SubjectKey"))
export type SubjectKey = typeof SubjectKey.Type

/** The position of an operation in the activity log of its workspace, counted from 1 in the order of commits. */
export const Sequence = Schema.Int.check(Schema.isGreaterThan(0)).pipe(Schema.brand("Sequence"))
export type Sequence = typeof Sequence.Type

/** Returns the key or log position that follows `n`. */
export const nextAfter = <N extends SubjectKey | Sequence>(n: N): N => (n + 1) as N // a branded number loses its brand in arithmetic

/** The kinds of identifier. An identifier belongs to at most one person or visitor of a workspace at a time. */
export const IdentifierKind = Schema.Literals(["id", "email", "anonymous_id"])
export type IdentifierKind = typeof IdentifierKind.Type

/** An identifier as the client sent it. Emails are compared without regard to case (contract §6). */
export const Identifier = Schema.Struct({ kind: IdentifierKind, value: Schema.NonEmptyString })
export type Identifier = typeof Identifier.Type

/**
 * Refers to a person by `svc_id`. `key` is null if the text in the request is not a valid `svc_id`, and `text` is that
 * text.
 */
const BySvcId = Schema.TaggedStruct("BySvcId", {
  key: Schema.NullOr(SubjectKey),
  text: Schema.optionalKey(Schema.String),
})

/** Refers to a person or a visitor by an identifier of a known kind. */
const ByIdentifier = Schema.TaggedStruct("ByIdentifier", Identifier.fields)

/**
 * Refers to a person by a text that may be an `id` or another identifier. If a person has this text as `id`, the
 * reference resolves to that person. Otherwise, the reference in the field `otherwise` is resolved (contract §6).
 */
const ByBareText = Schema.TaggedStruct("ByBareText", {
  value: Schema.NonEmptyString,
  otherwise: Schema.Union([BySvcId, ByIdentifier]),
})

/** The identifier that an operation addresses a person or a visitor with. */
export const Reference = Schema.Union([BySvcId, ByIdentifier, ByBareText])
export type Reference = typeof Reference.Type

/**
 * Refers to an object by its type and id. If the object does not exist, operations that can create objects create it.
 */
const ByTypeAndId = Schema.TaggedStruct("ByTypeAndId", {
  typeId: Schema.NonEmptyString,
  objectId: Schema.NonEmptyString,
})

/**
 * Refers to an existing object by `svc_object_id`. `key` is null if the text in the request is not a valid
 * `svc_object_id`, and `text` is that text.
 */
const BySvcObjectId = Schema.TaggedStruct("BySvcObjectId", {
  key: Schema.NullOr(SubjectKey),
  text: Schema.optionalKey(Schema.String),
})

/** The identifier that an operation addresses an object with (track-api §2.2, contract §9). */
export const ObjectReference = Schema.Union([ByTypeAndId, BySvcObjectId])
export type ObjectReference = typeof ObjectReference.Type

/** Returns the lookup text of an identifier: its kind and value, with emails in lower case. */
export const identifierText = (kind: IdentifierKind, value: string): string =>
  `${kind}:${kind === "email" ? value.toLowerCase() : value}`

/**
 * Returns the lookup text that leads from an identifier to the person who had it when a merge freed it. Contains only the
 * keyed digest of the `identifierText`, so it may outlive that person.
 */
export const freedText = (digest: string): string => `freed:${digest}`

/**
 * Returns the lookup text that leads from an identifier to the log position of the operation that deleted the person who had it,
 * in place of a key. Like `freedText`, it contains only the keyed digest.
 */
export const goneText = (digest: string): string => `gone:${digest}`

/** Returns the text whose digest `goneText` takes to lead from the `svc_id` of a deleted person to the operation. */
export const keyText = (key: SubjectKey): string => `svc_id:${key}`

/** Returns the lookup text that leads to the log position of the operation by which a person got another identifier in place of one. */
export const replacedText = (digest: string): string => `replaced:${digest}`

/** Returns whether a lookup text leads to a log position and not to a subject. */
export const leadsToPosition = (text: string): boolean =>
  text.startsWith("gone:") || text.startsWith("replaced:")

/** Returns the lookup text of a device token. A token belongs to one person or visitor at a time (contract §10). */
export const deviceText = (token: string): string => `device:${token}`

/**
 * Returns the lookup text of an object. The text contains the length of the type id, so that two objects have different
 * texts even if their type ids or object ids contain colons.
 */
export const objectText = (typeId: string, objectId: string): string =>
  `object:${typeId.length}:${typeId}:${objectId}`

/** Returns the lookup text of a delivery. */
export const deliveryText = (deliveryId: string): string => `delivery:${deliveryId}`

/** Returns the lookup text of a form. */
export const formText = (formId: string): string => `form:${formId}`

/**
 * Returns the trimmed text if it is an email: an `@` with something on both sides, without spaces, zero-width characters and
 * U+FFFD (contract §6). Returns null otherwise.
 */
export const emailIn = (text: string): string | null => {
  const email = trimInvisible(text)
  const at = email.indexOf("@", 1)
  return at > 0 && at < email.length - 1 && !hasInvisible(email) ? email : null
}

const addressShape = /^[^\s@]+@[^\s@]+$/

/**
 * Returns whether a text that may be an id or an email looks like an email: it must have one `@` and a dot inside the
 * domain. The dot is required because ids such as `user@1` exist.
 */
export const looksLikeEmail = (text: string): boolean => {
  if (!addressShape.test(text)) return false
  const dot = text.indexOf(".", text.indexOf("@") + 2)
  return dot > 0 && dot < text.length - 1
}

/** Returns the `svc_id` of a person, such as `p11000000001`. */
export const svcIdText: (workspace: WorkspaceId, key: SubjectKey) => string = writePersonId

/** Returns the key in a `svc_id`, or undefined if the text is not a `svc_id` of the workspace. */
export const svcIdKey = (workspace: WorkspaceId, text: string): SubjectKey | undefined => {
  const n = readPersonId(workspace, text)
  return n === undefined ? undefined : SubjectKey.make(n)
}

/** Returns the `svc_object_id` of an object, such as `o11000000001`. */
export const svcObjectIdText: (workspace: WorkspaceId, key: SubjectKey) => string = writeObjectId

/** Returns the key in a `svc_object_id`, or undefined if the text is not a `svc_object_id` of the workspace. */
export const svcObjectIdKey = (workspace: WorkspaceId, text: string): SubjectKey | undefined => {
  const n = readObjectId(workspace, text)
  return n === undefined ? undefined : SubjectKey.make(n)
}

/**
 * Returns the operation id of an entry, such as `op11000000001`. The id of a batch item consists of the id of the
 * batch's first entry and the item's index. Because each id contains a log position, no index is needed to look an operation up.
 */
export const operationIdText = (
  workspace: WorkspaceId,
  sequence: Sequence,
  batchIndex: number | null,
): string =>
  batchIndex === null
    ? writeOperationId(workspace, sequence)
    : `${writeOperationId(workspace, sequence - batchIndex)}-${batchIndex}`

/** Returns the log position in an operation id, or undefined if the text is not an operation id of the workspace. */
export const operationSequence = (workspace: WorkspaceId, text: string): Sequence | undefined => {
  const sequence = readOperationId(workspace, text)
  return sequence === undefined ? undefined : Sequence.make(sequence)
}
