import type { DeviceChange } from "@inlethq/core/device/commands"
import type { IdentifyPerson } from "@inlethq/core/person/commands"
import type { Fault } from "@inlethq/core/log/Outcome"
import type { Dialect, Reading } from "./attributes.ts"
import { followsReceipt, type EnvelopeOptions } from "./envelope.ts"
import { capFaults } from "./Findings.ts"
import { addressBy, bySvcId, sameIdentifier, type Address, type IdentifierField } from "./identifiers.ts"
import { withReadOtherwise } from "./readOtherwise.ts"
import type { Receipt } from "./Receipt.ts"
import { identifierTexts } from "../texts/wireTexts.ts"

/** The optional parts of an identify. */
export interface IdentifyOptions extends EnvelopeOptions {
  readonly device?: DeviceChange | null
}

/**
 * Builds the command of an identify. `address` contains the identifiers outside the attributes, and `reading` contains
 * the decoded attributes.
 */
export const identify = (
  receipt: Receipt,
  dialect: Dialect,
  address: Address,
  reading: Reading,
  options: IdentifyOptions,
): IdentifyPerson => {
  const command = identifyCommand(receipt, dialect, address, reading, options)
  return reading.otherwise === null ? command : withReadOtherwise(command, reading.otherwise)
}

const identifyCommand = (
  receipt: Receipt,
  dialect: Dialect,
  address: Address,
  reading: Reading,
  options: IdentifyOptions,
): IdentifyPerson => {
  const identity = identityOf(receipt, dialect, address, reading)
  return {
    // The envelope's fields are written out here, because spreading an envelope is slower (see `recordEvent`).
    _tag: "IdentifyPerson",
    workspace: receipt.workspace,
    source: receipt.source,
    receivedAt: receipt.receivedAt,
    at: options.at ?? receipt.receivedAt,
    followsReceipt: followsReceipt(options),
    originalTimestamp: options.originalTimestamp ?? null,
    batchIndex: receipt.batchIndex,
    deduplicationKey: options.deduplicationKey ?? null,
    sender: receipt.workspace.sender ?? null,
    faults: together(address.faults, identity.faults, reading.faults, options.faults),
    target: identity.target,
    id: identity.id,
    email: identity.email,
    removeEmail: identity.removeEmail,
    anonymousId: identity.anonymousId,
    assignments: reading.assignments,
    relationships: reading.relationships,
    device: options.device ?? null,
    updateOnly: reading.updateOnly,
  }
}

type Faults = ReadonlyArray<Fault>

const none: Faults = []

/** Joins lists of faults. Allocates nothing if all lists are empty, as they are for nearly all identifies. */
const together = (first: Faults, second: Faults, third: Faults, fourth: Faults = none): Faults =>
  first.length + second.length + third.length + fourth.length === 0
    ? none
    : capFaults([...first, ...second, ...third, ...fourth])

type Identity = Pick<IdentifyPerson, "target" | "id" | "email" | "removeEmail" | "anonymousId" | "faults">

/**
 * Returns the target of an identify and its other identifiers (contract §6). A `svc_id` anywhere in the request is the
 * target (track-api §2.1 rule 5). An anonymous id is the target only if the request does not identify a person. If the
 * request is addressed to an anonymous id, an `id` attribute identifies a person only in dialects with `idNamesPerson`.
 * If `address` and the attributes contain different identifiers of the same kind, the identifier in `address` is used
 * and a fault is recorded.
 */
const identityOf = (receipt: Receipt, dialect: Dialect, address: Address, named: Reading): Identity => {
  const identity = identifiersOf(receipt, dialect, address, named)
  const { email, faults } = identity
  if (!named.removesEmail || email === null) return { ...identity, removeEmail: named.removesEmail }
  const wrong = identifierTexts.leadingEmailRemoved(`${dialect.path}email`)
  return { ...identity, removeEmail: false, faults: [...faults, wrong] }
}

const identifiersOf = (
  receipt: Receipt,
  dialect: Dialect,
  address: Address,
  named: Reading,
): Omit<Identity, "removeEmail"> => {
  const faults: Array<Fault> = []
  const first = (kind: IdentifierField, winner: string | null, body: string | null) => {
    if (winner === null || body === null) return winner ?? body
    if (!sameIdentifier(receipt, kind, winner, body)) {
      faults.push(identifierTexts.differs(dialect.path + kind, { kind }))
    }
    return winner
  }
  const { others, kind, target, value } = address
  const id = first("id", others.id, named.id)
  const email = first("email", others.email, named.email)
  const anonymousId = first("anonymous_id", others.anonymousId, named.anonymousId)
  if (kind === "svc_id") {
    first("svc_id", value, named.svcId)
    return { target, id, email, anonymousId, faults }
  }
  if (named.svcId !== null) {
    return {
      target: bySvcId(receipt, named.svcId),
      id: kind === "id" ? first("id", value, id) : id,
      email: kind === "email" ? first("email", value, email) : email,
      anonymousId: kind === "anonymous_id" ? first("anonymous_id", value, anonymousId) : anonymousId,
      faults,
    }
  }
  if (kind !== "anonymous_id") return { target, id, email, anonymousId, faults }
  first("anonymous_id", value, anonymousId)
  if (id !== null && dialect.idNamesPerson) {
    return { target: addressBy("id", id).target, id: null, email, anonymousId: value, faults }
  }
  if (email !== null) {
    return { target: addressBy("email", email).target, id, email: null, anonymousId: value, faults }
  }
  if (id !== null) {
    faults.push(identifierTexts.idOfVisitor(`${dialect.path}id`))
  }
  return { target, id: null, email: null, anonymousId: value, faults }
}
