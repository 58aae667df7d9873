import { assign, noAttributes, put, relationshipBounds, type Attributes } from "../Attributes.ts"
import type { Envelope, PersonEntry } from "../Command.ts"
import { holderFor, knownHolder } from "../holderFor.ts"
import { svcIdText, type SubjectKey } from "../Identifier.ts"
import type { Json } from "../Json.ts"
import { relationshipsPerPersonMax } from "../Limits.ts"
import { assignRelationship, tooMany, unrelate } from "../relationship/relate.ts"
import { suppressedAs } from "../suppression/suppressedAs.ts"
import type { Effects } from "../Verdict.ts"
import type { WorkingSet } from "../WorkingSet.ts"
import type { ActedOn } from "./objectFor.ts"

/** A request about an object that names people. */
interface NamesPeople extends Pick<Envelope, "workspace" | "at" | "receivedAt"> {
  readonly entries: ReadonlyArray<PersonEntry>
}

/** Relates people and visitors to an object; a person who does not exist is created (contract §9). */
export const relatePeople = (
  seen: WorkingSet,
  command: NamesPeople,
  { key: object, path }: ActedOn,
  effects: Effects,
): ReadonlySet<SubjectKey> => {
  const related = new Map<SubjectKey, Attributes>()
  const bounds = relationshipBounds(command.workspace.limits, `relationships.${path}.`)
  for (const [index, { assignments, person }] of command.entries.entries()) {
    const field = `svc_relationships.${index}.identifiers`
    if (suppressedAs(seen, command.workspace.id, person) !== undefined) {
      effects.faults.push({ reason: "invalid", field, message: "the person is suppressed" })
      continue
    }
    const found = holderFor(seen, command, person, effects)
    if (found === null) {
      effects.faults.push({ reason: "invalid", field, message: "nobody has this svc_id" })
      continue
    }
    const { holder, key } = found
    const before = related.get(key) ?? holder?.relationships.get(object)
    if (before === undefined && (holder?.relationships.size ?? 0) >= relationshipsPerPersonMax) {
      effects.faults.push(tooMany(field))
      continue
    }
    const visible = { fields: [], faults: effects.faults }
    const entries = assign(before ?? noAttributes, assignments, command.at, bounds, visible)
    related.set(key, put(before ?? noAttributes, entries))
    assignRelationship(command, key, object, before, entries, effects)
  }
  return new Set(related.keys())
}

/** Ends the relationships of people and visitors with an object; who is unknown has none. */
export const unrelatePeople = (
  seen: WorkingSet,
  command: NamesPeople,
  { key: object }: ActedOn,
  effects: Effects,
): ReadonlySet<SubjectKey> => {
  const people = new Set<SubjectKey>()
  for (const { person } of command.entries) {
    const holder = knownHolder(seen, command, person)
    if (holder === null || people.has(holder.key) || !holder.relationships.has(object)) continue
    unrelate(command, holder.key, object, effects)
    people.add(holder.key)
  }
  return people
}

/**
 * The people of an operation as its activity entry shows them: by svc_id alone, without what was said of them, since the
 * entry is the object's and stays when they go.
 */
export const peoplePayload = (people: ReadonlySet<SubjectKey>): ReadonlyArray<Json> =>
  [...people].map((key) => ({ svc_id: svcIdText(key) }))
