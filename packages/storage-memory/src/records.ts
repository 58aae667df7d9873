import { noAttributes } from "@inlethq/core/state/Attributes"
import {
  relatedListedMax,
  relatedShownMax,
  type DeliveryRecord,
  type ObjectRecord,
  type PersonRecord,
  type RelatedRecord,
  type SegmentRecord,
} from "@inlethq/core/catalog/Catalog"
import type { Delivery } from "@inlethq/core/state/Delivery"
import { withoutErasedAddress } from "@inlethq/core/decision/erasure"
import type { SubjectKey } from "@inlethq/core/values/Identifier"
import type { DataObject } from "@inlethq/core/state/DataObject"
import type { Person } from "@inlethq/core/state/Person"
import { membersOf, type Segment } from "@inlethq/core/state/Segment"
import type { Holder, Subject } from "@inlethq/core/state/Subject"
import { currentPersonOf } from "@inlethq/core/fold/WorkingSet"
import type { Island } from "./MemoryImage.ts"
import { subjectsOf } from "./queries.ts"

/** Returns a person with their objects and segments. Deleted objects and segments are left out. */
export const personRecord = (island: Island, person: Person): PersonRecord =>
  naming(island, person, relatedShownMax)

export const listedPersonRecord = (island: Island, person: Person): PersonRecord =>
  naming(island, person, relatedListedMax)

const naming = ({ everything }: Island, person: Person, max: number): PersonRecord => ({
  person,
  relationships: [...person.relationships].slice(0, max).flatMap(([key, attributes]) => {
    const object = everything.subjects.get(key)
    return object?._tag === "DataObject" ? [{ object, attributes }] : []
  }),
  segments: person.segments.flatMap((key) => {
    const subject = everything.subjects.get(key)
    if (subject?._tag === "SegmentMembers") return subject.isCurrent ? [subject.segment] : []
    return subject?._tag === "Segment" ? [key] : []
  }),
})

export const objectRecord = ({ everything }: Island, object: DataObject): ObjectRecord => {
  let peopleTotal = 0
  for (const subject of everything.subjects.values()) if (isRelatedTo(object.key)(subject)) peopleTotal++
  return { object, peopleTotal }
}

/** Returns a condition that is true for each person and visitor related to an object. */
export const isRelatedTo =
  (object: SubjectKey) =>
  (subject: Subject): subject is Holder =>
    (subject._tag === "Person" || subject._tag === "Visitor") && subject.relationships.has(object)

export const relatedRecord = (object: SubjectKey, subject: Holder): RelatedRecord => ({
  subject,
  attributes: subject.relationships.get(object) ?? noAttributes,
})

const members = (island: Island, segment: Segment): ReadonlyArray<Person> =>
  subjectsOf(island, "Person").filter((person) => person.segments.includes(membersOf(segment)))

export const segmentRecord = (island: Island, segment: Segment): SegmentRecord => ({
  segment,
  size: members(island, segment).length,
})

/** Returns a delivery and its recipient. If the recipient was deleted, the delivery shows no data about them. */
export const deliveryRecord = ({ everything }: Island, delivery: Delivery): DeliveryRecord => {
  if (delivery.person === null) return { delivery: withoutErasedAddress(everything, delivery), person: null }
  const person = currentPersonOf(everything.subjects, delivery)
  return person === null
    ? { delivery: { ...delivery, recipient: null, subject: null }, person }
    : { delivery, person }
}
