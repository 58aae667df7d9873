import { assert, describe, it } from "@effect/vitest"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import * as Memory from "@inlethq/storage-memory/Memory"
import * as MemoryLogCursors from "@inlethq/storage-memory/logCursors"
import * as MemoryWebhooks from "@inlethq/storage-memory/webhooks"
import { Registry } from "@inlethq/core/ports/Registry"
import { WebhookStore } from "@inlethq/core/ports/WebhookStore"
import type { Attempt } from "@inlethq/core/webhook/Attempt"
import { EventPosition } from "@inlethq/core/webhook/EventPosition"
import { defaultSettings } from "@inlethq/core/workspace/Workspace"
import { byId, identify, noon, workspaceOf } from "@inlethq/store-conformance/script/commands"
import { plainDigest } from "@inlethq/store-conformance/script/digest"
import { webhookOf } from "@inlethq/store-conformance/tables/webhookLaws"
import { Clock, Deferred, Effect, Layer, Metric } from "effect"
import { TestClock } from "effect/testing"
import { ConnectionPools } from "../../src/sending/ConnectionPools.ts"
import { secretOwner } from "../../src/webhooks/deliver.ts"
import { RecordWriter } from "../../src/sending/RecordWriter.ts"
import { SecretBox } from "../../src/SecretBox.ts"
import { Sender, type OutgoingRequest } from "../../src/sending/Sender.ts"
import { MayDeliver } from "../../src/MayDeliver.ts"
import { Webhooks } from "../../src/webhooks/Webhooks.ts"

/** Runs webhooks on stores in memory, with metrics of their own, and with a function in place of the network. */
const webhooksWith = (
  send: Sender["Service"]["send"],
  mayDeliver: Effect.Effect<boolean> = Effect.succeed(true),
  pools = ConnectionPools.layer,
  webhookStore = MemoryWebhooks.layer,
) =>
  Webhooks.layer.pipe(
    Layer.provide([
      RecordWriter.layer,
      pools,
      Layer.succeed(Sender, { send, refusalOf: () => Effect.succeed(null) }),
    ]),
    Layer.provideMerge(SecretBox.layer),
    Layer.provideMerge(Ingest.layer),
    Layer.provideMerge(Layer.mergeAll(Memory.layer, MemoryLogCursors.layer, webhookStore)),
    Layer.provide(plainDigest),
    Layer.provide(Layer.succeed(MayDeliver, mayDeliver)),
    Layer.provideMerge(Layer.succeed(Metric.MetricRegistry, new Map())),
  )

const accepted = { failure: null, status: 200, excerpt: null, retryAfterMs: null }

describe("the webhooks of several nodes", () => {
  it.live("a node delivers webhooks only while it holds the lease", () =>
    Effect.gen(function* () {
      let holdsLease = false
      const sent = yield* Deferred.make<boolean>()
      const layer = webhooksWith(
        () => Effect.as(Deferred.succeed(sent, holdsLease), accepted),
        Effect.sync(() => holdsLease),
      )
      yield* Effect.gen(function* () {
        const webhooks = yield* Webhooks
        const registry = yield* Registry
        const box = yield* SecretBox
        const workspace = yield* registry.createWorkspace(defaultSettings("One", "us"))
        const plain = webhookOf("one", { workspace: workspace.id, kind: "activity" })
        const sealedSecret = yield* box.seal("whsec_AAAA", secretOwner(plain))
        const store = yield* WebhookStore
        yield* store.create({ ...plain, sealedSecret }, EventPosition.make(0))
        yield* webhooks.changed(plain)
        const receivedAt = yield* Clock.currentTimeMillis
        const command = identify(byId("ada"), [["plan", "pro"]], { in: workspace, receivedAt })
        yield* Ingest.use((ingest) => ingest.submit([command], 100))
        holdsLease = true
        yield* webhooks.changed(plain)
        assert.isTrue(yield* Deferred.await(sent))
      }).pipe(Effect.provide(layer))
    }),
  )
})

/**
 * The number of webhooks with a hanging receiver. Webhooks with a failed last attempt share a limit on attempts in
 * progress. This number is above that limit.
 */
const hanging = 300

const attempt: Attempt = {
  position: EventPosition.make(4),
  eventId: "event",
  operationId: "op0000000001",
  number: 1,
  at: noon,
  status: "delivered",
  responseStatus: 200,
  durationMs: 12,
  responseExcerpt: null,
  nextAt: null,
}

