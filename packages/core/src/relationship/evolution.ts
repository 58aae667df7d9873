import { noAttributes } from "../state/Attributes.ts"
import { applyAssigned } from "../attributes/applyAssigned.ts"
import type { ChangeOf } from "../fold/Change.ts"
import { updateHolder, noteLinkChange, putSubject } from "../decision/updateWorkingSet.ts"
import { patchPerson } from "../state/Person.ts"
import type { Holder } from "../state/Subject.ts"
import type { WorkingSet } from "../fold/WorkingSet.ts"
import type { Relationships } from "../state/Relationships.ts"

export const onRelationshipAssigned = (state: WorkingSet, change: ChangeOf<"RelationshipAssigned">): void => {
  const { at, entries, key, object } = change
  updateHolder(state, key, (holder) => {
    const attributes = applyAssigned(holder.relationships.get(object) ?? noAttributes, entries)
    const relationships = ownCopy(state, holder.relationships)
    relationships.set(object, attributes)
    putSubject(state, withRelationships(holder, relationships, at))
    noteLinkChange(state, key, object)
  })
}

export const onRelationshipRemoved = (state: WorkingSet, change: ChangeOf<"RelationshipRemoved">): void => {
  const { at, key, object } = change
  updateHolder(state, key, (holder) => {
    const relationships = ownCopy(state, holder.relationships)
    relationships.delete(object)
    putSubject(state, withRelationships(holder, relationships, at))
    noteLinkChange(state, key, object)
  })
}

/**
 * Returns a copy of relationships that `evolve` may change in place. Each batch copies the relationships of a person or
 * object once, because one request can change a thousand of them.
 */
const ownCopy = ({ written: { copies } }: WorkingSet, relationships: Relationships) => {
  const known = copies.get(relationships)
  if (known !== undefined) return known
  const copy = new Map(relationships)
  copies.set(copy, copy)
  return copy
}

const withRelationships = (holder: Holder, relationships: Relationships, updatedAt: number): Holder =>
  holder._tag === "Person"
    ? patchPerson(holder, { relationships, updatedAt })
    : { ...holder, relationships, updatedAt }
