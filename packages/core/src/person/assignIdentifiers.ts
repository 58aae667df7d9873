import { staleFault } from "../attributes/assignAttributes.ts"
import type { HoldingsBudget } from "../decision/HoldingsBudget.ts"
import type { DecisionDraft } from "../decision/DecisionDraft.ts"
import { inheritDevices } from "../device/inherit.ts"
import type { Change } from "../fold/Change.ts"
import { subjectByIdentifier, type WorkingSet } from "../fold/WorkingSet.ts"
import { eventMergeWindowMs } from "../log/ActivityEntry.ts"
import type { ClauseName } from "../log/ClauseName.ts"
import { decisionTexts } from "../log/operationTexts.ts"
import type { Fault } from "../log/Outcome.ts"
import type { Person } from "../state/Person.ts"
import type { Subject } from "../state/Subject.ts"
import type { Visitor } from "../state/Visitor.ts"
import {
  identifierText,
  type Identifier,
  type IdentifierKind,
  type SubjectKey,
} from "../values/Identifier.ts"
import { isStale } from "../values/Timestamp.ts"
import { anonymousIdsChange } from "./anonymousIdsChange.ts"
import type { IdentifyPerson } from "./commands.ts"

export interface Match {
  /** The identifier that the request addresses the person with. Null if the person already has it. */
  readonly newIdentifier: Identifier | null
  /**
   * The kind of identifier that the request addresses the person with, if this identifier resolved to the person. Null
   * if another identifier of the request resolved to the person.
   */
  readonly addressedBy: IdentifierKind | "svc_id" | null
  readonly rule: ClauseName
}

/** An identify call that assigns identifiers to a person, and what it has assigned so far. */
interface Assigning {
  readonly state: WorkingSet
  readonly command: IdentifyPerson
  readonly person: Person
  readonly approach: Match
  readonly budget: HoldingsBudget
  readonly draft: DecisionDraft
  /** The identifiers of the person, with those that were assigned. */
  readonly carried: { id: string | null; email: string | null }
  readonly assigned: Set<IdentifierKind>
  readonly refused: Set<IdentifierKind>
  /** The number of visitors that the person has taken over. */
  takenOver: number
}

/** Assigns the identifiers of the request, first the one that names a new person. Returns the refused kinds. */
export const assignIdentifiers = (
  given: Pick<Assigning, "state" | "command" | "person" | "approach" | "budget" | "draft">,
): Set<IdentifierKind> => {
  const { approach, command, person } = given
  const { newIdentifier: lead } = approach
  const refused = new Set<IdentifierKind>()
  if (lead === null && command.id === null && command.email === null) return refused
  const carried = { id: person.id, email: person.email }
  const assigning: Assigning = { ...given, carried, assigned: new Set(), refused, takenOver: 0 }
  if (lead !== null && lead.kind !== "anonymous_id") assignIdentifier(assigning, lead.kind, lead.value)
  if (command.id !== null) assignIdentifier(assigning, "id", command.id)
  if (command.email !== null) assignIdentifier(assigning, "email", command.email)
  return refused
}

/** Assigns one identifier, confirms it if the person has it, or refuses it. */
const assignIdentifier = (assigning: Assigning, kind: "id" | "email", value: string): void => {
  const { approach, assigned, budget, carried, command, draft, person, state } = assigning
  const current = carried[kind]
  const isSame = current !== null && identifierText(kind, current) === identifierText(kind, value)
  if (isSame && (current === value || assigned.has(kind) || approach.addressedBy !== "svc_id")) {
    if (mayChange(command, approach, kind)) confirmIdentifier(command, person, kind, draft)
    return
  }
  const identifier = { kind, value }
  const holder = subjectByIdentifier(state, identifier)
  const refusal = refusalOf(assigning, kind, holder)
  if (refusal !== null) {
    assigning.refused.add(kind)
    draft.faults.push(ofOther(holder, { ...refusal, value }))
    return
  }
  assigned.add(kind)
  carried[kind] = value
  if (holder?._tag === "Visitor" && holder.key !== person.key) {
    assigning.takenOver++
    draft.changes.push(attach(holder, person.key, command.receivedAt, 0))
    inheritDevices(command, person, holder, budget, draft, command.device?.token)
  }
  draft.changes.push({
    _tag: "IdentifierAssigned",
    key: person.key,
    identifier,
    at: command.receivedAt,
    setAt: command.at,
  })
  draft.fields.push({ path: kind, from: current, to: value })
}

/**
 * Returns why an identifier is refused: it belongs to another person, must not be changed, is older than the stored
 * identifier, or exceeds the limit on merged identifiers. Returns null if it is not.
 */
const refusalOf = (
  { approach, assigned, carried, command, person, takenOver }: Assigning,
  kind: "id" | "email",
  holder: Subject | undefined,
): Fault | null => {
  const isOthers = holder !== undefined && holder.key !== person.key
  if (isOthers && holder._tag === "Person") return decisionTexts.takenIdentifier(kind)
  if (assigned.has(kind) || (carried[kind] !== null && !mayChange(command, approach, kind))) {
    return fixedIdentifier(kind, approach.addressedBy)
  }
  const stale = approach.newIdentifier?.kind === kind ? null : staleIdentifier(command, person, kind)
  if (stale !== null) return stale
  const max = command.workspace.limits.identifiersPerPersonMax
  return isOthers && holder._tag === "Visitor" && person.attached.length + takenOver >= max
    ? decisionTexts.tooManyMergedIdentifiers(kind, { max })
    : null
}

