import type { DeliveryRecord } from "@inlethq/core/catalog/Catalog"
import { Channel, DeliveryMetric, type SourceId } from "@inlethq/core/state/Delivery"
import type { Person } from "@inlethq/core/state/Person"
import type { SubjectKey } from "@inlethq/core/values/Identifier"
import type { JsonObject } from "@inlethq/core/values/Json"
import type { Page, PageRequest } from "@inlethq/core/values/Page"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { dayMs, type EpochMillis } from "@inlethq/core/values/Timestamp"
import { Clock, Effect, Option } from "effect"
import { type AppRefused, answerLists, json, list, refuse } from "./AppAnswer.ts"
import { answerMsMax, scanMs, type AppCall, type AppEndpoint } from "./AppCall.ts"
import { nextStart } from "./AppQuery.ts"
import { appTexts } from "./appTexts.ts"
import { identifiersOf, seconds } from "./customerDocuments.ts"
import { tooSlow } from "./findCustomers.ts"
import { personIn } from "./people.ts"

/** The messages on a page if the call gives no limit. */
const messagesUsual = 50

/** The most messages on a page. */
const messagesMax = 1000

/** The longest period of time of which messages are listed, about six months. */
const periodMsMax = 183 * dayMs

/** The deliveries in one read. */
const deliveriesPerRead = 500

const messagesLetter = "d"

/** The names that the hosted service has for channels. */
const typeOf: Readonly<Record<Channel, string>> = {
  email: "email",
  push: "push",
  sms: "twilio",
  in_app: "in_app",
  webhook: "webhook",
  slack: "slack",
  whatsapp: "whatsapp",
}

/** The type of a message whose channel nobody has told. */
const unknownType = "unknown"

export const messageType = (channel: Channel | null): string =>
  channel === null ? unknownType : typeOf[channel]

const types = [...Object.values(typeOf), "sms", "live_notification"]

/** What the hosted service counts of a message. Of some of it no client of Inlet can tell. */
const metrics = [
  ...DeliveryMetric.literals,
  "attempted",
  "sent",
  "unsubscribed",
  "failed",
  "undeliverable",
] as const

const sources = [
  "action_id",
  "parent_action_id",
  "newsletter_id",
  "content_id",
  "campaign_id",
  "broadcast_id",
  "trigger_event_id",
] as const satisfies ReadonlyArray<SourceId>

/** Returns a delivery as a message of the App API. */
const messageDocument = ({ delivery, person }: DeliveryRecord): JsonObject => ({
  id: delivery.deliveryId,
  deduplicate_id: `${delivery.deliveryId}:${seconds(delivery.updatedAt)}`,
  msg_template_id: null,
  customer_id: person?.id ?? null,
  customer_identifiers: person === null ? null : identifiersOf(person),
  recipient: delivery.recipient,
  subject: delivery.subject,
  metrics: Object.fromEntries([...delivery.metrics].map(([name, { firstAt }]) => [name, seconds(firstAt)])),
  created: seconds(delivery.createdAt),
  failure_message: null,
  ...Object.fromEntries(sources.map((name) => [name, delivery.sources.get(name) ?? null])),
  ...transactionalOf(delivery.sources.get("transactional_message_id")),
  type: messageType(delivery.channel),
  // What identified the recipient of a message is erased with them.
  forgotten: delivery.person !== null && person === null,
})

const transactionalOf = (id: string | number | undefined): JsonObject =>
  id === undefined ? {} : { transactional_message_id: id }

/** What a list of messages is asked for. */
interface Wanted {
  readonly from: EpochMillis
  readonly to: EpochMillis
  readonly matches: (record: DeliveryRecord) => boolean
}

/** Reads a page of deliveries, newest first. */
type Deliveries = (
  page: PageRequest<SubjectKey>,
) => Effect.Effect<Page<DeliveryRecord, SubjectKey>, StoreUnavailable>

/**
 * Reads a page of messages, newest first. Deliveries have keys in the order in which they were created, so a cursor survives
 * writes, and the read ends at the beginning of the period.
 */
