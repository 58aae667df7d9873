import { noAttributes } from "../state/Attributes.ts"
import {
  relatedListedMax,
  relatedShownMax,
  type DeliveryRecord,
  type ObjectRecord,
  type PersonRecord,
  type RelatedRecord,
  type SegmentRecord,
} from "../catalog/Catalog.ts"
import type { Delivery } from "../state/Delivery.ts"
import { withoutErasedAddress } from "../decision/erasure.ts"
import type { SubjectKey } from "../values/Identifier.ts"
import type { DataObject } from "../state/DataObject.ts"
import type { Person } from "../state/Person.ts"
import type { Segment } from "../state/Segment.ts"
import type { Holder, Subject } from "../state/Subject.ts"
import { currentPersonOf } from "../WorkingSet.ts"
import type { MemoryState } from "./MemoryState.ts"
import { subjectsOf } from "./queries.ts"

type State = MemoryState["Service"]

/** Returns a person with their objects and segments, without deleted ones. */
export const personRecord = (state: State, person: Person): PersonRecord =>
  naming(state, person, relatedShownMax)

export const listedPersonRecord = (state: State, person: Person): PersonRecord =>
  naming(state, person, relatedListedMax)

const naming = ({ everything }: State, person: Person, max: number): PersonRecord => ({
  person,
  relationships: [...person.relationships].slice(0, max).flatMap(([key, attributes]) => {
    const object = everything.subjects.get(key)
    return object?._tag === "DataObject" ? [{ object, attributes }] : []
  }),
  segments: person.segments.filter((key) => everything.subjects.get(key)?._tag === "Segment"),
})

export const objectRecord = ({ everything }: State, object: DataObject): ObjectRecord => {
  let peopleTotal = 0
  for (const subject of everything.subjects.values()) if (isRelatedTo(object.key)(subject)) peopleTotal++
  return { object, peopleTotal }
}

/** Returns whether a subject is a person or a visitor related to the object. */
export const isRelatedTo =
  (object: SubjectKey) =>
  (subject: Subject): subject is Holder =>
    (subject._tag === "Person" || subject._tag === "Visitor") && subject.relationships.has(object)

export const relatedRecord = (object: SubjectKey, subject: Holder): RelatedRecord => ({
  subject,
  attributes: subject.relationships.get(object) ?? noAttributes,
})

const members = (state: State, segment: Segment): ReadonlyArray<Person> =>
  subjectsOf(state, segment.workspace, "Person").filter((person) => person.segments.includes(segment.key))

export const segmentRecord = (state: State, segment: Segment): SegmentRecord => ({
  segment,
  size: members(state, segment).length,
})

/** Returns a delivery and its recipient. If the recipient was deleted, the delivery shows no data about them. */
export const deliveryRecord = ({ everything }: State, delivery: Delivery): DeliveryRecord => {
  if (delivery.person === null) return { delivery: withoutErasedAddress(everything, delivery), person: null }
  const person = currentPersonOf(everything.subjects, delivery)
  return person === null
    ? { delivery: { ...delivery, recipient: null, subject: null }, person }
    : { delivery, person }
}
