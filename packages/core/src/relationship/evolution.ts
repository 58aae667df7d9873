import { noAttributes, put } from "../Attributes.ts"
import type { ChangeOf } from "../Change.ts"
import { onHolder, touchLink, write } from "../Draft.ts"
import { changed } from "../person/Person.ts"
import type { Holder } from "../Subject.ts"
import type { WorkingSet } from "../WorkingSet.ts"
import type { Relationships } from "./Relationships.ts"

export const onAssigned = (seen: WorkingSet, change: ChangeOf<"RelationshipAssigned">): void => {
  const { at, entries, key, object } = change
  onHolder(seen, key, (holder) => {
    const attributes = put(holder.relationships.get(object) ?? noAttributes, entries)
    write(seen, withRelationships(holder, new Map([...holder.relationships, [object, attributes]]), at))
    touchLink(seen, key, object)
  })
}

export const onRemoved = (seen: WorkingSet, change: ChangeOf<"RelationshipRemoved">): void => {
  const { at, key, object } = change
  onHolder(seen, key, (holder) => {
    const rest = [...holder.relationships].filter(([other]) => other !== object)
    write(seen, withRelationships(holder, new Map(rest), at))
    touchLink(seen, key, object)
  })
}

const withRelationships = (holder: Holder, relationships: Relationships, updatedAt: number): Holder =>
  holder._tag === "Person"
    ? changed(holder, { relationships, updatedAt })
    : { ...holder, relationships, updatedAt }
