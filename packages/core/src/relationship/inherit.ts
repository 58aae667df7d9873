import { fill, inherit, noAttributes, relationshipBounds, type Attributes } from "../Attributes.ts"
import type { Envelope } from "../Command.ts"
import { relationshipsPerPersonMax } from "../Limits.ts"
import type { Person } from "../person/Person.ts"
import type { Holder } from "../Subject.ts"
import type { Effects } from "../Verdict.ts"
import { assignRelationship, tooMany } from "./relate.ts"

type Timed = Pick<Envelope, "workspace" | "at" | "receivedAt">

/** Gives a person the relationships of a visitor that it turned out to be (contract §7). */
export const inheritRelationships = (
  command: Timed,
  person: Person,
  visitor: Holder,
  effects: Effects,
): void => takeRelationships(command, person, visitor, effects, inherit)

/** Gives the primary of a merge the relationships of the secondary (contract §6). */
export const fillRelationships = (
  command: Timed,
  primary: Person,
  secondary: Holder,
  effects: Effects,
): void => takeRelationships(command, primary, secondary, effects, fill)

const takeRelationships = (
  command: Timed,
  person: Person,
  other: Holder,
  effects: Effects,
  take: typeof inherit,
): void => {
  let size = person.relationships.size
  const bounds = relationshipBounds(command.workspace.limits, "relationships.")
  for (const [object, offered] of other.relationships) {
    const before = person.relationships.get(object)
    if (before === undefined && size >= relationshipsPerPersonMax) {
      effects.faults.push(tooMany("svc_relationships"))
      return
    }
    if (before === undefined) size++
    const entries: Attributes = take(before ?? noAttributes, offered, bounds, {
      fields: [],
      faults: effects.faults,
    })
    assignRelationship(command, person.key, object, before, entries, effects)
  }
}
