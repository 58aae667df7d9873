import { assign, noAttributes, put, relationshipBounds, type Attributes } from "../Attributes.ts"
import type { Envelope, PersonEntry } from "../Command.ts"
import { heldBy, HeldRoom, relationshipBytes, tooMuchHeld } from "../HeldRoom.ts"
import { holderFor, knownHolder } from "../holderFor.ts"
import { svcIdText, type Reference, type SubjectKey } from "../Identifier.ts"
import type { Json } from "../Json.ts"
import { relationshipsPerPersonMax } from "../Limits.ts"
import { assignRelationship, tooMany, unrelate } from "../relationship/relate.ts"
import { suppressedAs } from "../suppression/suppressedAs.ts"
import type { Holder } from "../Subject.ts"
import type { Effects } from "../Verdict.ts"
import type { WorkingSet } from "../WorkingSet.ts"
import type { ActedOn } from "./objectFor.ts"

/** A request about an object that names people. */
interface NamesPeople extends Pick<Envelope, "workspace" | "at" | "receivedAt"> {
  readonly entries: ReadonlyArray<PersonEntry>
}

/** The people and visitors of whom an operation changed something, and which they are. */
type Named = ReadonlyMap<SubjectKey, Holder["_tag"]>

/** Relates people and visitors to an object; a person who does not exist is created (contract §9). */
export const relatePeople = (
  seen: WorkingSet,
  command: NamesPeople,
  { key: object, path }: ActedOn,
  effects: Effects,
): Named => {
  const named = new Map<SubjectKey, Holder["_tag"]>()
  const related = new Map<SubjectKey, Attributes>()
  const bounds = relationshipBounds(command.workspace.limits, `relationships.${path}.`)
  for (const [index, { assignments, person }] of command.entries.entries()) {
    const field = fieldOf(index)
    if (isSuppressed(seen, command, person, index, effects)) continue
    const found = holderFor(seen, command, person, effects)
    if (found === null) {
      effects.faults.push({ reason: "invalid", field, message: "nobody has this svc_id" })
      continue
    }
    const { holder, key, outcome } = found
    const before = related.get(key) ?? holder?.relationships.get(object)
    if (before === undefined && (holder?.relationships.size ?? 0) >= relationshipsPerPersonMax) {
      effects.faults.push(tooMany(field))
      continue
    }
    const visible = { fields: [], faults: effects.faults }
    const entries = assign(before ?? noAttributes, assignments, command.at, bounds, visible)
    const after = put(before ?? noAttributes, entries)
    if (!new HeldRoom(heldBy(key, holder)).has(relationshipBytes(after), relationshipBytes(before))) {
      effects.faults.push(tooMuchHeld(field))
      continue
    }
    related.set(key, after)
    named.set(key, outcome === "pending" ? "Visitor" : "Person")
    assignRelationship(command, key, object, before, entries, effects)
  }
  return named
}

/** Ends the relationships of people and visitors with an object; who is unknown has none. */
export const unrelatePeople = (
  seen: WorkingSet,
  command: NamesPeople,
  { key: object }: ActedOn,
  effects: Effects,
): Named => {
  const named = new Map<SubjectKey, Holder["_tag"]>()
  for (const [index, { person }] of command.entries.entries()) {
    if (isSuppressed(seen, command, person, index, effects)) continue
    const holder = knownHolder(seen, command, person)
    if (holder === null || named.has(holder.key) || !holder.relationships.has(object)) continue
    unrelate(command, holder.key, object, effects)
    named.set(holder.key, holder._tag)
  }
  return named
}

/** Whether an entry names somebody who is suppressed: it is left out. */
const isSuppressed = (
  seen: WorkingSet,
  { workspace }: NamesPeople,
  person: Reference,
  index: number,
  { faults }: Effects,
): boolean => {
  if (suppressedAs(seen, workspace.id, person) === undefined) return false
  faults.push({ reason: "invalid", field: fieldOf(index), message: "the person is suppressed" })
  return true
}

const fieldOf = (index: number) => `svc_relationships.${index}.identifiers`

/**
 * The people of an operation as its activity entry shows them: by svc_id alone, without what was said of them, since the
 * entry is the object's and stays when they go. For the same reason a visitor, who has no svc_id, is not named.
 */
export const peoplePayload = (named: Named): ReadonlyArray<Json> =>
  [...named].map(([key, tag]) => ({ svc_id: tag === "Person" ? svcIdText(key) : null }))
