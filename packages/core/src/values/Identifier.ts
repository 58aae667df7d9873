import { Schema } from "effect"

/** The environment id of a workspace: a positive integer. */
export const WorkspaceId = Schema.Int.check(Schema.isGreaterThan(0)).pipe(Schema.brand("WorkspaceId"))
export type WorkspaceId = typeof WorkspaceId.Type

/**
 * The permanent number of a subject: a person, an anonymous visitor, an identifier that events named before anybody
 * carried it, an object, a delivery, a form or a segment. Drawn from one ascending sequence and never reused.
 */
export const SubjectKey = Schema.Int.check(Schema.isGreaterThan(0)).pipe(Schema.brand("SubjectKey"))
export type SubjectKey = typeof SubjectKey.Type

/** The position of an operation in the activity log: positive and ascending in the order of commits. */
export const Sequence = Schema.Int.check(Schema.isGreaterThan(0)).pipe(Schema.brand("Sequence"))
export type Sequence = typeof Sequence.Type

/** The number after a key or a position. */
export const nextAfter = <N extends SubjectKey | Sequence>(n: N): N => (n + 1) as N // a brand has no arithmetic

/** The kinds of identifier that belong to one subject of a workspace at a time. */
export const IdentifierKind = Schema.Literals(["id", "email", "anonymous_id"])
export type IdentifierKind = typeof IdentifierKind.Type

/** An identifier as it was given; emails compare without regard to case (contract §6). */
export const Identifier = Schema.Struct({ kind: IdentifierKind, value: Schema.NonEmptyString })
export type Identifier = typeof Identifier.Type

/** Names a person by the id that the service gave; `key` is null where the text is none of ours. */
const BySvcId = Schema.TaggedStruct("BySvcId", { key: Schema.NullOr(SubjectKey) })

/** Names a subject by an identifier of a known kind. */
const ByIdentifier = Schema.TaggedStruct("ByIdentifier", Identifier.fields)

/** Names a person by a bare text: whoever carries it as `id`, and `otherwise` where nobody does (contract §6). */
const ByBareText = Schema.TaggedStruct("ByBareText", {
  value: Schema.NonEmptyString,
  otherwise: Schema.Union([BySvcId, ByIdentifier]),
})

/** How an operation names the person or the visitor that it acts on. */
export const Reference = Schema.Union([BySvcId, ByIdentifier, ByBareText])
export type Reference = typeof Reference.Type

/** Names an object by its type and id: one that nobody has is created where the operation creates. */
const ByTypeAndId = Schema.TaggedStruct("ByTypeAndId", {
  typeId: Schema.NonEmptyString,
  objectId: Schema.NonEmptyString,
})

/** Names an existing object by the id that the service gave; `key` is null where the text is none of ours. */
const BySvcObjectId = Schema.TaggedStruct("BySvcObjectId", { key: Schema.NullOr(SubjectKey) })

/** How an operation names an object (track-api §2.2, contract §9). */
export const ObjectReference = Schema.Union([ByTypeAndId, BySvcObjectId])
export type ObjectReference = typeof ObjectReference.Type

/** The one text under which an identifier is unique: workspace, kind and the value in the form that compares. */
export const identifierText = (workspace: WorkspaceId, kind: IdentifierKind, value: string): string =>
  `${workspace}:${kind}:${kind === "email" ? value.toLowerCase() : value}`

/** The one text under which a device token is unique: it belongs to one person or visitor at a time (contract §10). */
export const deviceText = (workspace: WorkspaceId, token: string): string => `${workspace}:device:${token}`

/** The one text under which an object is unique: its type, whose length says where it ends, and its id. */
export const objectText = (workspace: WorkspaceId, typeId: string, objectId: string): string =>
  `${workspace}:object:${typeId.length}:${typeId}:${objectId}`

/** The one text under which a delivery is unique. */
export const deliveryText = (workspace: WorkspaceId, deliveryId: string): string =>
  `${workspace}:delivery:${deliveryId}`

/** The one text under which a form is unique. */
export const formText = (workspace: WorkspaceId, formId: string): string => `${workspace}:form:${formId}`

/** The one text under which a deduplication key is unique. */
export const deduplicationText = (workspace: WorkspaceId, key: string): string => `${workspace}:${key}`

/**
 * Returns the email that a text holds: the trimmed text, if it has no spaces and an `@` with something on both sides
 * (contract §16). Returns null for any other text.
 */
export const emailIn = (text: string): string | null => {
  const email = text.trim()
  const at = email.indexOf("@", 1)
  return at > 0 && at < email.length - 1 && !/\s/.test(email) ? email : null
}

const addressShape = /^[^\s@]+@[^\s@]+$/

/**
 * Whether a bare identifier reads as an email where it could also be an id: one `@`, and a dot inside the domain. Ids such
 * as `user@1` exist.
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

/** `svc_id` as the wire and operators see it. */
export const svcIdText: (key: SubjectKey) => string = toText("p", 9)

const readSvcId = fromText("p", 9)

/** The subject that a `svc_id` names; undefined where the text is none of ours. */
export const svcIdKey = (text: string): SubjectKey | undefined => {
  const n = readSvcId(text)
  return n === undefined ? undefined : SubjectKey.make(n)
}

/** `svc_object_id` as the wire and operators see it. */
export const svcObjectIdText: (key: SubjectKey) => string = toText("o", 9)

const readSvcObjectId = fromText("o", 9)

/** The object that a `svc_object_id` names; undefined where the text is none of ours. */
export const svcObjectIdKey = (text: string): SubjectKey | undefined => {
  const n = readSvcObjectId(text)
  return n === undefined ? undefined : SubjectKey.make(n)
}

const writeOperation = toText("op", 10)
const readOperation = fromText("op", 10)

/**
 * The id of an operation: of the first one of its request, with the index behind it in a batch. Because it is the
 * position in the log, finding an operation by its id needs no index of its own.
 */
export const operationIdText = (sequence: Sequence, batchIndex: number | null): string =>
  batchIndex === null ? writeOperation(sequence) : `${writeOperation(sequence - batchIndex)}-${batchIndex}`

const operationId = /^(op[0-9a-z]+)(?:-(0|[1-9]\d{0,6}))?$/

/** The position that an operation id names; undefined where the text is none of ours. */
export const operationSequence = (text: string): Sequence | undefined => {
  const match = operationId.exec(text)
  const first = match?.[1] === undefined ? undefined : readOperation(match[1])
  const sequence = (first ?? Number.NaN) + Number(match?.[2] ?? 0)
  return Number.isSafeInteger(sequence) ? Sequence.make(sequence) : undefined
}