/** The entry says by which identifier the call found the person, because a setting lets calls by `id` change the email. */
const fixedIdentifier = (kind: IdentifierKind, by: Match["addressedBy"]): Fault => {
  const fault = decisionTexts.fixedIdentifier(kind)
  return by === null ? fault : { ...fault, values: { by } }
}

/**
 * Removes the email of a person. Adds a fault if the person has no `id`, or if the request does not address the person
 * by `id` or `svc_id` (contract §6).
 */
export const removeEmail = (
  command: IdentifyPerson,
  person: Person,
  { addressedBy: by, newIdentifier: lead }: Match,
  draft: DecisionDraft,
): void => {
  const { email, id, key } = person
  const isAddressedByEmail = lead?.kind === "email"
  if (email === null && !isAddressedByEmail) return
  const hasId =
    id !== null ||
    draft.changes.some((change) => change._tag === "IdentifierAssigned" && change.identifier.kind === "id")
  if (isAddressedByEmail || !hasId || (by !== "id" && by !== "svc_id")) {
    draft.faults.push(decisionTexts.emailNotRemovable("email"))
    return
  }
  const stale = staleIdentifier(command, person, "email")
  if (stale !== null) {
    draft.faults.push(stale)
    return
  }
  draft.changes.push({ _tag: "EmailRemoved", key, at: command.receivedAt, setAt: command.at })
  draft.fields.push({ path: "email", from: email, to: null })
}

/**
 * Returns a fault if the identifier was set or removed by an update that is newer than this request. Updates of
 * identifiers are ordered by `_timestamp`, like those of attributes (contract §6).
 */
const staleIdentifier = (
  { at, receivedAt }: IdentifyPerson,
  person: Person,
  kind: "id" | "email",
): Fault | null => {
  const setAt = kind === "id" ? person.idAt : person.emailAt
  return setAt !== null && isStale(at, setAt, receivedAt) ? staleFault(kind, at, setAt) : null
}

/**
 * Records the time of an update that repeated the stored identifier, so that older updates do not change the
 * identifier.
 */
const confirmIdentifier = (
  { at }: IdentifyPerson,
  person: Person,
  kind: "id" | "email",
  draft: DecisionDraft,
): void => {
  const setAt = kind === "id" ? person.idAt : person.emailAt
  if (setAt !== null && setAt >= at) return
  draft.changes.push({ _tag: "IdentifierConfirmed", key: person.key, kind, setAt: at })
}

/**
 * Returns whether a request may change a stored identifier. A request by `svc_id` may change any identifier. A request
 * by id may change the email if `email_update_by_id` is on.
 */
const mayChange = (
  { workspace }: IdentifyPerson,
  { addressedBy: by }: Match,
  kind: IdentifierKind,
): boolean => by === "svc_id" || (kind === "email" && by === "id" && workspace.emailUpdateById)

/**
 * Assigns an anonymous id to a person. Returns the visitor with that anonymous id, from which the person inherits data
 * (contract §7).
 */
export const assignAnonymousId = (
  state: WorkingSet,
  command: IdentifyPerson,
  person: Person,
  refused: Set<IdentifierKind>,
  draft: DecisionDraft,
): Visitor | null => {
  const value = command.anonymousId
  if (value === null || person.anonymousIds.includes(value)) return null
  const identifier = { kind: "anonymous_id", value } as const
  const holder = subjectByIdentifier(state, identifier)
  const refuse = (fault: Fault) => {
    refused.add("anonymous_id")
    draft.faults.push(ofOther(holder, { ...fault, value }))
    return null
  }
  if (holder?._tag === "Person") return refuse(decisionTexts.takenIdentifier("anonymous_id"))
  const max = command.workspace.limits.identifiersPerPersonMax
  const attachedNow = draft.changes.filter(({ _tag }) => _tag === "VisitorAttached").length
  if (person.attached.length + attachedNow >= max || person.anonymousIds.length >= max) {
    return refuse(decisionTexts.tooManyAnonymousIds("anonymous_id", { max }))
  }
  const at = command.receivedAt
  const visitor = holder?._tag === "Visitor" ? holder : null
  if (visitor !== null) {
    const since = command.workspace.eventMerging ? at - eventMergeWindowMs : at + 1
    draft.changes.push(attach(visitor, person.key, at, since))
  }
  draft.changes.push({ _tag: "IdentifierAssigned", key: person.key, identifier, at, setAt: command.at })
  draft.fields.push(anonymousIdsChange([], [value]))
  return visitor
}

/** Returns the fault of a value that belongs to another person or visitor, if there is one. */
const ofOther = (holder: Subject | undefined, fault: Fault): Fault =>
  holder === undefined ? fault : { ...fault, other: holder.key }

const attach = (visitor: Visitor, owner: SubjectKey, at: number, since: number): Change => ({
  _tag: "VisitorAttached",
  key: visitor.key,
  owner,
  at,
  since,
})
