import { Schema } from "effect"

/** The environment id of a workspace: a positive integer. */
export const WorkspaceId = Schema.Int.check(Schema.isGreaterThan(0)).pipe(Schema.brand("WorkspaceId"))
export type WorkspaceId = typeof WorkspaceId.Type

/** The permanent number of a subject. Keys ascend, all kinds of subject share one sequence, and no key is reused. */
export const SubjectKey = Schema.Int.check(Schema.isGreaterThan(0)).pipe(Schema.brand("SubjectKey"))
export type SubjectKey = typeof SubjectKey.Type

/** The position of an operation in the activity log: positive and ascending in the order of commits. */
export const Sequence = Schema.Int.check(Schema.isGreaterThan(0)).pipe(Schema.brand("Sequence"))
export type Sequence = typeof Sequence.Type

/** Returns the next key or position. */
export const nextAfter = <N extends SubjectKey | Sequence>(n: N): N => (n + 1) as N // a branded number loses its brand in arithmetic

/** The kinds of identifier. An identifier belongs to one subject of a workspace at a time. */
export const IdentifierKind = Schema.Literals(["id", "email", "anonymous_id"])
export type IdentifierKind = typeof IdentifierKind.Type

/** An identifier as the client sent it. Emails are compared without regard to case (contract §6). */
export const Identifier = Schema.Struct({ kind: IdentifierKind, value: Schema.NonEmptyString })
export type Identifier = typeof Identifier.Type

/** Names a person by `svc_id`; `key` is null if the text is not a valid `svc_id`. */
const BySvcId = Schema.TaggedStruct("BySvcId", { key: Schema.NullOr(SubjectKey) })

/** Names a person or a visitor by an identifier of a known kind. */
const ByIdentifier = Schema.TaggedStruct("ByIdentifier", Identifier.fields)

/**
 * Names a person by a text of unknown kind. If a person has the text as `id`, the text names that person. If not, it is
 * read as the reference `otherwise` (contract §6).
 */
const ByBareText = Schema.TaggedStruct("ByBareText", {
  value: Schema.NonEmptyString,
  otherwise: Schema.Union([BySvcId, ByIdentifier]),
})

/** The name by which an operation addresses a person or a visitor. */
export const Reference = Schema.Union([BySvcId, ByIdentifier, ByBareText])
export type Reference = typeof Reference.Type

/** Names an object by its type and id. Operations that create objects create it if it does not exist. */
const ByTypeAndId = Schema.TaggedStruct("ByTypeAndId", {
  typeId: Schema.NonEmptyString,
  objectId: Schema.NonEmptyString,
})

/** Names an existing object by `svc_object_id`; `key` is null if the text is not a valid `svc_object_id`. */
const BySvcObjectId = Schema.TaggedStruct("BySvcObjectId", { key: Schema.NullOr(SubjectKey) })

/** The name by which an operation addresses an object (track-api §2.2, contract §9). */
export const ObjectReference = Schema.Union([ByTypeAndId, BySvcObjectId])
export type ObjectReference = typeof ObjectReference.Type

/** Returns the lookup text of an identifier: workspace, kind and value, with emails in lower case. */
export const identifierText = (workspace: WorkspaceId, kind: IdentifierKind, value: string): string =>
  `${workspace}:${kind}:${kind === "email" ? value.toLowerCase() : value}`

/** Returns the lookup text of a device token. A token belongs to one person or visitor at a time (contract §10). */
export const deviceText = (workspace: WorkspaceId, token: string): string => `${workspace}:device:${token}`

/** Returns the lookup text of an object. The length of the type id keeps texts unique if a type or id contains a colon. */
export const objectText = (workspace: WorkspaceId, typeId: string, objectId: string): string =>
  `${workspace}:object:${typeId.length}:${typeId}:${objectId}`

/** Returns the lookup text of a delivery. */
export const deliveryText = (workspace: WorkspaceId, deliveryId: string): string =>
  `${workspace}:delivery:${deliveryId}`

/** Returns the lookup text of a form. */
export const formText = (workspace: WorkspaceId, formId: string): string => `${workspace}:form:${formId}`

/** Returns a deduplication key with its workspace, since keys are unique per workspace only. */
export const deduplicationText = (workspace: WorkspaceId, key: string): string => `${workspace}:${key}`

/**
 * Returns the trimmed text if it is an email: no spaces, and an `@` with something on both sides (contract §16).
 * Returns null otherwise.
 */
export const emailIn = (text: string): string | null => {
  const email = text.trim()
  const at = email.indexOf("@", 1)
  return at > 0 && at < email.length - 1 && !/\s/.test(email) ? email : null
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

const numeral = /^[0-9a-z]+$/

const toText = (prefix: string, width: number) => (n: number) => prefix + n.toString(36).padStart(width, "0")

const fromText = (prefix: string, width: number) => {
  const write = toText(prefix, width)
  return (text: string): number | undefined => {
    const rest = text.slice(prefix.length)
    if (!text.startsWith(prefix) || rest.length > 11 || !numeral.test(rest)) return undefined
    const n = Number.parseInt(rest, 36)
    return Number.isSafeInteger(n) && n > 0 && write(n) === text ? n : undefined
  }
}

/** Returns the `svc_id` of a person, such as `p000000001`. */
export const svcIdText: (key: SubjectKey) => string = toText("p", 9)

const readSvcId = fromText("p", 9)

/** Returns the key in a `svc_id`; undefined if the text is not a valid one. */
export const svcIdKey = (text: string): SubjectKey | undefined => {
  const n = readSvcId(text)
  return n === undefined ? undefined : SubjectKey.make(n)
}

/** Returns the `svc_object_id` of an object, such as `o000000001`. */
export const svcObjectIdText: (key: SubjectKey) => string = toText("o", 9)

const readSvcObjectId = fromText("o", 9)

/** Returns the key in a `svc_object_id`; undefined if the text is not a valid one. */
export const svcObjectIdKey = (text: string): SubjectKey | undefined => {
  const n = readSvcObjectId(text)
  return n === undefined ? undefined : SubjectKey.make(n)
}

const writeOperation = toText("op", 10)
const readOperation = fromText("op", 10)

/**
 * Returns the operation id of an entry. The id of a batch item consists of the position of the batch's first entry and
 * the item's index. Because each id contains a log position, no index is needed to look an operation up.
 */
export const operationIdText = (sequence: Sequence, batchIndex: number | null): string =>
  batchIndex === null ? writeOperation(sequence) : `${writeOperation(sequence - batchIndex)}-${batchIndex}`

const operationId = /^(op[0-9a-z]+)(?:-(0|[1-9]\d{0,6}))?$/

/** Returns the log position in an operation id; undefined if the text is not a valid one. */
export const operationSequence = (text: string): Sequence | undefined => {
  const match = operationId.exec(text)
  const first = match?.[1] === undefined ? undefined : readOperation(match[1])
  const sequence = (first ?? Number.NaN) + Number(match?.[2] ?? 0)
  return Number.isSafeInteger(sequence) ? Sequence.make(sequence) : undefined
}
