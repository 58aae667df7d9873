import type { RegisterDelivery, ReportMetric, UnsubscribeByDelivery } from "@inlethq/core/delivery/commands"
import type { Outcome } from "@inlethq/core/log/Outcome"
import { assignAll, personRoom } from "./modelAttributes.ts"
import { personWithKey, resolveReference, type Model, type ModelDelivery } from "./modelState.ts"

const deliveryNamed = (model: Model, deliveryId: string): ModelDelivery | null =>
  model.deliveries.find((one) => one.deliveryId === deliveryId) ?? null

/** Returns the delivery with an id, and creates it if it is unknown. */
const seeDelivery = (model: Model, deliveryId: string): ModelDelivery => {
  const known = deliveryNamed(model, deliveryId)
  if (known !== null) return known
  const delivery: ModelDelivery = {
    deliveryId,
    channel: null,
    person: null,
    recipient: null,
    subject: null,
    metrics: [],
  }
  model.deliveries.push(delivery)
  return delivery
}

export const registerDelivery = (model: Model, command: RegisterDelivery): Outcome => {
  const { channel, person, recipient, subject } = command
  const addressee = person === null ? null : resolveReference(model, person).person
  if (person !== null && addressee === null) return "dropped"
  const isNew = deliveryNamed(model, command.deliveryId) === null
  const delivery = seeDelivery(model, command.deliveryId)
  Object.assign(delivery, { channel, recipient, subject, person: addressee?.key ?? null })
  return isNew ? "created" : "applied"
}

export const reportMetric = (model: Model, command: ReportMetric): Outcome => {
  const delivery = seeDelivery(model, command.deliveryId)
  const known = delivery.metrics.find(({ metric }) => metric === command.metric)
  if (known === undefined) delivery.metrics.push({ metric: command.metric, firstAt: command.at, count: 1 })
  else {
    known.firstAt = Math.min(known.firstAt, command.at)
    known.count += 1
  }
  return command.faults.length > 0 ? "partial" : "applied"
}

export const unsubscribe = (model: Model, command: UnsubscribeByDelivery): Outcome => {
  const { deliveryId } = command
  const delivery = deliveryNamed(model, deliveryId)
  const person = delivery === null ? null : personWithKey(model, delivery.person)
  if (person === null) return "dropped"
  const value = command.unsubscribe
  const at = Math.max(
    command.at,
    ...person.attributes.flatMap((a) => (a.name === "unsubscribed" ? [a.at] : [])),
  )
  const { wrote } = assignAll(
    person.attributes,
    [{ name: "unsubscribed", value }],
    at,
    personRoom(command.workspace),
  )
  if (wrote) person.updatedAt = command.receivedAt
  return command.faults.length > 0 ? "partial" : "applied"
}
