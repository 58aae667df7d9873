import type { ChangeOf } from "../Change.ts"
import { bind, touchLink, write } from "../Draft.ts"
import { deliveryText, nextAfter, type SubjectKey } from "../Identifier.ts"
import type { WorkingSet } from "../WorkingSet.ts"
import type { Delivery } from "./Delivery.ts"

export const onSeen = (seen: WorkingSet, change: ChangeOf<"DeliverySeen">): void => {
  const { at, deliveryId, key, workspace } = change
  if (seen.subjects.get(key)?._tag === "Delivery") return
  if (key >= seen.nextKey) seen.nextKey = nextAfter(key)
  bind(seen, deliveryText(workspace, deliveryId), key)
  write(seen, {
    _tag: "Delivery",
    key,
    workspace,
    deliveryId,
    channel: null,
    person: null,
    recipient: null,
    subject: null,
    sources: new Map(),
    metrics: new Map(),
    createdAt: at,
    updatedAt: at,
  })
}

export const onRegistered = (seen: WorkingSet, change: ChangeOf<"DeliveryRegistered">): void => {
  const { at, channel, key, person, recipient, sources, subject } = change
  onDelivery(seen, key, (delivery) => {
    if (delivery.person !== null) touchLink(seen, key, delivery.person)
    if (person !== null) touchLink(seen, key, person)
    return { ...delivery, channel, person, recipient, subject, sources, updatedAt: at }
  })
}

/** The first time is the earliest that any report tells of. */
export const onReported = (seen: WorkingSet, change: ChangeOf<"MetricReported">): void => {
  const { at, key, metric, receivedAt } = change
  onDelivery(seen, key, (delivery) => {
    const { count, firstAt } = delivery.metrics.get(metric) ?? { count: 0, firstAt: at }
    const reports = { count: count + 1, firstAt: Math.min(firstAt, at) }
    return { ...delivery, metrics: new Map([...delivery.metrics, [metric, reports]]), updatedAt: receivedAt }
  })
}

const onDelivery = (seen: WorkingSet, key: SubjectKey, f: (delivery: Delivery) => Delivery): void => {
  const delivery = seen.subjects.get(key)
  if (delivery?._tag === "Delivery") write(seen, f(delivery))
}
