import {
  emailIn,
  identifierText,
  looksLikeEmail,
  svcIdKey,
  type IdentifierKind,
  type Reference,
} from "@inlethq/core/values/Identifier"
import { exceedsBytes, isJsonObject, type JsonObject } from "@inlethq/core/values/Json"
import type { Fault } from "@inlethq/core/log/Outcome"
import { Result } from "effect"
import { readBranded, unprefixed } from "./Brand.ts"
import type { Receipt } from "./Receipt.ts"
import { identifierTexts, valueTexts } from "../texts/wireTexts.ts"

/** The identifiers of a request by kind. A kind that the request does not have is null. */
export interface Identifiers {
  readonly svcId: string | null
  readonly id: string | null
  readonly email: string | null
  readonly anonymousId: string | null
}

export type IdentifierField = "svc_id" | IdentifierKind

/** The identifier that addresses the person or visitor of a request, and the other identifiers of the request. */
export interface Address {
  readonly target: Reference
  readonly kind: IdentifierField
  readonly value: string
  readonly others: Identifiers
  /** A fault for each identifier that was left out. */
  readonly faults: ReadonlyArray<Fault>
}

const noIdentifiers: Identifiers = { svcId: null, id: null, email: null, anonymousId: null }
const noFaults: ReadonlyArray<Fault> = []

/**
 * Reads an id or a name as text. Numbers become text. A missing value, null or "" becomes null. Returns undefined for a
 * value that cannot become text.
 */
export const readText = (value: unknown): string | null | undefined => {
  if (typeof value === "string") return value === "" ? null : value
  if (value === null || value === undefined) return null
  return isExact(value) ? String(value) : undefined
}

/**
 * Returns true if a parsed number is exactly the number that the client wrote. Beyond 2^53, different integers parse to
 * the same float.
 */
const isExact = (value: unknown): boolean =>
  typeof value === "number" &&
  Number.isFinite(value) &&
  (Number.isSafeInteger(value) || !Number.isInteger(value))

/**
 * Returns the size limit of an identifier in UTF-8 bytes. Emails have the same limit as attribute values. All other
 * identifiers have the same limit as person ids (track-api §8).
 */
const identifierBytesMax = ({ workspace: { limits } }: Receipt, kind: IdentifierField): number =>
  kind === "email" ? limits.attributeValueBytesMax : limits.personIdBytesMax

/**
 * Returns the fault of a value that cannot become text. A number cannot become text if it is an integer beyond 2^53.
 * Such an integer looks valid to the client, so it has an error message of its own (contract §6).
 */
export const notText = (field: string, value: unknown, otherwise = valueTexts.notText(field)): Fault =>
  typeof value === "number" ? valueTexts.inexactInteger(field) : otherwise

/** Reads an identifier as text. Returns null if the identifier is missing. Fails with a fault if it is invalid. */
export const readIdentifier = (
  receipt: Receipt,
  kind: IdentifierField,
  value: unknown,
  field: string,
): Result.Result<string | null, Fault> => {
  const text = readText(value)
  if (text === undefined) {
    return Result.fail(notText(field, value, identifierTexts.notText(field, { kind })))
  }
  const wrong = text === null ? undefined : identifierFault(receipt, kind, text, field)
  return wrong === undefined ? Result.succeed(text) : Result.fail(wrong)
}

/** Returns a fault if an identifier is too long, else undefined. */
export const identifierFault = (
  receipt: Receipt,
  kind: IdentifierField,
  text: string,
  field: string,
): Fault | undefined => {
  const bytesMax = identifierBytesMax(receipt, kind)
  return exceedsBytes(text, bytesMax) ? identifierTexts.tooLong(field, { kind, bytes: bytesMax }) : undefined
}

/**
 * Reads an identifier of unstated kind, in a v1 path or a Pipelines `userId` (contract §6). Text with a brand prefix is
 * a `svc_id`. Text that looks like an email is an email if the workspace identifies people by email. All other text is
 * an `id`, which is invalid if the workspace identifies people by email only (contract §6).
 */
export const bareAddress = (receipt: Receipt, text: string, field: string): Result.Result<Address, Fault> => {
  if (text === "") return Result.fail(identifierTexts.missing(field))
  const address = ofBareText(receipt, text)
  if (address.kind === "id" && !receipt.workspace.identifiers.id) {
    return Result.fail(identifierTexts.notEmailOnly(field))
  }
  const wrong = identifierFault(receipt, address.kind, text, field)
  return wrong === undefined ? Result.succeed(address) : Result.fail(wrong)
}

const ofBareText = ({ brand, workspace }: Receipt, text: string): Address => {
  const svcId = unprefixed(brand, text)
  if (svcId !== undefined) {
    const otherwise = { _tag: "BySvcId", key: svcIdKey(workspace.id, svcId) ?? null } as const
    return addressOf({ _tag: "ByBareText", value: text, otherwise }, "svc_id", svcId === "" ? text : svcId)
  }
  const email = workspace.identifiers.email ? emailIn(text) : null
  if (email !== null && (looksLikeEmail(email) || !workspace.identifiers.id)) {
    const otherwise = { _tag: "ByIdentifier", kind: "email", value: email } as const
    return addressOf({ _tag: "ByBareText", value: text, otherwise }, "email", email)
  }
  return addressBy("id", text)
}

/** Returns the `Address` of a request that names a person by an identifier, and perhaps by others. */
export const addressBy = (
  kind: IdentifierKind,
  value: string,
  others = noIdentifiers,
  faults = noFaults,
): Address => addressOf({ _tag: "ByIdentifier", kind, value }, kind, value, others, faults)

