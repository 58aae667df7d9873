import { fillAttributes, inheritAttributes } from "../attributes/inheritAttributes.ts"
import { noAttributes, type Attributes } from "../state/Attributes.ts"
import { applyAssigned } from "../attributes/applyAssigned.ts"
import { relationshipBounds } from "../attributes/attributeBounds.ts"
import type { Envelope } from "../fold/Envelope.ts"
import { relationshipBytes, type HoldingsBudget } from "../decision/HoldingsBudget.ts"
import type { SubjectKey } from "../values/Identifier.ts"
import type { Fault } from "../log/Outcome.ts"
import type { Person } from "../state/Person.ts"
import type { Holder } from "../state/Subject.ts"
import { objectPath } from "../decision/resolveObject.ts"
import type { WorkingSet } from "../fold/WorkingSet.ts"
import type { DecisionDraft } from "../decision/DecisionDraft.ts"
import type { Relationships } from "../state/Relationships.ts"
import { assignRelationship, type RelationshipsAfter } from "./applyRelationshipChange.ts"

type Timed = Pick<Envelope, "workspace" | "at" | "receivedAt">

/**
 * Gives a person the relationships of a visitor who was identified as that person. Leaves out relationships that the
 * request removes (contract §7).
 */
export const inheritRelationships = (
  state: WorkingSet,
  command: Timed,
  { key }: Person,
  { relationships, removed }: RelationshipsAfter,
  visitor: Holder,
  budget: HoldingsBudget,
  draft: DecisionDraft,
): void => {
  const offered = [...visitor.relationships].filter(([object]) => !removed.has(object))
  if (offered.length === 0) return
  const faults: Array<Fault> = []
  const taken = inheritedFrom(command, relationships, offered, inheritAttributes, faults)
  const added = taken.filter(({ before }) => before === undefined).length
  const bytes = taken.reduce((sum, one) => sum + growthOf(one), 0)
  const fault = budget.inheritRelationships("svc_relationships", added, bytes)
  if (fault === undefined) assignAll(state, command, key, taken, draft)
  draft.faults.push(...(fault === undefined ? faults : [fault]))
}

/**
 * Gives the primary of a merge the relationships of the secondary. If both people are related to the same object, the
 * primary keeps the attributes of its relationship, and receives only the missing attributes (contract §6, §5 *merged
 * limits*).
 */
export const fillRelationships = (
  state: WorkingSet,
  command: Timed,
  { key, relationships }: Person,
  secondary: Holder,
  draft: DecisionDraft,
): void => {
  const taken = inheritedFrom(command, relationships, secondary.relationships, fillAttributes, draft.faults)
  assignAll(state, command, key, taken, draft)
}

interface Inherited {
  readonly object: SubjectKey
  readonly before: Attributes | undefined
  readonly entries: Attributes
}

const inheritedFrom = (
  command: Timed,
  relationships: Relationships,
  offers: Iterable<readonly [object: SubjectKey, attributes: Attributes]>,
  take: typeof inheritAttributes,
  faults: Array<Fault>,
): ReadonlyArray<Inherited> => {
  const bounds = relationshipBounds(command.workspace.limits, "relationships.")
  return Array.from(offers, ([object, offered]) => {
    const before = relationships.get(object)
    return { object, before, entries: take(before ?? noAttributes, offered, bounds, { fields: [], faults }) }
  })
}

const growthOf = ({ before, entries }: Inherited): number => {
  const after = relationshipBytes(applyAssigned(before ?? noAttributes, entries))
  return after - (before === undefined ? 0 : relationshipBytes(before))
}

const assignAll = (
  { subjects }: WorkingSet,
  command: Timed,
  key: SubjectKey,
  taken: ReadonlyArray<Inherited>,
  draft: DecisionDraft,
): void => {
  for (const { before, entries, object } of taken) {
    assignRelationship(command, key, object, before, entries, draft)
    const subject = subjects.get(object)
    // One to an object that was deleted is gone, whether housekeeping has removed it or not.
    if (subject?._tag !== "DataObject") continue
    const path = `relationships.${objectPath(subject.typeId, subject.objectId)}`
    if (before === undefined) draft.gain({ path, from: null, to: {} })
    for (const [name, { value }] of entries) {
      if (value === null) continue
      draft.gain({ path: `${path}.${name}`, from: before?.get(name)?.value ?? null, to: value })
    }
  }
}
