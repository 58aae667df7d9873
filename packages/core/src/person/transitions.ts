import { eventMergeWindowMs } from "../log/ActivityEntry.ts"
import { assignAttributes, staleFault } from "../attributes/assignAttributes.ts"
import { inheritAttributes } from "../attributes/inheritAttributes.ts"
import { personBounds } from "../attributes/attributeBounds.ts"
import { applyAssigned } from "../attributes/applyAssigned.ts"
import type { Attributes } from "../state/Attributes.ts"
import type { Change } from "../fold/Change.ts"
import { anonymousIdsChange } from "./anonymousIdsChange.ts"
import type { DeletePerson, IdentifyPerson } from "./commands.ts"
import { inheritDevices } from "../device/inherit.ts"
import { applyDeviceChange } from "../device/upsertDevice.ts"
import {
  identifierText,
  type Identifier,
  type IdentifierKind,
  type SubjectKey,
} from "../values/Identifier.ts"
import { recordErasure } from "../erasure/transitions.ts"
import { HoldingsBudget } from "../decision/HoldingsBudget.ts"
import type { Fault } from "../log/Outcome.ts"
import { applyRelationshipChange, type RelationshipsAfter } from "../relationship/applyRelationshipChange.ts"
import { inheritRelationships } from "../relationship/inherit.ts"
import { resolvePerson, type Resolution } from "../decision/resolvePerson.ts"
import type { ClauseName } from "../log/ClauseName.ts"
import { isExpiredVisitor, type Subject } from "../state/Subject.ts"
import { isStale } from "../values/Timestamp.ts"
import { dropped, accepted, acceptedErasing, withNote, type Verdict } from "../decision/Verdict.ts"
import { formerWith, unknownSvcId } from "./former.ts"
import { DecisionDraft } from "../decision/DecisionDraft.ts"
import type { Visitor } from "../state/Visitor.ts"
import { identifyVisitor } from "./identifyVisitor.ts"
import { subjectByIdentifier, type WorkingSet } from "../fold/WorkingSet.ts"
import { identifyPayload } from "./identifyPayload.ts"
import { patchPerson, emptyPerson, type Person } from "../state/Person.ts"
import { decisionTexts, dropTexts, noteTexts } from "../log/operationTexts.ts"

/** Decides an identify call by rules 1 to 5 of track-api §2.1 (contract §6). */
export const identifyPerson = (
  state: WorkingSet,
  command: IdentifyPerson,
  draft: DecisionDraft = new DecisionDraft(state, command.faults),
): Verdict => {
  const target = resolvePerson(state, command.target)
  switch (target._tag) {
    case "UnknownSvcId":
      return dropped(unknownSvcId(state, command.target), "track-api §2.1 rule 5")
    case "KnownPerson":
      return updatePerson(state, command, target.person, draft, {
        newIdentifier: null,
        addressedBy: target.by,
        rule: target.by === "svc_id" ? "track-api §2.1 rule 5" : "track-api §2.1 rule 2",
      })
    case "UnknownIdentifier":
      return target.identifier.kind === "anonymous_id"
        ? identifyVisitor(state, command, target, draft)
        : identifyUnknown(state, command, target, draft)
  }
}

/**
 * Deletes a person with all their data, or the visitor known by the identifier (contract §6). The deletion of a visitor
 * has no subject, because readers of the log show the subject of a deletion as a deleted person.
 */
export const deletePerson = (state: WorkingSet, command: DeletePerson): Verdict => {
  const target = resolvePerson(state, command.target)
  const holder =
    target._tag === "KnownPerson"
      ? target.person
      : target._tag === "UnknownIdentifier"
        ? target.visitor
        : null
  if (holder === null) {
    const verdict = dropped(dropTexts.noPersonToDelete(), "contract §6 delete of an unknown person")
    if (target._tag !== "UnknownIdentifier") return verdict
    const { identifier } = target
    return {
      ...verdict,
      changes: [{ _tag: "IdentifiersErased", identifiers: [identifier], before: state.nextSequence }],
    }
  }
  const { key } = holder
  return acceptedErasing(command.faults, {
    rule: "track-api §3 exists delete",
    subject: target._tag === "KnownPerson" ? key : null,
    changes: [
      { _tag: "SubjectDeleted", key, before: state.nextSequence },
      recordErasure(state, command, "delete", holder),
    ],
  })
}

interface Match {
  /** The identifier that the request addresses the person with. Null if the person already has it. */
  readonly newIdentifier: Identifier | null
  /**
   * The kind of identifier that the request addresses the person with, if this identifier resolved to the person. Null
   * if another identifier of the request resolved to the person.
   */
  readonly addressedBy: IdentifierKind | "svc_id" | null
  readonly rule: ClauseName
}

