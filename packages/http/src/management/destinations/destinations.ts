import { ManagementApi } from "@inlethq/contract/ManagementApi"
import type { DestinationPlace } from "@inlethq/contract/values/Cursor"
import { pageRequest } from "@inlethq/contract/values/Page"
import type { DestinationDocument } from "@inlethq/contract/webhooks/Destinations"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { deliveryKey } from "@inlethq/core/forward/Forward"
import { ForwardStore } from "@inlethq/core/ports/ForwardStore"
import { lakeCursor } from "@inlethq/core/ports/LakeFiles"
import { kafkaCursor } from "@inlethq/core/ports/LogCursors"
import { Registry } from "@inlethq/core/ports/Registry"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { WebhookStore } from "@inlethq/core/ports/WebhookStore"
import type { Sequence, WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { newestSequence } from "@inlethq/log/reading/newestSequence"
import type { FeedStatus } from "@inlethq/outbound/follower/follow"
import { KafkaFeeds } from "@inlethq/outbound/KafkaFeeds"
import { LakeFeeds } from "@inlethq/outbound/lake/LakeFeeds"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { orUnavailable } from "../../problems/problems.ts"
import { listPage } from "../answers/listPage.ts"
import { workspaceAt } from "../answers/lookup.ts"
import { shownTo } from "../webhooks/shownUrl.ts"
import { makeDestinationState, type ReadState } from "./destinationState.ts"

/** The most destinations whose state is read at the same time. */
const readAtOnceMax = 8

/** The kinds in the order of the list, the last one first. */
const kinds = ["lake", "kafka", "webhook", "forward"] as const

/** A destination: what is known of it, and how its state is read. */
interface Listed {
  readonly place: DestinationPlace
  readonly facts: Omit<DestinationDocument, keyof ReadState>
  readonly read: (newest: Sequence | null) => Effect.Effect<ReadState, StoreUnavailable>
}

const placeOf = (kind: (typeof kinds)[number], createdAt = 0, id = ""): DestinationPlace => ({
  rank: kinds.indexOf(kind),
  createdAt,
  id,
})

export const destinationHandlers = HttpApiBuilder.group(
  ManagementApi,
  "destinations",
  Effect.fnUntraced(function* (handlers) {
    const registry = yield* Registry
    const catalog = yield* Catalog
    const deliveries = yield* makeDeliveries
    const copies = yield* makeCopies

    return handlers.handleAll({
      list: Effect.fn("management.destinations.list")(function* ({ params, query }) {
        const workspace = yield* workspaceAt(registry, params.w)
        const all = [...copies(workspace), ...(yield* deliveries(workspace.id))]
        const sorted = all.toSorted((a, b) => (isBefore(a.place, b.place) ? -1 : 1))
        const page = listPage(sorted, ({ place }) => place, isBefore, pageRequest(query))
        const newest = page.items.length === 0 ? null : yield* newestSequence(catalog, workspace.id)
        const items = yield* Effect.forEach(
          page.items,
          ({ facts, read }) => Effect.map(read(newest), (state) => ({ ...facts, ...state })),
          { concurrency: readAtOnceMax },
        )
        return { items, next: page.next }
      }, orUnavailable),
    })
  }),
)

/** Makes the function that lists the webhooks and the forwards of a workspace. */
const makeDeliveries = Effect.gen(function* () {
  const webhooks = yield* WebhookStore
  const forwards = yield* ForwardStore
  const { ofDeliveries } = yield* makeDestinationState
  return Effect.fnUntraced(function* (workspace: WorkspaceId) {
    const shown = yield* Effect.forEach(yield* webhooks.webhooks(workspace), shownTo)
    return [
      ...shown.map((webhook): Listed => ({
        place: placeOf("webhook", webhook.createdAt, webhook.webhookId),
        facts: {
          kind: "webhook",
          destination_id: webhook.webhookId,
          name: webhook.name,
          url: webhook.url,
          enabled: webhook.enabled,
        },
        read: (newest) => ofDeliveries("webhook", webhook, newest),
      })),
      ...(yield* forwards.forwards(workspace)).map((forward): Listed => ({
        place: placeOf("forward", forward.createdAt, forward.forwardId),
        facts: {
          kind: "forward",
          destination_id: forward.forwardId,
          name: forward.name,
          url: forward.url,
          enabled: forward.enabled,
        },
        read: (newest) => ofDeliveries("forward", deliveryKey(forward), newest),
      })),
    ]
  })
})

/** Makes the function that lists the copies of a whole log: the one in Kafka, and the lake. */
const makeCopies = Effect.gen(function* () {
  const kafkaFeeds = yield* KafkaFeeds
  const lakeFeeds = yield* LakeFeeds
  const { ofCopy } = yield* makeDestinationState
  return ({ id, kafka, lake }: Workspace): ReadonlyArray<Listed> => {
    const copies: Array<Listed> = []
    if (lake !== null) {
      copies.push({
        place: placeOf("lake"),
        facts: { kind: "lake", destination_id: null, name: lake.target, url: lake.url, enabled: true },
        read: (newest) => ofCopy("lake", lakeCursor(id), failureOf(lakeFeeds.status(id)), newest),
      })
    }
    if (kafka !== null) {
      copies.push({
        place: placeOf("kafka"),
        facts: { kind: "kafka", destination_id: null, name: kafka.topic, url: null, enabled: true },
        read: (newest) => ofCopy("kafka", kafkaCursor(id), kafkaFailure(kafkaFeeds, id), newest),
      })
    }
    return copies
  }
})

const failureOf = Effect.map((feed: FeedStatus | null) => feed?.failure ?? null)

const kafkaFailure = Effect.fnUntraced(function* (feeds: KafkaFeeds["Service"], workspace: WorkspaceId) {
  if ((yield* feeds.status) === null) return "INLET_KAFKA is not set on this server, so it copies nothing."
  return yield* failureOf(feeds.feed(workspace))
})

const isBefore = (a: DestinationPlace, b: DestinationPlace): boolean => {
  if (a.rank !== b.rank) return a.rank < b.rank
  return a.createdAt === b.createdAt ? a.id < b.id : a.createdAt < b.createdAt
}
