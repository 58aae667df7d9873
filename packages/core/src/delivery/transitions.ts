import { assignAttributes } from "../attributes/assignAttributes.ts"
import { personBounds } from "../attributes/attributeBounds.ts"
import { unsubscribedName } from "../state/Attributes.ts"
import type { RegisterDelivery, ReportMetric, UnsubscribeByDelivery } from "./commands.ts"
import { withoutErasedAddress } from "../decision/erasure.ts"
import { deliveryText, type SubjectKey } from "../values/Identifier.ts"
import type { Person } from "../state/Person.ts"
import { resolvePerson } from "../decision/resolvePerson.ts"
import { dropped, accepted, rejected, type Verdict } from "../decision/Verdict.ts"
import { DecisionDraft } from "../decision/DecisionDraft.ts"
import { subjectByText, currentPersonOf, type WorkingSet } from "../fold/WorkingSet.ts"
import { recipientsOf, registrationsMax, type Delivery } from "../state/Delivery.ts"
import { firstReportPath, metricEvent } from "./metricEvent.ts"
import { metricEventName } from "../state/metricEventNames.ts"
import { decisionTexts, dropTexts } from "../log/operationTexts.ts"
import { toIso } from "../values/Timestamp.ts"

/** Records a metric of a message, and creates the delivery if it is unknown (contract §11). */
export const reportMetric = (state: WorkingSet, command: ReportMetric): Verdict => {
  const delivery = findDelivery(state, command)
  const draft = new DecisionDraft(state, command.faults)
  const key = ensureDelivery(command, delivery, draft)
  const { at, metric, receivedAt } = command
  draft.changes.push({ _tag: "MetricReported", key, metric, at, receivedAt })
  const firstAt = delivery?.metrics.get(metric)?.firstAt
  if (firstAt === undefined || at < firstAt) {
    const from = firstAt === undefined ? null : toIso(firstAt)
    draft.fields.push({ path: firstReportPath(command.deliveryId, metric), from, to: toIso(at) })
  }
  const person = recipientOf(state, delivery)
  const event = metricEventName(delivery?.channel ?? null, metric)
  return accepted("applied", draft.faults, {
    rule: "track-api §2.6",
    subject: person?.key ?? key,
    name: event,
    data: metricEvent(isGone(delivery, person) ? anonymised(command) : command, {
      event,
      delivery,
      person,
      sequence: state.nextSequence,
    }),
    changes: draft.changes,
    fields: draft.fields,
  })
}

/** Returns whether the recipient was deleted. If so, the entry must not identify the recipient. */
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

/**
 * Sets the `unsubscribed` attribute of the recipient of a message. Subscription preferences do not change (track-api
 * §3, contract §11).
 */
export const unsubscribeByDelivery = (state: WorkingSet, command: UnsubscribeByDelivery): Verdict => {
  const rule = "track-api §3 exists unsubscribe"
  const delivery = findDelivery(state, command)
  if (delivery === null) return dropped(dropTexts.unknownDelivery(), "contract §11 unknown deliveries")
  const person = recipientOf(state, delivery)
  if (person === null) return dropped(dropTexts.noRecipient(), rule)
  const draft = new DecisionDraft(state, command.faults)
  const { key } = person
  const { receivedAt, workspace } = command
  // An unsubscribe must win over earlier updates, even if a client's clock was ahead.
  const setAt = person.attributes.get(unsubscribedName)?.at ?? command.at
  const times = { at: Math.max(command.at, Math.min(setAt, receivedAt)), receivedAt }
  const assignments = [{ name: unsubscribedName, value: command.unsubscribe }]
  const entries = assignAttributes(
    person.attributes,
    assignments,
    times,
    personBounds(workspace.limits),
    draft,
  )
  if (entries.size > 0) draft.changes.push({ _tag: "AttributesAssigned", key, entries, at: receivedAt })
  const event = "Email Unsubscribed"
  return accepted("applied", draft.faults, {
    rule,
    subject: key,
    name: command.unsubscribe ? event : null,
    data: command.unsubscribe
      ? metricEvent(command, { event, delivery, person, sequence: state.nextSequence })
      : { delivery_id: command.deliveryId, unsubscribe: false },
    changes: draft.changes,
    fields: draft.fields,
  })
}

/** Registers a delivery. Its recipient must exist (contract §11). */
export const registerDelivery = (state: WorkingSet, command: RegisterDelivery): Verdict => {
  const target = command.person === null ? null : resolvePerson(state, command.person)
  if (target !== null && target._tag !== "KnownPerson") {
    return dropped(dropTexts.unknownRecipient(), "contract §11 delivery of an unknown person")
  }
  const delivery = findDelivery(state, command)
  const draft = new DecisionDraft(state, command.faults)
  const key = ensureDelivery(command, delivery, draft)
  const { channel, receivedAt: at, recipient, sources, subject } = command
  const person = target === null ? null : target.person.key
  if (delivery !== null && person !== null && !canRegister(delivery, person)) {
    return rejected(
      [decisionTexts.tooManyRegistrations("person", { max: registrationsMax })],
      "contract §11 known deliveries",
    )
  }
  draft.changes.push({ _tag: "DeliveryRegistered", key, channel, person, recipient, subject, sources, at })
  return accepted(delivery === null ? "created" : "applied", draft.faults, {
    rule: "contract §11 known deliveries",
    subject: key,
    data: { delivery_id: command.deliveryId, channel },
    changes: draft.changes,
  })
}

const canRegister = (delivery: Delivery, person: SubjectKey): boolean => {
  const before = recipientsOf(delivery)
  return before.length < registrationsMax || before.includes(person)
}

const findDelivery = (
  state: WorkingSet,
  { deliveryId }: Pick<ReportMetric, "deliveryId">,
): Delivery | null => {
  const subject = subjectByText(state, deliveryText(deliveryId))
  return subject?._tag === "Delivery" ? withoutErasedAddress(state, subject) : null
}

const ensureDelivery = (
  { deliveryId, receivedAt: at }: ReportMetric | RegisterDelivery,
  delivery: Delivery | null,
  draft: DecisionDraft,
): SubjectKey => {
  if (delivery !== null) return delivery.key
  const key = draft.newKey()
  draft.changes.push({ _tag: "DeliverySeen", key, deliveryId, at })
  return key
}

/** Returns the recipient of a delivery, following merges, or null if the recipient was deleted or is unknown. */
const recipientOf = (state: WorkingSet, delivery: Delivery | null): Person | null =>
  delivery === null ? null : currentPersonOf(state.subjects, delivery)
