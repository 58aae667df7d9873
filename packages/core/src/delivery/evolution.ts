import type { ChangeOf } from "../fold/Change.ts"
import { bindText, noteAddress, noteLinkChange, putSubject } from "../decision/updateWorkingSet.ts"
import { addressOfDelivery } from "../decision/erasure.ts"
import { deliveryText, nextAfter, type SubjectKey } from "../values/Identifier.ts"
import type { WorkingSet } from "../fold/WorkingSet.ts"
import { recipientsOf, type Delivery } from "../state/Delivery.ts"

export const onDeliverySeen = (state: WorkingSet, change: ChangeOf<"DeliverySeen">): void => {
  const { at, deliveryId, key } = change
  if (state.subjects.get(key)?._tag === "Delivery") return
  if (key >= state.nextKey) state.nextKey = nextAfter(key)
  bindText(state, deliveryText(deliveryId), key)
  putSubject(state, {
    _tag: "Delivery",
    key,
    workspace: state.workspace,
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

export const onDeliveryRegistered = (state: WorkingSet, change: ChangeOf<"DeliveryRegistered">): void => {
  const { at, channel, key, person, recipient, sources, subject } = change
  updateDelivery(state, key, (delivery) => {
    const before = recipientsOf(delivery)
    const formerly = [...new Set(before)].filter((one) => one !== person && state.subjects.has(one))
    for (const one of before) noteLinkChange(state, key, one)
    if (person !== null) noteLinkChange(state, key, person)
    const registered = state.nextSequence
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
    const address = addressOfDelivery(state.digest, since)
    if (address !== null) noteAddress(state, key, address)
    return since
  })
}

/**
 * Counts a report of a metric. `firstAt` is the earliest time in any report, even if that report arrives later than
 * others.
 */
export const onMetricReported = (state: WorkingSet, change: ChangeOf<"MetricReported">): void => {
  const { at, key, metric, receivedAt } = change
  updateDelivery(state, key, (delivery) => {
    const { count, firstAt } = delivery.metrics.get(metric) ?? { count: 0, firstAt: at }
    const reports = { count: count + 1, firstAt: Math.min(firstAt, at) }
    return { ...delivery, metrics: new Map([...delivery.metrics, [metric, reports]]), updatedAt: receivedAt }
  })
}

const updateDelivery = (state: WorkingSet, key: SubjectKey, f: (delivery: Delivery) => Delivery): void => {
  const delivery = state.subjects.get(key)
  if (delivery?._tag === "Delivery") putSubject(state, f(delivery))
}