const addressOf = (
  target: Reference,
  kind: IdentifierField,
  value: string,
  others = noIdentifiers,
  faults = noFaults,
): Address => ({ target, kind, value, others, faults })

export const addressBySvcId = (receipt: Receipt, text: string): Address =>
  addressOf(bySvcId(receipt, text), "svc_id", text)

/**
 * Returns the reference to the person with the `svc_id` in `text`, with or without its brand prefix. If `text` is not a
 * `svc_id`, the reference matches no person.
 */
export const bySvcId = ({ brand, workspace: { id } }: Receipt, text: string): Reference => {
  const key = svcIdKey(id, text) ?? svcIdKey(id, unprefixed(brand, text) ?? "")
  return key === undefined ? { _tag: "BySvcId", key: null, text } : { _tag: "BySvcId", key }
}

/**
 * Reads an object of identifiers, such as `identifiers` in a v2 item (contract §6). The first of `svc_id`, `id` and
 * `email` that is present becomes the target. An anonymous id alone can be the target only if `anonymous` is true.
 */
export const readAddress = (
  receipt: Receipt,
  identifiers: unknown,
  anonymous: boolean,
  field = "identifiers",
): Result.Result<Address, ReadonlyArray<Fault>> => {
  if (identifiers === undefined || identifiers === null) {
    return Result.fail([valueTexts.missing(field)])
  }
  if (!isJsonObject(identifiers)) {
    return Result.fail([valueTexts.notObject(field)])
  }
  const faults: Array<Fault> = []
  const found = collect(receipt, identifiers, field, faults)
  if (faults.length > 0) return Result.fail(faults)
  const unused: Array<Fault> = []
  const used = dropUnused(receipt, found, field, unused)
  const leading = leadOf(receipt, used, anonymous, unused)
  if (leading !== undefined) return Result.succeed(leading)
  return Result.fail(unused.length > 0 ? unused : [nobodyNamed(identifiers, used, field, anonymous)])
}

const collect = (
  receipt: Receipt,
  identifiers: JsonObject,
  field: string,
  faults: Array<Fault>,
): Identifiers => {
  const read = (kind: IdentifierField, value: unknown): string | null => {
    if (value === undefined || value === null) return null
    const read = readIdentifier(receipt, kind, value, `${field}.${kind}`)
    if (Result.isFailure(read)) faults.push(read.failure)
    return Result.isFailure(read) ? null : read.success
  }
  const readEmail = (value: unknown): string | null => {
    const text = read("email", value)
    const email = text === null ? null : emailIn(text)
    if (text !== null && email === null) faults.push(notAnEmail(`${field}.email`))
    return email
  }
  return {
    svcId: read("svc_id", readBranded(receipt.brand, identifiers, "svc_id")),
    id: read("id", identifiers["id"]),
    email: receipt.workspace.identifiers.email
      ? readEmail(identifiers["email"])
      : read("email", identifiers["email"]),
    anonymousId: read("anonymous_id", identifiers["anonymous_id"]),
  }
}

/** Returns the fault of a text that is not an email address (contract §6). */
export const notAnEmail = (field: string): Fault => identifierTexts.notEmail(field)

/** Leaves out identifiers of the kinds that the workspace does not use. */
const dropUnused = (
  receipt: Receipt,
  found: Identifiers,
  field: string,
  faults: Array<Fault>,
): Identifiers => {
  const uses = receipt.workspace.identifiers
  if ((uses.id || found.id === null) && (uses.email || found.email === null)) return found
  const drop = (kind: "id" | "email") => {
    if (uses[kind] || found[kind] === null) return found[kind]
    faults.push(identifierTexts.notUsed(`${field}.${kind}`, { kind }))
    return null
  }
  return { ...found, id: drop("id"), email: drop("email") }
}

const leadOf = (
  receipt: Receipt,
  found: Identifiers,
  anonymous: boolean,
  faults: ReadonlyArray<Fault>,
): Address | undefined => {
  const { anonymousId, email, id, svcId } = found
  if (svcId !== null) {
    return addressOf(bySvcId(receipt, svcId), "svc_id", svcId, { ...found, svcId: null }, faults)
  }
  if (id !== null) return addressBy("id", id, { svcId, id: null, email, anonymousId }, faults)
  if (email !== null) return addressBy("email", email, { svcId, id, email: null, anonymousId }, faults)
  return anonymous && anonymousId !== null
    ? addressBy("anonymous_id", anonymousId, noIdentifiers, faults)
    : undefined
}

const nobodyNamed = (
  identifiers: JsonObject,
  found: Identifiers,
  field: string,
  anonymous: boolean,
): Fault => {
  if (!anonymous && found.anonymousId !== null) {
    return identifierTexts.anonymousNotAllowed(`${field}.anonymous_id`)
  }
  return Object.hasOwn(identifiers, "phone")
    ? identifierTexts.notUsed(`${field}.phone`, { kind: "phone" })
    : identifierTexts.none(field)
}

/** Returns true if two texts are the same identifier of the given kind. */
export const sameIdentifier = (receipt: Receipt, kind: IdentifierField, a: string, b: string): boolean => {
  if (a === b) return true
  if (kind === "svc_id") return (unprefixed(receipt.brand, a) ?? a) === (unprefixed(receipt.brand, b) ?? b)
  return identifierText(kind, a) === identifierText(kind, b)
}
