import type { Command } from "@inlethq/core/Command"
import type { Channel, DeliveryMetric } from "@inlethq/core/state/Delivery"
import type { Reference } from "@inlethq/core/values/Identifier"
import type { Outcome } from "@inlethq/core/log/Outcome"
import { nothingHeld, type ModelAttribute, type ModelHolder } from "./modelAttributes.ts"

const hour = 60 * 60 * 1000
export const day = 24 * hour

export type ModelKind = "id" | "email" | "anonymous_id"

export interface ModelPerson extends ModelHolder {
  key: number
  id: string | null
  email: string | null
  /** The times of the updates that last set or removed the identifiers. */
  setAt: { id: number | null; email: number | null }
  anonymousIds: Array<string>
  segments: Array<number>
  createdAt: number
  updatedAt: number
}

/** Data received under an anonymous id that no person has. */
export interface ModelVisitor extends ModelHolder {
  anonymousId: string
  /** When a request last named the anonymous id. */
  namedAt: number
}

export interface ModelEvent {
  /** The index of the command that recorded the event. */
  step: number
  name: string
  at: number
  receivedAt: number
  /** The identifier in the event. Null if the event names a `svc_id` or contains no identifier. */
  named: { kind: ModelKind; value: string } | null
  owner: number | null
  processedAt: number | null
  /** Whether a merge moved the event. */
  merged: boolean
}

export interface ModelObject {
  key: number
  typeId: string
  objectId: string
  attributes: Array<ModelAttribute>
  createdAt: number
  updatedAt: number
}

export interface ModelSegment {
  key: number
  name: string
  description: string | null
}

export interface ModelForm {
  formId: string
  mapping: Array<{ field: string; attribute: string }>
}

export interface ModelDelivery {
  deliveryId: string
  channel: Channel | null
  person: number | null
  recipient: string | null
  subject: string | null
  metrics: Array<{ metric: DeliveryMetric; firstAt: number; count: number }>
}

/** A group of identifiers that were suppressed together. */
export interface ModelSuppression {
  /** The key of the suppressed person; null if no person had the identifier. */
  person: number | null
  identifiers: Array<{ kind: ModelKind; value: string }>
}

export interface Model {
  people: Array<ModelPerson>
  visitors: Array<ModelVisitor>
  events: Array<ModelEvent>
  objects: Array<ModelObject>
  segments: Array<ModelSegment>
  forms: Array<ModelForm>
  deliveries: Array<ModelDelivery>
  suppressions: Array<ModelSuppression>
  /**
   * The deduplication keys in use, each with the index of the command that used it. `ofObject` is true if the command
   * is about an object.
   */
  claimed: Array<{ key: string; step: number; ofObject: boolean }>
  steps: number
}

export const emptyModel = (): Model => ({
  people: [],
  visitors: [],
  events: [],
  objects: [],
  segments: [],
  forms: [],
  deliveries: [],
  suppressions: [],
  claimed: [],
  steps: 0,
})

/**
 * The keys of the people, objects and other subjects that a command creates. The contract does not specify keys, so the
 * model receives them from `packages/core`. The model itself decides what is created.
 */
export interface FreshKeys {
  person(kind: "id" | "email", value: string): number
  object(typeId: string, objectId: string): number
  segment(): number
  /** Returns whether the log entry of the command with this index is erased. */
  isErased(step: number): boolean
}

/** The outcome of a command, and the numbers of applied and ignored ids of a segment call. */
export interface ModelAnswer {
  outcome: Outcome
  ids: { applied: number; ignored: number } | null
}

export const isSame = (kind: ModelKind, one: string, other: string): boolean =>
  kind === "email" ? one.toLowerCase() === other.toLowerCase() : one === other

const valuesOf = (person: ModelPerson, kind: ModelKind): Array<string> => {
  if (kind === "anonymous_id") return person.anonymousIds
  const value = person[kind]
  return value === null ? [] : [value]
}

export const personByIdentifier = (model: Model, kind: ModelKind, value: string): ModelPerson | null =>
  model.people.find((person) => valuesOf(person, kind).some((one) => isSame(kind, one, value))) ?? null

export const personWithKey = (model: Model, key: number | null): ModelPerson | null =>
  model.people.find((person) => person.key === key) ?? null

export type Named =
  | { is: "svc_id"; person: ModelPerson | null }
  | { is: "identifier"; kind: ModelKind; value: string; person: ModelPerson | null }

export const resolveReference = (model: Model, reference: Reference): Named => {
  switch (reference._tag) {
    case "BySvcId":
      return { is: "svc_id", person: personWithKey(model, reference.key) }
    case "ByIdentifier": {
      const { kind, value } = reference
      return { is: "identifier", kind, value, person: personByIdentifier(model, kind, value) }
    }
    case "ByBareText": {
      const person = personByIdentifier(model, "id", reference.value)
      return person === null
        ? resolveReference(model, reference.otherwise)
        : { is: "identifier", kind: "id", value: reference.value, person }
    }
  }
}

// Visitors

/** Returns the visitor with an anonymous id, or null if no request has named the anonymous id in the past 30 days. */
export const knownVisitor = (model: Model, command: Command, anonymousId: string): ModelVisitor | null =>
  model.visitors.find(
    (visitor) => visitor.anonymousId === anonymousId && visitor.namedAt >= command.receivedAt - 30 * day,
  ) ?? null

/** Returns the visitor with an anonymous id, creates it if unknown or expired, and restarts its retention. */
export const ensureVisitor = (model: Model, command: Command, anonymousId: string): ModelVisitor => {
  const known = knownVisitor(model, command, anonymousId)
  if (known !== null) {
    known.namedAt = command.receivedAt
    return known
  }
  removeVisitor(model, anonymousId)
  const visitor = { anonymousId, ...nothingHeld(), namedAt: command.receivedAt }
  model.visitors.push(visitor)
  return visitor
}

export const removeVisitor = (model: Model, anonymousId: string): void => {
  model.visitors = model.visitors.filter((visitor) => visitor.anonymousId !== anonymousId)
}

/**
 * Returns whether an event can trigger messages. An event can trigger messages if it was at most 72 hours old when it
 * was assigned to its person, and if no merge has moved it.
 */
export const isModelEligible = (event: ModelEvent): boolean =>
  !event.merged &&
  event.processedAt !== null &&
  event.at <= event.processedAt &&
  event.processedAt - event.at <= 72 * hour

export const isWaitingFor = (event: ModelEvent, kind: ModelKind, value: string): boolean =>
  event.owner === null &&
  event.named !== null &&
  event.named.kind === kind &&
  isSame(kind, event.named.value, value)
