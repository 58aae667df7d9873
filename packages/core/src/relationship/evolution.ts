import { noAttributes, put } from "../state/Attributes.ts"
import type { ChangeOf } from "../Change.ts"
import { onHolder, touchLink, write } from "../decision/workingSetWrites.ts"
import { changed } from "../state/Person.ts"
import type { Holder } from "../state/Subject.ts"
import type { WorkingSet } from "../WorkingSet.ts"
import type { Relationships } from "../state/Relationships.ts"

export const onAssigned = (seen: WorkingSet, change: ChangeOf<"RelationshipAssigned">): void => {
  const { at, entries, key, object } = change
  onHolder(seen, key, (holder) => {
    const attributes = put(holder.relationships.get(object) ?? noAttributes, entries)
    const relationships = ownCopy(seen, holder.relationships)
    relationships.set(object, attributes)
    write(seen, withRelationships(holder, relationships, at))
    touchLink(seen, key, object)
  })
}

export const onRemoved = (seen: WorkingSet, change: ChangeOf<"RelationshipRemoved">): void => {
  const { at, key, object } = change
  onHolder(seen, key, (holder) => {
    const relationships = ownCopy(seen, holder.relationships)
    relationships.delete(object)
    write(seen, withRelationships(holder, relationships, at))
    touchLink(seen, key, object)
  })
}

/** Relationships that nobody else sees: copied once a batch, since one request can change a thousand of them. */
const ownCopy = ({ written: { copies } }: WorkingSet, relationships: Relationships) => {
  const known = copies.get(relationships)
  if (known !== undefined) return known
  const copy = new Map(relationships)
  copies.set(copy, copy)
  return copy
}

const withRelationships = (holder: Holder, relationships: Relationships, updatedAt: number): Holder =>
  holder._tag === "Person"
    ? changed(holder, { relationships, updatedAt })
    : { ...holder, relationships, updatedAt }
