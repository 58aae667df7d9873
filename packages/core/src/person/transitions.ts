import { assignAttributes } from "../attributes/assignAttributes.ts"
import { inheritAttributes } from "../attributes/inheritAttributes.ts"
import { personBounds } from "../attributes/attributeBounds.ts"
import { applyAssigned } from "../attributes/applyAssigned.ts"
import type { Attributes } from "../state/Attributes.ts"
import { assignAnonymousId, assignIdentifiers, removeEmail, type Match } from "./assignIdentifiers.ts"
import type { DeletePerson, IdentifyPerson } from "./commands.ts"
import { inheritDevices } from "../device/inherit.ts"
import { applyDeviceChange } from "../device/upsertDevice.ts"
import { type Identifier } from "../values/Identifier.ts"
import { recordErasure } from "../erasure/transitions.ts"
import { HoldingsBudget } from "../decision/HoldingsBudget.ts"
import { applyRelationshipChange, type RelationshipsAfter } from "../relationship/applyRelationshipChange.ts"
import { inheritRelationships } from "../relationship/inherit.ts"
import { resolvePerson, type Resolution } from "../decision/resolvePerson.ts"
import { isExpiredVisitor } from "../state/Subject.ts"
import { dropped, accepted, acceptedErasing, withNote, type Verdict } from "../decision/Verdict.ts"
import { formerWith, unknownSvcId } from "./former.ts"
import { DecisionDraft } from "../decision/DecisionDraft.ts"
import type { Visitor } from "../state/Visitor.ts"
import { identifyVisitor } from "./identifyVisitor.ts"
import { subjectByIdentifier, type WorkingSet } from "../fold/WorkingSet.ts"
import { identifyPayload } from "./identifyPayload.ts"
import { patchPerson, emptyPerson, type Person } from "../state/Person.ts"
import { dropTexts, noteTexts } from "../log/operationTexts.ts"

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
