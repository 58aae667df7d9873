import { eventMergeWindowMs } from "../log/ActivityEntry.ts"
import { assign, inherit, personBounds, put, type Attributes } from "../state/Attributes.ts"
import type { Change } from "../Change.ts"
import type { DeletePerson, IdentifyPerson } from "./commands.ts"
import { inheritDevices } from "../device/inherit.ts"
import { changeDevice } from "../device/putDevice.ts"
import {
  identifierText,
  type Identifier,
  type IdentifierKind,
  type SubjectKey,
} from "../values/Identifier.ts"
import { HoldingsBudget } from "../decision/HoldingsBudget.ts"
import type { Fault } from "../log/Outcome.ts"
import { relate, type AfterRelating } from "../relationship/relate.ts"
import { inheritRelationships } from "../relationship/inherit.ts"
import { resolve, type Resolution } from "../decision/resolve.ts"
import type { RuleName } from "../log/RuleName.ts"
import { isForgotten } from "../state/Subject.ts"
import { isBefore } from "../values/Timestamp.ts"
import { dropped, effective, type Verdict } from "../decision/Verdict.ts"
import { DecisionDraft } from "../decision/DecisionDraft.ts"
import type { Visitor } from "../state/Visitor.ts"
import { identifyVisitor } from "./identifyVisitor.ts"
import { carrier, type WorkingSet } from "../WorkingSet.ts"
import { identifyPayload } from "./identifyPayload.ts"
import { changed, empty, type Person } from "../state/Person.ts"
import { decisionFaults, dropReasons } from "../log/faults.ts"

/** Identify: rules 1 to 5 (track-api §2.1, contract §6). */
export const identify = (
  seen: WorkingSet,
  command: IdentifyPerson,
  draft: DecisionDraft = new DecisionDraft(seen, command.faults),
): Verdict => {
  const target = resolve(seen, command.workspace.id, command.target)
  switch (target._tag) {
    case "UnknownSvcId":
      return dropped(dropReasons.unknownSvcId(), "track-api §2.1 rule 5")
    case "Somebody":
      return update(seen, command, target.person, draft, {
        lead: null,
        by: target.by,
        rule: target.by === "svc_id" ? "track-api §2.1 rule 5" : "track-api §2.1 rule 2",
      })
    case "Nobody":
      return target.identifier.kind === "anonymous_id"
        ? identifyVisitor(seen, command, target, draft)
        : identifyNewcomer(seen, command, target, draft)
  }
}

/** Delete: the profile and all that hangs on it, also what waited for the identifier (contract §6). */
export const remove = (seen: WorkingSet, command: DeletePerson): Verdict => {
  const target = resolve(seen, command.workspace.id, command.target)
  const key =
    target._tag === "Somebody"
      ? target.person.key
      : target._tag === "Nobody"
        ? target.visitor?.key
        : undefined
  if (key === undefined) return dropped(dropReasons.noPersonToDelete(), "contract §6 delete of nobody")
  return effective("applied", command.faults, {
    rule: "track-api §3 exists delete",
    subject: key,
    changes: [{ _tag: "SubjectDeleted", key, before: seen.nextSequence }],
  })
}

interface Approach {
  /** The identifier that addressed the person and that it does not carry yet. */
  readonly lead: Identifier | null
  /** What led to the person; null where the request's own identifiers did. */
  readonly by: IdentifierKind | "svc_id" | null
  readonly rule: RuleName
}

/** The addressed identifier belongs to nobody: rules 1, 3 and 4. */
const identifyNewcomer = (
  seen: WorkingSet,
  command: IdentifyPerson,
  { identifier: lead, visitor }: Extract<Resolution, { _tag: "Nobody" }>,
  draft: DecisionDraft,
): Verdict => {
  const otherKind = lead.kind === "id" ? "email" : "id"
  const otherValue = command[otherKind]
  const other =
    otherValue === null
      ? undefined
      : carrier(seen, command.workspace.id, { kind: otherKind, value: otherValue })
  const byBody = other?._tag === "Person" ? other : undefined
  if (byBody !== undefined && byBody[lead.kind === "id" ? "id" : "email"] === null) {
    return update(seen, command, byBody, draft, { lead, by: null, rule: "track-api §2.1 rule 3" })
  }
  if (command.updateOnly) return dropped(dropReasons.noPersonToUpdate(), "track-api §2.1 _update")
  const key = visitor?.key ?? draft.newKey()
  const workspace = command.workspace.id
  draft.changes.push({ _tag: "PersonCreated", key, workspace, at: command.receivedAt })
  const rule = byBody === undefined ? "track-api §2.1 rule 1" : "track-api §2.1 rule 4"
  const newcomer = empty(key, workspace, command.receivedAt)
  const person = visitor === null ? newcomer : changed(newcomer, { devices: visitor.devices })
  const verdict = update(seen, command, person, draft, { lead, by: null, rule })
  return verdict.outcome === "applied" ? { ...verdict, outcome: "created" } : verdict
}

