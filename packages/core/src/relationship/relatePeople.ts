import type { EntryPart } from "../log/ActivityEntry.ts"
import { attributesToJson, noAttributes, type Attributes, assignmentsToJson } from "../state/Attributes.ts"
import { assignAttributes } from "../attributes/assignAttributes.ts"
import { applyAssigned } from "../attributes/applyAssigned.ts"
import { relationshipBounds } from "../attributes/attributeBounds.ts"
import type { Envelope } from "../fold/Envelope.ts"
import type { PersonEntry } from "./commands.ts"
import { holdingsOf, HoldingsBudget, relationshipBytes } from "../decision/HoldingsBudget.ts"
import { resolveHolder, findHolder, noteCreatedBy, type ResolvedHolder } from "../decision/resolveHolder.ts"
import { svcIdText, type Reference, type SubjectKey } from "../values/Identifier.ts"
import type { JsonObject } from "../values/Json.ts"
import type { Fault, FieldChange } from "../log/Outcome.ts"
import { assignRelationship, removeRelationship } from "./applyRelationshipChange.ts"
import { findSuppression } from "../decision/findSuppression.ts"
import type { DecisionDraft } from "../decision/DecisionDraft.ts"
import { subjectByIdentifier, type WorkingSet } from "../fold/WorkingSet.ts"
import type { ResolvedObject } from "../decision/resolveObject.ts"
import { decisionTexts } from "../log/operationTexts.ts"

/** A command that is about an object and names people. */
interface CommandWithPeople extends Pick<Envelope, "workspace" | "at" | "receivedAt"> {
  readonly entries: ReadonlyArray<PersonEntry>
}

/**
 * Relates people and visitors to an object, and creates people who do not exist (contract §9). Returns one part of the
 * log entry for each person or visitor.
 */
export const relatePeople = (
  state: WorkingSet,
  command: CommandWithPeople,
  { key: object, path }: ResolvedObject,
  draft: DecisionDraft,
): ReadonlyArray<EntryPart> => {
  const parts: Array<EntryPart> = []
  const related = new Map<SubjectKey, Attributes>()
  const relationship = `relationships.${path}`
  const bounds = relationshipBounds(command.workspace.limits, `${relationship}.`)
  for (const [index, entry] of command.entries.entries()) {
    const { assignments, person } = entry
    const field = fieldOf(index)
    if (isSuppressed(state, person, index, draft)) continue
    const found = resolveHolder(state, command, person, draft)
    if (found === null) {
      draft.faults.push({ ...decisionTexts.unknownPerson(field), value: sentFor(state, entry) })
      continue
    }
    const { holder, key } = found
    const stored = holder?.relationships.get(object)
    const before = related.get(key) ?? stored
    const visible = { fields: new Array<FieldChange>(), faults: new Array<Fault>() }
    if (before === undefined) visible.fields.push({ path: relationship, from: null, to: {} })
    const entries = assignAttributes(before ?? noAttributes, assignments, command, bounds, visible)
    for (const fault of visible.faults) draft.faults.push({ ...fault, other: key })
    const after = applyAssigned(before ?? noAttributes, entries)
    const budget = new HoldingsBudget(command.workspace.limits, holdingsOf(key, holder))
    // A command can name the same person in several items. `before` and `stored` then differ: `before` contains the
    // changes of earlier items. This new budget counts only stored relationships, so `bytesBefore` must be the size of
    // `stored`.
    const bytesBefore = stored === undefined ? null : relationshipBytes(stored)
    const fault = budget.addRelationship(field, relationshipBytes(after), bytesBefore)
    if (fault !== undefined) {
      draft.faults.push({ ...fault, value: sentFor(state, entry), other: key })
      continue
    }
    related.set(key, after)
    parts.push(partOf(state, entry, found, visible.fields))
    assignRelationship(command, key, object, before, entries, draft)
  }
  return parts
}

/**
 * Removes the relationships of people and visitors with an object. Skips people and visitors who are unknown or not
 * related to the object. Returns one part of the log entry for each removed relationship.
 */
export const unrelatePeople = (
  state: WorkingSet,
  command: CommandWithPeople,
  { key: object, path }: ResolvedObject,
  draft: DecisionDraft,
): ReadonlyArray<EntryPart> => {
  const parts = new Map<SubjectKey, EntryPart>()
  for (const [index, entry] of command.entries.entries()) {
    if (isSuppressed(state, entry.person, index, draft)) continue
    const holder = findHolder(state, command, entry.person)
    const before = holder?.relationships.get(object)
    if (holder === null || before === undefined || parts.has(holder.key)) continue
    removeRelationship(command, holder.key, object, draft)
    const found = { key: holder.key, holder, createdBy: null }
    const change = { path: `relationships.${path}`, from: attributesToJson(before), to: null }
    parts.set(holder.key, partOf(state, entry, found, [change]))
  }
  return [...parts.values()]
}

/** Returns the part of a log entry that records the effect of the request on one person or visitor. */
const partOf = (
  state: WorkingSet,
  entry: PersonEntry,
  found: Pick<ResolvedHolder, "key" | "holder" | "createdBy">,
  fields: ReadonlyArray<FieldChange>,
): EntryPart => {
  const { person } = entry
  const changes: Array<FieldChange> = []
  noteCreatedBy(found, changes)
  changes.push(...fields)
  const isVisitor =
    person._tag === "ByIdentifier" && person.kind === "anonymous_id" && found.holder?._tag !== "Person"
  return {
    subject: found.key,
    anonymousId: isVisitor ? person.value : null,
    data: {
      svc_id: isVisitor ? null : svcIdText(state.workspace, found.key),
      ...sentFor(state, entry),
    },
    changes,
  }
}

/** Returns what a request says about one person or visitor. */
const sentFor = (state: WorkingSet, { assignments, person }: PersonEntry): JsonObject => ({
  identifiers: identifiersIn(state, person),
  relationship_attributes: assignmentsToJson(assignments),
})

/**
 * Returns an object with the kind and the value of the identifier that a request addresses a person with. A text that
 * may be an `id` or another identifier counts as an `id` if a person has this `id` (contract §6).
 */
const identifiersIn = (state: WorkingSet, person: Reference): JsonObject => {
  switch (person._tag) {
    case "BySvcId":
      return { svc_id: person.key === null ? (person.text ?? null) : svcIdText(state.workspace, person.key) }
    case "ByIdentifier":
      return { [person.kind]: person.value }
    case "ByBareText": {
      const { otherwise, value } = person
      const byId = subjectByIdentifier(state, { kind: "id", value })
      return byId?._tag === "Person" ? { id: value } : identifiersIn(state, otherwise)
    }
  }
}

/** Returns whether an item of the request names a suppressed person. If so, also adds a fault to `draft`. */
const isSuppressed = (
  state: WorkingSet,
  person: Reference,
  index: number,
  { faults }: DecisionDraft,
): boolean => {
  const suppressed = findSuppression(state, person)
  if (suppressed === undefined) return false
  const { text } = suppressed
  const value = text === null ? null : { identifier_digest: state.digest(text) }
  faults.push({ ...decisionTexts.suppressedPerson(fieldOf(index)), value })
  return true
}

const fieldOf = (index: number) => `svc_relationships.${index}.identifiers`
