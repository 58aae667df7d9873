import { fillAttributes } from "../attributes/inheritAttributes.ts"
import { personBounds } from "../attributes/attributeBounds.ts"
import { anonymousIdsChange } from "./anonymousIdsChange.ts"
import type { AliasPerson, MergePeople } from "./commands.ts"
import { moveDevices } from "../device/inherit.ts"
import { formerOf } from "./former.ts"
import { svcIdText, type Identifier, type IdentifierKind, type Reference } from "../values/Identifier.ts"
import { fillRelationships } from "../relationship/inherit.ts"
import { resolvePerson } from "../decision/resolvePerson.ts"
import { isExpiredVisitor } from "../state/Subject.ts"
import { dropped, accepted, withNote, type Verdict } from "../decision/Verdict.ts"
import { DecisionDraft } from "../decision/DecisionDraft.ts"
import { subjectByIdentifier, type WorkingSet } from "../fold/WorkingSet.ts"
import { nameDigest } from "./movedNames.ts"
import { mergeExcess } from "./mergeExcess.ts"
import { chosenByHand } from "../rule/definitions.ts"
import type { Person } from "../state/Person.ts"
import { identifyPerson } from "./transitions.ts"
import { dropTexts } from "../log/operationTexts.ts"

const rule = "contract §6 merge"
const nothingToMerge = "contract §6 merge of unknown people"

/**
 * Merges the secondary into the primary (track-api §3, contract §6). No activity of the secondary is rewritten, so the
 * cost does not depend on the amount of activity.
 */
export const mergePeople = (state: WorkingSet, command: MergePeople): Verdict => {
  const primary = resolvePerson(state, command.primary)
  const secondary = resolvePerson(state, command.secondary)
  if (primary._tag !== "KnownPerson") {
    return dropped(missing(state, command.primary, "primary") ?? dropTexts.noPrimary(), nothingToMerge)
  }
  if (secondary._tag !== "KnownPerson") {
    return dropped(missing(state, command.secondary, "secondary") ?? dropTexts.noSecondary(), nothingToMerge)
  }
  if (primary.person.key === secondary.person.key) {
    return dropped(dropTexts.samePerson(), nothingToMerge)
  }
  return mergeInto(state, command, primary.person, secondary.person)
}

/**
 * Merges the person with the previous id into the target of the command. If no person has the previous id, the previous
 * id counts as an anonymous id, and the visitor with this anonymous id is attached to the target (contract §13).
 */
export const aliasPerson = (state: WorkingSet, command: AliasPerson): Verdict => {
  const { previous, previousId, target, ...rest } = command
  const known = resolvePerson(state, previous)
  const anonymous = subjectByIdentifier(state, {
    kind: "anonymous_id",
    value: previousId,
  })
  const isKnown = anonymous !== undefined && !isExpiredVisitor(anonymous, command.receivedAt)
  if (known._tag === "UnknownIdentifier" && !isKnown) {
    return dropped(missing(state, previous, "secondary") ?? dropTexts.noPrevious(), nothingToMerge)
  }
  if (known._tag !== "UnknownIdentifier") {
    return mergePeople(state, { ...rest, _tag: "MergePeople", primary: target, secondary: previous })
  }
  return identifyPerson(state, {
    ...rest,
    _tag: "IdentifyPerson",
    target,
    id: null,
    email: null,
    removeEmail: false,
    anonymousId: previousId,
    assignments: [],
    relationships: null,
    device: null,
    updateOnly: false,
  })
}

/** Returns what became of somebody who is missing in a merge, or null if nobody is known to have had the identifier. */
const missing = (state: WorkingSet, named: Reference, party: "primary" | "secondary") => {
  const former = formerOf(state, named)
  if (former === null) return null
  const { operation } = former
  switch (former.became) {
    case "merged":
      return dropTexts.partyMerged({ party, operation })
    case "deleted":
      return dropTexts.partyDeleted({ party, operation })
    case "renamed":
      return dropTexts.partyRenamed({ party, operation })
  }
}

const mergeInto = (state: WorkingSet, command: MergePeople, primary: Person, secondary: Person): Verdict => {
  const excess = mergeExcess(state.rules, command.workspace.limits, primary, secondary)
  if (excess !== undefined) return dropped(excess, "contract §5 merged limits")
  const draft = new DecisionDraft(state, command.faults)
  const { key, workspace } = primary
  const at = command.receivedAt
  const moved = movedIdentifiers(primary, secondary)
  const names = moved.map(({ kind, value }) => nameDigest(state, kind, value))
  draft.changes.push({
    _tag: "PersonAbsorbed",
    key: secondary.key,
    owner: key,
    at,
    merge: state.nextSequence,
    ...(names.length > 0 && { moved: { merge: state.nextSequence, names } }),
  })
  for (const identifier of moved) {
    draft.changes.push({
      _tag: "IdentifierAssigned",
      key,
      identifier,
      at,
      setAt: setAtOf(secondary, identifier.kind) ?? at,
    })
    if (identifier.kind === "anonymous_id") continue
    draft.fields.push({ path: identifier.kind, from: null, to: identifier.value })
  }
  if (secondary.anonymousIds.length > 0) {
    draft.fields.push(anonymousIdsChange([], secondary.anonymousIds))
  }
  const bounds = personBounds(command.workspace.limits)
  const entries = fillAttributes(primary.attributes, secondary.attributes, bounds, draft)
  if (entries.size > 0) draft.changes.push({ _tag: "AttributesAssigned", key, entries, at })
  moveDevices(command, primary, secondary.devices, draft)
  fillRelationships(state, command, primary, secondary, draft)
  joinSegments(state, primary, secondary, draft)
  const verdict = accepted("applied", draft.faults, {
    rule,
    subject: key,
    data: {
      primary: { svc_id: svcIdText(workspace, key) },
      secondary: { svc_id: svcIdText(workspace, secondary.key) },
    },
    changes: draft.changes,
    fields: draft.fields,
  })
  return withNote(verdict, draft.unlistedNote)
}

/**
 * Returns the time when an identifier of a person was set, or null for an anonymous id. In a merge, an identifier that
 * moves to the primary keeps this time.
 */
const setAtOf = ({ emailAt, idAt }: Person, kind: IdentifierKind): number | null => {
  switch (kind) {
    case "id":
      return idAt
    case "email":
      return emailAt
    case "anonymous_id":
      return null
  }
}

/**
 * Returns the identifiers that the primary receives from the secondary. Other people can then use the secondary's
 * remaining identifiers.
 */
const movedIdentifiers = (
  primary: Person,
  { anonymousIds, email, id }: Person,
): ReadonlyArray<Identifier> => {
  const identifiers: Array<Identifier> = anonymousIds.map((value) => ({ kind: "anonymous_id", value }))
  if (primary.id === null && id !== null) identifiers.push({ kind: "id", value: id })
  if (primary.email === null && email !== null) identifiers.push({ kind: "email", value: email })
  return identifiers
}

/** Adds the primary to the segments that the secondary was added to by hand. Rules decide about the others afterwards. */
const joinSegments = (
  { rules, subjects }: WorkingSet,
  primary: Person,
  secondary: Person,
  draft: DecisionDraft,
): void => {
  const own = new Set(primary.segments)
  for (const segment of chosenByHand(rules, secondary.segments)) {
    if (own.has(segment)) continue
    draft.changes.push({ _tag: "SegmentJoined", key: primary.key, segment })
    const subject = subjects.get(segment)
    if (subject?._tag === "Segment") draft.gain({ path: `segments.${segment}`, from: null, to: subject.name })
  }
}