const readMessages = Effect.fnUntraced(function* (
  { query, turns }: AppCall,
  deliveries: Deliveries,
  { from, matches, to }: Wanted,
): Effect.fn.Return<Page<DeliveryRecord, SubjectKey>, AppRefused | StoreUnavailable> {
  const limit = yield* query.limit(messagesUsual, messagesMax)
  const begun = yield* Clock.currentTimeMillis
  const items: Array<DeliveryRecord> = []
  for (let after = yield* query.startKey(messagesLetter); ;) {
    const page = yield* deliveries({ after, limit: deliveriesPerRead, order: "desc" })
    let isPast = false
    const isFull = yield* turns.work(function* () {
      for (const record of page.items) {
        const { createdAt } = record.delivery
        if (createdAt < from) isPast = true
        if (createdAt >= from && createdAt <= to && matches(record)) {
          if (items.length === limit) return true
          items.push(record)
        }
        yield
      }
      return false
    })
    if (isFull) return { items, next: items.at(-1)?.delivery.key ?? null }
    if (page.next === null || isPast) return { items, next: null }
    after = page.next
    const elapsed = (yield* Clock.currentTimeMillis) - begun
    if (elapsed >= scanMs && items.length > 0) return { items, next: after }
    if (elapsed >= answerMsMax) return yield* tooSlow
  }
})

/** Reads the period of a list: the last six months, or six months before its end. */
const periodOf = Effect.fnUntraced(function* ({ query }: AppCall) {
  const now = yield* Clock.currentTimeMillis
  const end = yield* query.time("end_ts")
  const start = yield* query.time("start_ts")
  const to = end === undefined ? now : end + 999
  return { from: Math.max(start ?? 0, to - periodMsMax), to }
})

const answerMessages = Effect.fnUntraced(function* (call: AppCall, deliveries: Deliveries, wanted: Wanted) {
  const { items, next } = yield* readMessages(call, deliveries, wanted)
  const lists = { messages: list(items, messageDocument) }
  return yield* answerLists(call.turns, lists, { next: nextStart(messagesLetter, next) })
})

/** `GET /v1/messages`: the deliveries of the workspace. */
export const listMessages: AppEndpoint = Effect.fn("app.messages.list")(function* (call) {
  const { catalog, query, workspace } = call
  const type = yield* query.word("type", types)
  const metric = yield* query.word("metric", metrics)
  const ids: Array<readonly [SourceId, string]> = []
  for (const [parameter, source] of [
    ["campaign_id", "campaign_id"],
    ["newsletter_id", "newsletter_id"],
    ["action_id", "action_id"],
    ["content_id", "content_id"],
    ["trigger_id", "trigger_id"],
    ["transactional_id", "transactional_message_id"],
  ] as const) {
    const id = query.text(parameter)
    if (id !== undefined) ids.push([source, id])
  }
  const isDraft = query.isTrue("drafts")
  const matches = ({ delivery }: DeliveryRecord): boolean =>
    !isDraft &&
    (type === undefined || messageType(delivery.channel) === (type === "sms" ? "twilio" : type)) &&
    (metric === undefined || [...delivery.metrics.keys()].some((known) => known === metric)) &&
    ids.every(([source, id]) => String(delivery.sources.get(source) ?? "") === id)
  const deliveries: Deliveries = (page) => catalog.deliveries(workspace.id, page)
  return yield* answerMessages(call, deliveries, { ...(yield* periodOf(call)), matches })
})

/** `GET /v1/messages/{id}`: one delivery. */
export const getMessage: AppEndpoint = Effect.fn("app.messages.get")(function* ({
  catalog,
  parameters,
  workspace,
}) {
  const found = yield* catalog.delivery(workspace.id, parameters[0] ?? "")
  if (Option.isNone(found)) return yield* refuse(404, appTexts.notFound({ thing: "message" }))
  return json({ message: messageDocument(found.value) })
})

/** `GET /v1/customers/{id}/messages`: the deliveries to a person, and to whoever was merged into them. */
export const customerMessages: AppEndpoint = Effect.fn("app.customers.messages")(function* (call) {
  const { person } = yield* personIn(call)
  const matches = (record: DeliveryRecord): boolean => record.person?.key === person.key
  return yield* answerMessages(call, deliveriesTo(call, person), { ...(yield* periodOf(call)), matches })
})

/** Reads the deliveries that were registered with any of the keys of a person, newest first. */
const deliveriesTo =
  ({ catalog, workspace }: AppCall, { attached, key }: Person): Deliveries =>
  (page) =>
    Effect.map(
      Effect.forEach([key, ...attached.map((one) => one.key)], (recipient) =>
        catalog.deliveriesTo(workspace.id, recipient, page),
      ),
      (pages) => {
        const known = new Map<SubjectKey, DeliveryRecord>()
        for (const { items } of pages) for (const record of items) known.set(record.delivery.key, record)
        // What follows a page that is not the last of its key may come before the items of other keys.
        const reached = Math.max(0, ...pages.flatMap(({ next }) => next ?? []))
        const items = [...known.values()]
          .filter(({ delivery }) => delivery.key >= reached)
          .toSorted((a, b) => b.delivery.key - a.delivery.key)
        return {
          items,
          next: pages.some(({ next }) => next !== null) ? (items.at(-1)?.delivery.key ?? null) : null,
        }
      },
    )