describe("the webhooks of a server that starts again", () => {
  it.live(
    "after a restart, receivers that never answer do not delay a webhook if its last attempt delivered an event",
    () =>
      Effect.gen(function* () {
        let isStarted = false
        const delivered = yield* Deferred.make<void>()
        const send = ({ url }: OutgoingRequest) =>
          url.hostname === "up.example"
            ? Effect.as(Deferred.succeed(delivered, undefined), accepted)
            : Effect.never
        yield* Effect.gen(function* () {
          const webhooks = yield* Webhooks
          const registry = yield* Registry
          const box = yield* SecretBox
          const store = yield* WebhookStore
          const ingest = yield* Ingest
          const workspace = yield* registry.createWorkspace(defaultSettings("One", "us"))
          const create = Effect.fnUntraced(function* (name: string, url: string) {
            const plain = webhookOf(name, { workspace: workspace.id, kind: "activity", url })
            const sealedSecret = yield* box.seal("whsec_AAAA", secretOwner(plain))
            yield* store.create({ ...plain, sealedSecret }, EventPosition.make(0))
            return plain
          })
          const down = yield* Effect.forEach(Array.from({ length: hanging }), (_, n) =>
            create(`down-${n}`, "https://down.example/"),
          )
          const up = yield* create("up", "https://up.example/")
          const progress = { position: EventPosition.make(0), ahead: [] }
          yield* store.record([
            ...down.map((one) => ({
              ...one,
              progress,
              held: null,
              attempt: { ...attempt, status: "retrying" as const },
            })),
            { ...up, progress, held: null, attempt },
          ])
          const receivedAt = yield* Clock.currentTimeMillis
          yield* ingest.submit([identify(byId("ada"), [["plan", "pro"]], { in: workspace, receivedAt })], 100)
          isStarted = true
          for (const one of [...down, up]) yield* webhooks.changed(one)
          yield* Deferred.await(delivered)
        }).pipe(
          Effect.provide(
            webhooksWith(
              send,
              Effect.sync(() => isStarted),
            ),
          ),
        )
      }),
  )
})

/** Creates a workspace with one webhook and one event for it. */
const oneWebhook = Effect.gen(function* () {
  const registry = yield* Registry
  const box = yield* SecretBox
  const store = yield* WebhookStore
  const workspace = yield* registry.createWorkspace(defaultSettings("One", "us"))
  const plain = webhookOf("one", { workspace: workspace.id, kind: "activity", url: "https://old.example/" })
  const webhook = { ...plain, sealedSecret: yield* box.seal("whsec_AAAA", secretOwner(plain)) }
  yield* store.create(webhook, EventPosition.make(0))
  const receivedAt = yield* Clock.currentTimeMillis
  const command = identify(byId("ada"), [["plan", "pro"]], { in: workspace, receivedAt })
  yield* Ingest.use((ingest) => ingest.submit([command], 100))
  return webhook
})

describe("a webhook that another node removes", () => {
  it.effect("receives nothing more once the list of webhooks was read again", () =>
    Effect.gen(function* () {
      const sent: Array<string> = []
      const send = ({ url }: OutgoingRequest) =>
        Effect.sync(() => {
          sent.push(url.hostname)
          return accepted
        })
      yield* Effect.gen(function* () {
        const store = yield* WebhookStore
        const webhook = yield* oneWebhook
        yield* Webhooks.use((webhooks) => webhooks.changed(webhook))
        yield* Effect.repeat(TestClock.adjust("1 second"), { until: () => sent.length === 1 })
        // The other node tells this node nothing.
        yield* store.remove(webhook)
        yield* TestClock.adjust("6 seconds")
        const receivedAt = yield* Clock.currentTimeMillis
        const again = identify(byId("bob"), [], { in: workspaceOf(webhook.workspace), receivedAt })
        yield* Ingest.use((ingest) => ingest.submit([again], 100))
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual(sent, ["old.example"])
      }).pipe(Effect.provide(webhooksWith(send)))
    }),
  )
})

