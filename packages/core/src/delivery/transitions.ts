import { assign, personBounds, unsubscribedName } from "../state/Attributes.ts"
import type { RegisterDelivery, ReportMetric, UnsubscribeByDelivery } from "./commands.ts"
import { withoutErasedAddress } from "../decision/erasure.ts"
import { deliveryText, type SubjectKey } from "../values/Identifier.ts"
import type { Person } from "../state/Person.ts"
import { resolve } from "../decision/resolve.ts"
import { dropped, effective, rejected, type Verdict } from "../decision/Verdict.ts"
import { DecisionDraft } from "../decision/DecisionDraft.ts"
import { found, personBehind, type WorkingSet } from "../WorkingSet.ts"
import { recipientsOf, registrationsMax, type Delivery } from "../state/Delivery.ts"
import { metricEvent, metricEventName } from "./metricEvent.ts"
import { decisionFaults, dropReasons } from "../log/faults.ts"

/** Takes a report about a message; the delivery is known from then on (contract §11). */
export const report = (seen: WorkingSet, command: ReportMetric): Verdict => {
  const delivery = deliveryOf(seen, command)
  const draft = new DecisionDraft(seen, command.faults)
  const key = seeDelivery(command, delivery, draft)
  const { at, metric, receivedAt } = command
  draft.changes.push({ _tag: "MetricReported", key, metric, at, receivedAt })
  const person = recipientOf(seen, delivery)
  const event = metricEventName(delivery?.channel ?? null, metric)
  return effective("applied", draft.faults, {
    rule: "track-api §2.6",
    subject: person?.key ?? key,
    name: event,
    data: metricEvent(isGone(delivery, person) ? anonymised(command) : command, {
      event,
      delivery,
      person,
      sequence: seen.nextSequence,
    }),
    changes: draft.changes,
  })
}

/** Whether a message went to somebody who was deleted since: nothing may say any more who that was. */
const isGone = (delivery: Delivery | null, person: Person | null): boolean =>
  delivery !== null && delivery.person !== null && person === null

const anonymised = (command: ReportMetric): ReportMetric => ({
  ...command,
  recipient: null,
  reason: null,
  href: null,
  deviceToken: null,
  actionName: null,
  actionValue: null,
})

/** Sets `unsubscribed` of the person whom a message went to; subscription preferences stay (track-api §3, contract §11). */
export const unsubscribe = (seen: WorkingSet, command: UnsubscribeByDelivery): Verdict => {
  const rule = "track-api §3 exists unsubscribe"
  const delivery = deliveryOf(seen, command)
  if (delivery === null) return dropped(dropReasons.unknownDelivery(), "contract §11 unknown deliveries")
  const person = recipientOf(seen, delivery)
  if (person === null) return dropped(dropReasons.noRecipient(), rule)
  const draft = new DecisionDraft(seen, command.faults)
  const { key } = person
  const { receivedAt, workspace } = command
  // Nothing that was said before takes back what somebody asks for now, however their client's clock went.
  const at = Math.max(command.at, person.attributes.get(unsubscribedName)?.at ?? command.at)
  const assignments = [{ name: unsubscribedName, value: command.unsubscribe }]
  const entries = assign(person.attributes, assignments, at, personBounds(workspace.limits), draft)
  if (entries.size > 0) draft.changes.push({ _tag: "AttributesAssigned", key, entries, at: receivedAt })
  const event = "Email Unsubscribed"
  return effective("applied", draft.faults, {
    rule,
    subject: key,
    name: command.unsubscribe ? event : null,
    data: command.unsubscribe
      ? metricEvent(command, { event, delivery, person, sequence: seen.nextSequence })
      : { delivery_id: command.deliveryId, unsubscribe: false },
    changes: draft.changes,
    fields: draft.fields,
  })
}

/** Registers what a delivery is and which person it went to, who must exist (contract §11, §16). */
export const register = (seen: WorkingSet, command: RegisterDelivery): Verdict => {
  const target = command.person === null ? null : resolve(seen, command.workspace.id, command.person)
  if (target !== null && target._tag !== "Somebody") {
    return dropped(dropReasons.deliveryOfNobody(), "contract §16 delivery of an unknown person")
  }
  const delivery = deliveryOf(seen, command)
  const draft = new DecisionDraft(seen, command.faults)
  const key = seeDelivery(command, delivery, draft)
  const { channel, receivedAt: at, recipient, sources, subject } = command
  const person = target === null ? null : target.person.key
  if (delivery !== null && person !== null && !mayGoTo(delivery, person)) {
    return rejected(
      [decisionFaults.tooManyRegistrations("person", { max: registrationsMax })],
      "contract §11 known deliveries",
    )
  }
  draft.changes.push({ _tag: "DeliveryRegistered", key, channel, person, recipient, subject, sources, at })
  return effective(delivery === null ? "created" : "applied", draft.faults, {
    rule: "contract §11 known deliveries",
    subject: key,
    data: { delivery_id: command.deliveryId, channel },
    changes: draft.changes,
  })
}

const mayGoTo = (delivery: Delivery, person: SubjectKey): boolean => {
  const before = recipientsOf(delivery)
  return before.length < registrationsMax || before.includes(person)
}

const deliveryOf = (
  seen: WorkingSet,
  { deliveryId, workspace }: Pick<ReportMetric, "deliveryId" | "workspace">,
): Delivery | null => {
  const subject = found(seen, deliveryText(workspace.id, deliveryId))
  return subject?._tag === "Delivery" ? withoutErasedAddress(seen, subject) : null
}

const seeDelivery = (
  { deliveryId, receivedAt: at, workspace }: ReportMetric | RegisterDelivery,
  delivery: Delivery | null,
  draft: DecisionDraft,
): SubjectKey => {
  if (delivery !== null) return delivery.key
  const key = draft.newKey()
  draft.changes.push({ _tag: "DeliverySeen", key, workspace: workspace.id, deliveryId, at })
  return key
}

/** The person whom a delivery went to, as they are now; null where they are gone or were never known. */
const recipientOf = (seen: WorkingSet, delivery: Delivery | null): Person | null =>
  delivery === null ? null : personBehind(seen.subjects, delivery)