/** Applies rules 1, 3 and 4 of track-api §2.1 to a call that addresses a person by an identifier that no person has. */
const identifyUnknown = (
  state: WorkingSet,
  command: IdentifyPerson,
  { identifier: lead, visitor }: Extract<Resolution, { _tag: "UnknownIdentifier" }>,
  draft: DecisionDraft,
): Verdict => {
  const otherKind = lead.kind === "id" ? "email" : "id"
  const otherValue = command[otherKind]
  const other =
    otherValue === null ? undefined : subjectByIdentifier(state, { kind: otherKind, value: otherValue })
  const byBody = other?._tag === "Person" ? other : undefined
  if (byBody !== undefined && byBody[lead.kind === "id" ? "id" : "email"] === null) {
    return updatePerson(state, command, byBody, draft, {
      newIdentifier: lead,
      addressedBy: null,
      rule: "track-api §2.1 rule 3",
    })
  }
  if (command.updateOnly) return dropped(dropTexts.noPersonToUpdate(), "track-api §2.1 _update")
  const key = visitor?.key ?? draft.newKey()
  draft.changes.push({ _tag: "PersonCreated", key, at: command.receivedAt })
  const rule = byBody === undefined ? "track-api §2.1 rule 1" : "track-api §2.1 rule 4"
  const newcomer = emptyPerson(key, state.workspace, command.receivedAt)
  const person = visitor === null ? newcomer : patchPerson(newcomer, { devices: visitor.devices })
  const verdict = updatePerson(state, command, person, draft, {
    newIdentifier: lead,
    addressedBy: null,
    rule,
  })
  const created: Verdict = verdict.outcome === "applied" ? { ...verdict, outcome: "created" } : verdict
  return withNote(created, former(state, lead, verdict))
}

/** Says what became of whoever had an identifier of a new person before, or null if nobody is known to have had one. */
const former = (state: WorkingSet, lead: Identifier, { fields }: Verdict) => {
  for (const kind of lead.kind === "email" ? (["email", "id"] as const) : (["id", "email"] as const)) {
    const assigned = fields.find(({ path }) => path === kind)?.to
    const found = typeof assigned === "string" ? formerWith(state, kind, assigned) : null
    if (found === null) continue
    const { operation } = found
    switch (found.became) {
      case "merged":
        return noteTexts.mergedBefore({ kind, operation })
      case "deleted":
        return noteTexts.deletedBefore({ kind, operation })
      case "renamed":
        return noteTexts.replacedBefore({ kind, operation })
    }
  }
  return null
}

const nothingRelated = { action: "add", entries: [] } as const

const updatePerson = (
  state: WorkingSet,
  command: IdentifyPerson,
  person: Person,
  draft: DecisionDraft,
  approach: Match,
): Verdict => {
  const budget = new HoldingsBudget(command.workspace.limits, person)
  const refused = assignIdentifiers({ state, command, person, approach, budget, draft })
  if (command.removeEmail) removeEmail(command, person, approach, draft)
  const visitor = assignAnonymousId(state, command, person, refused, draft)
  const bounds = personBounds(command.workspace.limits)
  const own = assignAttributes(person.attributes, command.assignments, command, bounds, draft)
  if (command.device !== null) {
    applyDeviceChange(state, command, { key: person.key, holder: person }, command.device, draft, budget)
  }
  const related = command.relationships ?? nothingRelated
  const after = applyRelationshipChange(state, command, person, related, draft, budget)
  const entries =
    visitor === null ? own : withInherited(state, command, person, own, after, visitor, budget, draft)
  if (entries.size > 0) {
    draft.changes.push({ _tag: "AttributesAssigned", key: person.key, entries, at: command.receivedAt })
  }
  const verdict = accepted("applied", draft.faults, {
    rule: approach.rule,
    subject: person.key,
    data: identifyPayload(command, refused),
    changes: draft.changes,
    fields: draft.fields,
  })
  const noted = withNote(verdict, draft.unlistedNote)
  return refused.has("anonymous_id") ? { ...noted, anonymousIdIsOthers: true } : noted
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
const assignIdentifiers = (
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
const removeEmail = (
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
const assignAnonymousId = (
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

/**
 * Gives the person the devices and relationships of a visitor. Returns the attributes to set: `own` and those inherited
 * from the visitor.
 */
const withInherited = (
  state: WorkingSet,
  command: IdentifyPerson,
  person: Person,
  own: Attributes,
  after: RelationshipsAfter,
  visitor: Visitor,
  budget: HoldingsBudget,
  draft: DecisionDraft,
): Attributes => {
  if (isExpiredVisitor(visitor, command.receivedAt)) return own
  inheritDevices(command, person, visitor, budget, draft, command.device?.token)
  inheritRelationships(state, command, person, after, visitor, budget, draft)
  const bounds = personBounds(command.workspace.limits)
  const inherited = inheritAttributes(
    applyAssigned(person.attributes, own),
    visitor.attributes,
    bounds,
    draft,
  )
  return new Map([...own, ...inherited])
}