const nothingRelated = { action: "add", entries: [] } as const

const update = (
  seen: WorkingSet,
  command: IdentifyPerson,
  person: Person,
  draft: DecisionDraft,
  approach: Approach,
): Verdict => {
  const budget = new HoldingsBudget(command.workspace.limits, person)
  const refused = takeIdentifiers(seen, command, person, approach, budget, draft)
  if (command.removeEmail) removeEmail(command, person, approach, draft)
  const visitor = takeAnonymousId(seen, command, person, refused, draft)
  const bounds = personBounds(command.workspace.limits)
  const own = assign(person.attributes, command.assignments, command.at, bounds, draft)
  if (command.device !== null) {
    changeDevice(seen, command, { key: person.key, holder: person }, command.device, draft, budget)
  }
  const related = command.relationships ?? nothingRelated
  const after = relate(seen, command, person, related, draft, budget)
  const entries = visitor === null ? own : withInherited(command, person, own, after, visitor, budget, draft)
  if (entries.size > 0) {
    draft.changes.push({ _tag: "AttributesAssigned", key: person.key, entries, at: command.receivedAt })
  }
  const verdict = effective("applied", draft.faults, {
    rule: approach.rule,
    subject: person.key,
    data: identifyPayload(command, refused),
    changes: draft.changes,
    fields: draft.fields,
  })
  return refused.has("anonymous_id") ? { ...verdict, anonymousIdIsOthers: true } : verdict
}

/**
 * Gives a person the identifiers that the request names, each unless somebody else has it or another is set; tells which
 * kinds were refused.
 */
const takeIdentifiers = (
  seen: WorkingSet,
  command: IdentifyPerson,
  person: Person,
  approach: Approach,
  budget: HoldingsBudget,
  draft: DecisionDraft,
): Set<IdentifierKind> => {
  const { lead } = approach
  const refused = new Set<IdentifierKind>()
  if (lead === null && command.id === null && command.email === null) return refused
  const settled = new Set<IdentifierKind>()
  const carried = { id: person.id, email: person.email }
  let takenOver = 0
  const refuse = (kind: "id" | "email", fault: Fault) => {
    refused.add(kind)
    draft.faults.push(fault)
  }
  const take = (kind: "id" | "email", value: string | null) => {
    if (value === null) return
    const workspace = command.workspace.id
    const text = identifierText(workspace, kind, value)
    const current = carried[kind]
    const isSame = current !== null && identifierText(workspace, kind, current) === text
    if (isSame && (current === value || settled.has(kind) || approach.by !== "svc_id")) {
      if (mayChange(command, approach, kind)) confirm(command, person, kind, draft)
      return
    }
    const identifier = { kind, value }
    const holder = carrier(seen, workspace, identifier)
    if (holder?._tag === "Person" && holder.key !== person.key)
      return refuse(kind, decisionFaults.takenIdentifier(kind))
    if (settled.has(kind) || (current !== null && !mayChange(command, approach, kind))) {
      return refuse(kind, decisionFaults.fixedIdentifier(kind))
    }
    if (lead?.kind !== kind && isStale(command, person, kind)) {
      refused.add(kind)
      draft.faults.push(decisionFaults.stale(kind))
      return
    }
    const takesOver = holder?._tag === "Visitor" && holder.key !== person.key
    const max = command.workspace.limits.identifiersPerPersonMax
    if (takesOver && person.attached.length + takenOver >= max) {
      return refuse(kind, decisionFaults.tooManyWaiting(kind, { max }))
    }
    settled.add(kind)
    carried[kind] = value
    if (takesOver) {
      takenOver++
      draft.changes.push(attach(holder, person.key, command.receivedAt, 0))
      inheritDevices(command, person, holder, budget, draft, command.device?.token)
    }
    draft.changes.push({
      _tag: "IdentifierTaken",
      key: person.key,
      identifier,
      at: command.receivedAt,
      setAt: command.at,
    })
    draft.fields.push({ path: kind, from: current, to: value })
  }
  if (lead !== null && lead.kind !== "anonymous_id") take(lead.kind, lead.value)
  take("id", command.id)
  take("email", command.email)
  return refused
}

