import type { ChangeOf } from "../Change.ts"
import { bind, noteAddress, touchLink, write } from "../decision/workingSetWrites.ts"
import { addressOfDelivery } from "../decision/erasure.ts"
import { deliveryText, nextAfter, type SubjectKey } from "../values/Identifier.ts"
import type { WorkingSet } from "../WorkingSet.ts"
import { recipientsOf, type Delivery } from "../state/Delivery.ts"

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
    formerly: [],
    registered: null,
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
    const before = recipientsOf(delivery)
    const formerly = [...new Set(before)].filter((one) => one !== person && seen.subjects.has(one))
    for (const one of before) touchLink(seen, key, one)
    if (person !== null) touchLink(seen, key, person)
    const registered = seen.nextSequence
    const since = {
      ...delivery,
      channel,
      person,
      formerly,
      registered,
      recipient,
      subject,
      sources,
      updatedAt: at,
    }
    const address = addressOfDelivery(seen.digest, since)
    if (address !== null) noteAddress(seen, key, address)
    return since
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
