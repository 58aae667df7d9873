import { attributesToJson, noAttributes, type Attributes } from "../state/Attributes.ts"
import { assignAttributes } from "../attributes/assignAttributes.ts"
import { applyAssigned } from "../attributes/applyAssigned.ts"
import { relationshipBounds } from "../attributes/attributeBounds.ts"
import type { UpdateResult } from "../attributes/AttributesDraft.ts"
import type { Envelope } from "../fold/Envelope.ts"
import type { RelationshipChange } from "./commands.ts"
import { HoldingsBudget, relationshipBytes, type Holdings } from "../decision/HoldingsBudget.ts"
import type { SubjectKey } from "../values/Identifier.ts"
import { decisionTexts } from "../log/operationTexts.ts"
import { relationshipsPayload } from "./payload.ts"
import { findObject, resolveObject, objectPath } from "../decision/resolveObject.ts"
import type { DecisionDraft } from "../decision/DecisionDraft.ts"
import type { WorkingSet } from "../fold/WorkingSet.ts"
import type { Relationships } from "../state/Relationships.ts"

type Timed = Pick<Envelope, "workspace" | "at" | "receivedAt">

/**
 * A person or a visitor with their relationships. The relationships are empty if the command creates the person or
 * visitor.
 */
interface HolderRelationships extends Holdings {
  readonly key: SubjectKey
}

/** The relationships of a person or a visitor after a request. */
export interface RelationshipsAfter {
  readonly relationships: Relationships
  /**
   * The keys of the objects in a request that removes relationships, including objects that the person was not related
   * to. Empty if the request adds relationships.
   */
  readonly removed: ReadonlySet<SubjectKey>
}

/** Adds or removes the relationships in a request about a person (track-api §2.3, contract §9). */
export const applyRelationshipChange = (
  state: WorkingSet,
  command: Timed,
  holder: HolderRelationships,
  { action, entries }: RelationshipChange,
  draft: DecisionDraft,
  budget?: HoldingsBudget,
): RelationshipsAfter => {
  if (entries.length === 0) return { relationships: holder.relationships, removed: noneRemoved }
  return action === "add"
    ? addAll(state, command, holder, entries, draft, budget)
    : removeAll(state, command, holder, entries, draft)
}

const addAll = (
  state: WorkingSet,
  command: Timed,
  holder: HolderRelationships,
  entries: RelationshipChange["entries"],
  draft: DecisionDraft,
  budget = new HoldingsBudget(command.workspace.limits, holder),
): RelationshipsAfter => {
  const current = new Map(holder.relationships)
  for (const [index, { assignments, object }] of entries.entries()) {
    const field = `svc_relationships.${index}.identifiers`
    const target = resolveObject(state, command, object, draft)
    if (target === null) {
      const [value = null] = relationshipsPayload(state.workspace, [{ assignments, object }])
      draft.faults.push({ ...decisionTexts.unknownRelated(field), value })
      continue
    }
    const before = current.get(target.key)
    const path = `relationships.${target.path}`
    const bounds = relationshipBounds(command.workspace.limits, `${path}.`)
    const visible: UpdateResult = { fields: [], faults: draft.faults }
    const assigned = assignAttributes(before ?? noAttributes, assignments, command, bounds, visible)
    const after = applyAssigned(before ?? noAttributes, assigned)
    const bytesBefore = before === undefined ? null : relationshipBytes(before)
    const fault = budget.addRelationship(field, relationshipBytes(after), bytesBefore)
    if (fault !== undefined) {
      const [value = null] = relationshipsPayload(state.workspace, [{ assignments, object }])
      draft.faults.push({ ...fault, value })
      continue
    }
    current.set(target.key, after)
    if (before === undefined) draft.fields.push({ path, from: null, to: {} })
    draft.fields.push(...visible.fields)
    assignRelationship(command, holder.key, target.key, before, assigned, draft)
  }
  return { relationships: current, removed: noneRemoved }
}

const removeAll = (
  state: WorkingSet,
  command: Timed,
  holder: HolderRelationships,
  entries: RelationshipChange["entries"],
  draft: DecisionDraft,
): RelationshipsAfter => {
  const current = new Map(holder.relationships)
  const removed = new Set<SubjectKey>()
  for (const { object } of entries) {
    const target = findObject(state, object)
    if (target === null) continue
    removed.add(target.key)
    const before = current.get(target.key)
    if (before === undefined) continue
    current.delete(target.key)
    const path = `relationships.${objectPath(target.typeId, target.objectId)}`
    draft.fields.push({ path, from: attributesToJson(before), to: null })
    removeRelationship(command, holder.key, target.key, draft)
  }
  return { relationships: current, removed }
}

const noneRemoved: ReadonlySet<SubjectKey> = new Set()

/** Adds a relationship, or updates its attributes. Does nothing if the relationship exists and `entries` is empty. */
export const assignRelationship = (
  { receivedAt: at }: Timed,
  key: SubjectKey,
  object: SubjectKey,
  before: Attributes | undefined,
  entries: Attributes,
  { changes }: DecisionDraft,
): void => {
  if (before !== undefined && entries.size === 0) return
  changes.push({ _tag: "RelationshipAssigned", key, object, entries, at })
}

export const removeRelationship = (
  { receivedAt: at }: Timed,
  key: SubjectKey,
  object: SubjectKey,
  { changes }: DecisionDraft,
): void => {
  changes.push({ _tag: "RelationshipRemoved", key, object, at })
}
