import type { FieldMapping } from "@inlethq/core/state/Form"
import type { SubjectKey } from "@inlethq/core/values/Identifier"
import { isExpiredVisitor, type Subject } from "@inlethq/core/state/Subject"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import type { WorkingSet } from "@inlethq/core/fold/WorkingSet"
import {
  visibleAttributes,
  visibleEvents,
  visibleHolder,
  visiblePeople,
  type VisibleAttributes,
  type VisibleEvent,
  type VisibleHolder,
  type VisiblePerson,
} from "./harness.ts"

/** Everything that operators see, as plain data that tests can compare. */
export interface Visible {
  readonly people: ReadonlyArray<VisiblePerson>
  readonly visitors: ReadonlyArray<VisibleVisitor>
  readonly events: ReadonlyArray<VisibleEvent>
  readonly objects: ReadonlyArray<VisibleObject>
  readonly segments: ReadonlyArray<VisibleSegment>
  readonly forms: ReadonlyArray<VisibleForm>
  readonly deliveries: ReadonlyArray<VisibleDelivery>
  readonly suppressed: ReadonlyArray<string>
}

export interface VisibleVisitor extends VisibleHolder {
  readonly anonymousId: string
}

export interface VisibleObject {
  readonly key: number
  readonly typeId: string
  readonly objectId: string
  readonly attributes: VisibleAttributes
  readonly createdAt: number
  readonly updatedAt: number
}

export interface VisibleSegment {
  readonly key: number
  readonly name: string
  readonly description: string | null
}

export interface VisibleForm {
  readonly formId: string
  readonly mapping: ReadonlyArray<readonly [field: string, attribute: string]>
}

export interface VisibleDelivery {
  readonly deliveryId: string
  readonly channel: string | null
  readonly person: number | null
  /** The recipient's address. Null after the recipient was deleted. */
  readonly recipient: string | null
  /** The subject line of the email. Null after the recipient was deleted. */
  readonly subject: string | null
  readonly metrics: ReadonlyArray<readonly [metric: string, firstAt: number, count: number]>
}

/** Calls `show` for each person, object or other subject, and returns the results that are not null. */
const all = <A>(state: WorkingSet, show: (subject: Subject) => A | null): ReadonlyArray<A> =>
  [...state.subjects.values()].flatMap((subject) => show(subject) ?? [])

const by =
  <A>(...texts: ReadonlyArray<(one: A) => string>) =>
  (a: A, b: A): number => {
    const [one, other] = [a, b].map((item) => JSON.stringify(texts.map((text) => text(item))))
    return one === other ? 0 : (one ?? "") < (other ?? "") ? -1 : 1
  }

export const orderOf = {
  visitors: by<VisibleVisitor>(({ anonymousId }) => anonymousId),
  forms: by<VisibleForm>(({ formId }) => formId),
  deliveries: by<VisibleDelivery>(({ deliveryId }) => deliveryId),
  metrics: by<readonly [string, number, number]>(([metric]) => metric),
}

/**
 * Returns the key of the given person, or of the person that an identified visitor or merged person belongs to. Returns
 * null for everything else.
 */
const currentPersonKey = (state: WorkingSet, key: SubjectKey | null): number | null => {
  const subject = key === null ? undefined : state.subjects.get(key)
  const owner = subject?._tag === "Attached" ? state.subjects.get(subject.owner) : subject
  return owner?._tag === "Person" ? owner.key : null
}

const mappingOf = (mapping: FieldMapping) =>
  [...mapping].map(([field, attribute]) => [field, attribute] as const)

const visibleVisitors = (state: WorkingSet, now: EpochMillis) =>
  all<VisibleVisitor>(state, (subject) =>
    subject._tag === "Visitor" && subject.knownAs.kind === "anonymous_id" && !isExpiredVisitor(subject, now)
      ? {
          anonymousId: subject.knownAs.value,
          ...visibleHolder(state, subject),
        }
      : null,
  ).toSorted(orderOf.visitors)

const visibleDeliveries = (state: WorkingSet) =>
  all<VisibleDelivery>(state, (subject) => {
    if (subject._tag !== "Delivery") return null
    const { channel, deliveryId } = subject
    const person = currentPersonKey(state, subject.person)
    const isGone = subject.person !== null && person === null
    return {
      deliveryId,
      channel,
      person,
      recipient: isGone ? null : subject.recipient,
      subject: isGone ? null : subject.subject,
      metrics: [...subject.metrics]
        .map(([metric, { count, firstAt }]) => [metric, firstAt, count] as const)
        .toSorted(orderOf.metrics),
    }
  }).toSorted(orderOf.deliveries)

/** Returns everything that operators see at the time `now`. */
export const visibleIn = (state: WorkingSet, now: EpochMillis): Visible => ({
  people: visiblePeople(state),
  visitors: visibleVisitors(state, now),
  events: visibleEvents(state),
  objects: all<VisibleObject>(state, (subject) => {
    if (subject._tag !== "DataObject") return null
    const { createdAt, key, objectId, typeId, updatedAt } = subject
    const attributes = visibleAttributes(subject.attributes)
    return { key, typeId, objectId, attributes, createdAt, updatedAt }
  }).toSorted((a, b) => a.key - b.key),
  segments: all<VisibleSegment>(state, (subject) => {
    if (subject._tag !== "Segment") return null
    const { description, key, name } = subject
    return { key, name, description }
  }).toSorted((a, b) => a.key - b.key),
  forms: all<VisibleForm>(state, (subject) => {
    if (subject._tag !== "Form") return null
    return { formId: subject.formId, mapping: mappingOf(subject.mapping) }
  }).toSorted(orderOf.forms),
  deliveries: visibleDeliveries(state),
  suppressed: [...state.suppressed.keys()].toSorted(),
})