describe("an attempt that waits for its turn", () => {
  it.live(
    "a waiting attempt is not sent if its webhook changes first, and its event is sent with the changed settings",
    () =>
      Effect.gen(function* () {
        const waits = yield* Deferred.make<void>()
        const turn = yield* Deferred.make<void>()
        const sentTo = yield* Deferred.make<string>()
        const pools = Layer.succeed(ConnectionPools, {
          use: (_isUnproven, attempt) =>
            Effect.andThen(Effect.andThen(Deferred.succeed(waits, undefined), Deferred.await(turn)), attempt),
        })
        const send = ({ url }: OutgoingRequest) => Effect.as(Deferred.succeed(sentTo, url.hostname), accepted)
        yield* Effect.gen(function* () {
          const webhook = yield* oneWebhook
          const webhooks = yield* Webhooks
          yield* webhooks.changed(webhook)
          yield* Deferred.await(waits)
          const changed = { ...webhook, url: "https://new.example/", updatedAt: webhook.updatedAt + 1 }
          yield* WebhookStore.use((store) => store.update(webhook, changed))
          yield* webhooks.changed(webhook)
          yield* Deferred.succeed(turn, undefined)
          assert.strictEqual(yield* Deferred.await(sentTo), "new.example")
        }).pipe(Effect.provide(webhooksWith(send, Effect.succeed(true), pools)))
      }),
  )
})

const lagEntries = Effect.map(
  Metric.snapshot,
  (metrics) => metrics.find(({ id, type }) => id === "inlet_webhook_lag_entries" && type === "Gauge")?.state,
)

/** Moves the time forward second by second until the lag of the only webhook is `entries`. */
const untilLag = (entries: number) =>
  Effect.repeat(Effect.andThen(TestClock.adjust("1 second"), lagEntries), {
    until: (state) => state !== undefined && "value" in state && state.value === entries,
    times: 60,
  })

describe("the lag of a webhook", () => {
  it.effect("is zero in the metrics and gone from the status after the webhook was disabled", () =>
    Effect.gen(function* () {
      const webhook = yield* oneWebhook
      const webhooks = yield* Webhooks
      yield* webhooks.changed(webhook)
      assert.propertyVal(yield* untilLag(1), "value", 1)
      const [lag] = (yield* webhooks.status).feeds
      assert.include(lag, { workspace: webhook.workspace, id: webhook.webhookId, lagEntries: 1 })
      yield* WebhookStore.use((store) =>
        store.update(webhook, { ...webhook, enabled: false, updatedAt: webhook.updatedAt + 1 }),
      )
      yield* webhooks.changed(webhook)
      assert.propertyVal(yield* untilLag(0), "value", 0)
      assert.deepStrictEqual((yield* webhooks.status).feeds, [])
    }).pipe(
      Effect.provide(webhooksWith(() => Effect.succeed({ ...accepted, failure: { kind: "connection" } }))),
    ),
  )
})

/** A store that takes longer to load a webhook than the pause between two reads of the list of webhooks. */
const slowStore = Layer.effect(
  WebhookStore,
  Effect.map(WebhookStore, (store) =>
    WebhookStore.of({
      ...store,
      progress: (key) => Effect.andThen(Effect.sleep("7 seconds"), store.progress(key)),
    }),
  ),
).pipe(Layer.provide(MemoryWebhooks.layer))

describe("a webhook that loads slowly", () => {
  it.effect(
    "a webhook that loads slowly starts even if the list of webhooks is read again while this webhook loads",
    () =>
      Effect.gen(function* () {
        const sent = yield* Deferred.make<void>()
        const send = () => Effect.as(Deferred.succeed(sent, undefined), accepted)
        yield* Effect.gen(function* () {
          yield* oneWebhook
          for (let second = 0; second < 60 && !(yield* Deferred.isDone(sent)); second++) {
            yield* TestClock.adjust("1 second")
          }
          assert.isTrue(yield* Deferred.isDone(sent))
        }).pipe(Effect.provide(webhooksWith(send, Effect.succeed(true), ConnectionPools.layer, slowStore)))
      }),
  )
})

describe("a webhook with an attempt that ends in a defect", () => {
  it.effect("a webhook starts again after a defect and sends the event", () =>
    Effect.gen(function* () {
      const sent = yield* Deferred.make<void>()
      let attempts = 0
      const send = () =>
        Effect.suspend(() =>
          ++attempts === 1 ? Effect.die("a bug") : Effect.as(Deferred.succeed(sent, undefined), accepted),
        )
      yield* Effect.gen(function* () {
        const webhook = yield* oneWebhook
        yield* Webhooks.use((webhooks) => webhooks.changed(webhook))
        for (let second = 0; second < 60 && !(yield* Deferred.isDone(sent)); second++) {
          yield* TestClock.adjust("1 second")
        }
        assert.deepStrictEqual([attempts, yield* Deferred.isDone(sent)], [2, true])
      }).pipe(Effect.provide(webhooksWith(send)), Effect.provideService(Metric.MetricRegistry, new Map()))
    }),
  )
})