/** Removes the email of a person addressed by id or svc_id who has an id; otherwise the email stays (contract §16). */
const removeEmail = (
  command: IdentifyPerson,
  person: Person,
  { by, lead }: Approach,
  draft: DecisionDraft,
): void => {
  const { email, id, key } = person
  const isAddressedByEmail = lead?.kind === "email"
  if (email === null && !isAddressedByEmail) return
  const hasId =
    id !== null ||
    draft.changes.some((change) => change._tag === "IdentifierTaken" && change.identifier.kind === "id")
  if (isAddressedByEmail || !hasId || (by !== "id" && by !== "svc_id")) {
    draft.faults.push(decisionFaults.emailNotRemovable("email"))
    return
  }
  if (isStale(command, person, "email")) {
    draft.faults.push(decisionFaults.stale("email"))
    return
  }
  draft.changes.push({ _tag: "EmailRemoved", key, at: command.receivedAt, setAt: command.at })
  draft.fields.push({ path: "email", from: email, to: null })
}

/** Whether a newer update set or removed the identifier: `_timestamp` orders identifiers as it does attributes (contract §16). */
const isStale = ({ at }: IdentifyPerson, person: Person, kind: "id" | "email"): boolean => {
  const setAt = kind === "id" ? person.idAt : person.emailAt
  return setAt !== null && isBefore(at, setAt)
}

/** Notes that an identifier was still the stored one at the time of the update, so that older updates do not change it. */
const confirm = (
  { at }: IdentifyPerson,
  person: Person,
  kind: "id" | "email",
  draft: DecisionDraft,
): void => {
  const setAt = kind === "id" ? person.idAt : person.emailAt
  if (setAt !== null && setAt >= at) return
  draft.changes.push({ _tag: "IdentifierConfirmed", key: person.key, kind, setAt: at })
}

/** An identifier that is set changes only for who is addressed by svc_id; an email also by id, where that is allowed. */
const mayChange = ({ workspace }: IdentifyPerson, { by }: Approach, kind: IdentifierKind): boolean =>
  by === "svc_id" || (kind === "email" && by === "id" && workspace.emailUpdateById)

/** Gives a person an anonymous id; gives back the visitor known by it, who did and said things (contract §7). */
const takeAnonymousId = (
  seen: WorkingSet,
  command: IdentifyPerson,
  person: Person,
  refused: Set<IdentifierKind>,
  draft: DecisionDraft,
): Visitor | null => {
  const value = command.anonymousId
  if (value === null || person.anonymousIds.includes(value)) return null
  const refuse = (fault: Fault) => {
    refused.add("anonymous_id")
    draft.faults.push(fault)
    return null
  }
  const identifier = { kind: "anonymous_id", value } as const
  const holder = carrier(seen, command.workspace.id, identifier)
  if (holder?._tag === "Person") return refuse(decisionFaults.takenIdentifier("anonymous_id"))
  const max = command.workspace.limits.identifiersPerPersonMax
  const attachedNow = draft.changes.filter(({ _tag }) => _tag === "VisitorAttached").length
  if (person.attached.length + attachedNow >= max || person.anonymousIds.length >= max) {
    return refuse(decisionFaults.tooManyAnonymousIds("anonymous_id", { max }))
  }
  const at = command.receivedAt
  const visitor = holder?._tag === "Visitor" ? holder : null
  if (visitor !== null) {
    const since = command.workspace.eventMerging ? at - eventMergeWindowMs : at + 1
    draft.changes.push(attach(visitor, person.key, at, since))
  }
  draft.changes.push({ _tag: "IdentifierTaken", key: person.key, identifier, at, setAt: command.at })
  draft.fields.push({
    path: "anonymous_ids",
    from: [...person.anonymousIds],
    to: [...person.anonymousIds, value],
  })
  return visitor
}

const attach = (visitor: Visitor, owner: SubjectKey, at: number, since: number): Change => ({
  _tag: "VisitorAttached",
  key: visitor.key,
  owner,
  at,
  since,
})

/** What an update sets, with what the person takes over from a visitor: attributes, devices and relationships. */
const withInherited = (
  command: IdentifyPerson,
  person: Person,
  own: Attributes,
  after: AfterRelating,
  visitor: Visitor,
  budget: HoldingsBudget,
  draft: DecisionDraft,
): Attributes => {
  if (isForgotten(visitor, command.receivedAt)) return own
  inheritDevices(command, person, visitor, budget, draft, command.device?.token)
  inheritRelationships(command, person, after, visitor, budget, draft)
  const bounds = personBounds(command.workspace.limits)
  const inherited = inherit(put(person.attributes, own), visitor.attributes, bounds, draft)
  return new Map([...own, ...inherited])
}
