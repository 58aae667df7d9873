import { fill, inherit, noAttributes, put, relationshipBounds, type Attributes } from "../Attributes.ts"
import type { Envelope } from "../Command.ts"
import { HeldRoom, relationshipBytes, tooMuchHeld } from "../HeldRoom.ts"
import { relationshipsPerPersonMax } from "../Limits.ts"
import type { Person } from "../person/Person.ts"
import type { Holder } from "../Subject.ts"
import type { Effects } from "../Verdict.ts"
import { assignRelationship, noneRemoved, tooMany, type AfterRelating } from "./relate.ts"

type Timed = Pick<Envelope, "workspace" | "at" | "receivedAt">

/** Gives a person the relationships of a visitor that it turned out to be, but those that the request removes (contract §7). */
export const inheritRelationships = (
  command: Timed,
  person: Person,
  after: AfterRelating,
  visitor: Holder,
  effects: Effects,
): void => takeRelationships(command, person, after, visitor, effects, inherit)

/** Gives the primary of a merge the relationships of the secondary (contract §6). */
export const fillRelationships = (
  command: Timed,
  primary: Person,
  secondary: Holder,
  effects: Effects,
): void =>
  takeRelationships(
    command,
    primary,
    { relationships: primary.relationships, removed: noneRemoved },
    secondary,
    effects,
    fill,
  )

const takeRelationships = (
  command: Timed,
  { devices, key }: Person,
  { relationships, removed }: AfterRelating,
  other: Holder,
  effects: Effects,
  take: typeof inherit,
): void => {
  if (other.relationships.size === 0) return
  let size = relationships.size
  const room = new HeldRoom({ devices, relationships })
  const bounds = relationshipBounds(command.workspace.limits, "relationships.")
  for (const [object, offered] of other.relationships) {
    if (removed.has(object)) continue
    const before = relationships.get(object)
    if (before === undefined && size >= relationshipsPerPersonMax) {
      effects.faults.push(tooMany("svc_relationships"))
      return
    }
    if (before === undefined) size++
    const entries: Attributes = take(before ?? noAttributes, offered, bounds, {
      fields: [],
      faults: effects.faults,
    })
    const after = relationshipBytes(put(before ?? noAttributes, entries))
    if (room.has(after, relationshipBytes(before))) {
      assignRelationship(command, key, object, before, entries, effects)
    } else effects.faults.push(tooMuchHeld("svc_relationships"))
  }
}
