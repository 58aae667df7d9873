import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import type { VisibleAttributes, VisibleHolder } from "./harness.ts"
import type { ModelAttribute, ModelHolder } from "./modelAttributes.ts"
import { day, isModelEligible, personWithKey, type Model } from "./modelState.ts"
import { orderOf, type Visible } from "./visible.ts"

const attributesOf = (attributes: Array<ModelAttribute>): VisibleAttributes =>
  attributes.map(({ at, name, value }) => [name, value, at] as const).toSorted(([a], [b]) => (a < b ? -1 : 1))

const holderOf = (holder: ModelHolder): VisibleHolder => ({
  attributes: attributesOf(holder.attributes),
  devices: holder.devices
    .map(
      ({ attributes, lastUsed, platform, token }) =>
        [token, platform, lastUsed, attributesOf(attributes)] as const,
    )
    .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  relationships: holder.relationships
    .map(({ attributes, object }) => [object, attributesOf(attributes)] as const)
    .toSorted(([a], [b]) => a - b),
})

const deliveriesOf = (model: Model): Visible["deliveries"] =>
  model.deliveries
    .map(({ channel, deliveryId, metrics, person, recipient, subject }) => {
      const key = personWithKey(model, person)?.key ?? null
      const isGone = person !== null && key === null
      return {
        deliveryId,
        channel,
        person: key,
        recipient: isGone ? null : recipient,
        subject: isGone ? null : subject,
        metrics: metrics
          .map(({ count, firstAt, metric }) => [metric, firstAt, count] as const)
          .toSorted(orderOf.metrics),
      }
    })
    .toSorted(orderOf.deliveries)

/** Returns everything in the model that operators see at the time `now`. */
export const visibleInModel = (model: Model, now: EpochMillis): Visible => ({
  people: model.people
    .map((person) => ({
      key: person.key,
      id: person.id,
      email: person.email,
      anonymousIds: person.anonymousIds.toSorted(),
      ...holderOf(person),
      segments: person.segments.toSorted((a, b) => a - b),
      createdAt: person.createdAt,
      updatedAt: person.updatedAt,
    }))
    .toSorted((a, b) => a.key - b.key),
  visitors: model.visitors
    .filter(({ namedAt }) => namedAt >= now - 30 * day)
    .map((visitor) => ({
      anonymousId: visitor.anonymousId,
      ...holderOf(visitor),
    }))
    .toSorted(orderOf.visitors),
  events: model.events.map((event) => ({
    step: event.step,
    name: event.name,
    owner: event.owner,
    processedAt: event.processedAt,
    triggers: isModelEligible(event),
  })),
  objects: model.objects
    .map(({ attributes, createdAt, key, objectId, typeId, updatedAt }) => ({
      key,
      typeId,
      objectId,
      attributes: attributesOf(attributes),
      createdAt,
      updatedAt,
    }))
    .toSorted((a, b) => a.key - b.key),
  segments: model.segments
    .map(({ description, key, name }) => ({ key, name, description }))
    .toSorted((a, b) => a.key - b.key),
  forms: model.forms
    .map(({ formId, mapping }) => ({
      formId,
      mapping: mapping.map(({ attribute, field }) => [field, attribute] as const),
    }))
    .toSorted(orderOf.forms),
  deliveries: deliveriesOf(model),
  suppressed: model.suppressions
    .flatMap(({ identifiers }) =>
      identifiers.map(({ kind, value }) => `${kind}:${kind === "email" ? value.toLowerCase() : value}`),
    )
    .toSorted(),
})
