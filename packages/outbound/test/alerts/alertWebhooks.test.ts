import { assert, describe, it } from "@effect/vitest"
import type { NewAlert } from "@inlethq/core/alert/Alert"
import { noThreadCatalog, ThreadCatalog } from "@inlethq/core/catalog/ThreadCatalog"
import { Alerts } from "@inlethq/core/ports/Alerts"
import { Registry } from "@inlethq/core/ports/Registry"
import { WebhookStore } from "@inlethq/core/ports/WebhookStore"
import { Sequence } from "@inlethq/core/values/Identifier"
import { endOfEntry } from "@inlethq/core/webhook/EventPosition"
import { defaultSettings, type Workspace } from "@inlethq/core/workspace/Workspace"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import { TrustedTime } from "@inlethq/engine/time/TrustedTime"
import * as MemoryLogCursors from "@inlethq/storage-memory/logCursors"
import * as Memory from "@inlethq/storage-memory/Memory"
import * as MemoryWebhooks from "@inlethq/storage-memory/webhooks"
import { byId, event, noon } from "@inlethq/store-conformance/script/commands"
import { plainDigest } from "@inlethq/store-conformance/script/digest"
import { webhookOf } from "@inlethq/store-conformance/tables/webhookLaws"
import { Effect, Layer, Metric, Queue, Schedule, Schema } from "effect"
import { MayDeliver } from "../../src/MayDeliver.ts"
import { SecretBox } from "../../src/SecretBox.ts"
import { ConnectionPools } from "../../src/sending/ConnectionPools.ts"
import { RecordWriter } from "../../src/sending/RecordWriter.ts"
import { Sender } from "../../src/sending/Sender.ts"
import { secretOwner } from "../../src/webhooks/deliver.ts"
import { Webhooks } from "../../src/webhooks/Webhooks.ts"

const stores = Ingest.layer.pipe(
  Layer.provideMerge(SecretBox.layer),
  Layer.provideMerge(Layer.mergeAll(Memory.layer, MemoryLogCursors.layer, MemoryWebhooks.layer)),
  Layer.provide(plainDigest),
  Layer.provideMerge(
    Layer.mergeAll(
      Layer.succeed(MayDeliver, Effect.succeed(true)),
      Layer.succeed(ThreadCatalog, noThreadCatalog),
      Layer.succeed(Metric.MetricRegistry, new Map()),
      Layer.succeed(TrustedTime, Effect.succeed(noon + 10)),
    ),
  ),
)

const serverWith = (send: Sender["Service"]["send"]) =>
  Webhooks.layer.pipe(
    Layer.provide([
      RecordWriter.layer,
      ConnectionPools.layer,
      Layer.succeed(Sender, { send, refusalOf: () => Effect.succeed(null) }),
    ]),
  )

const accepted = { failure: null, status: 200, excerpt: null, retryAfterMs: null }

const Sent = Schema.Struct({ alert_id: Schema.String, state: Schema.String })
const readSent = Schema.decodeUnknownSync(Schema.fromJsonString(Sent))

const alertOf = ({ id }: Workspace, alertId: string, beganAt: number): NewAlert => ({
  workspace: id,
  alertId,
  condition: "lag",
  subject: alertId,
  summary: "It is behind.",
  operationId: null,
  beganAt,
})

const create = Effect.fnUntraced(function* ({ id }: Workspace) {
  const plain = webhookOf("one", { workspace: id, kind: "alerts", createdAt: noon })
  const sealedSecret = yield* SecretBox.use((box) => box.seal("whsec_AAAA", secretOwner(plain)))
  yield* WebhookStore.use((store) => store.create({ ...plain, sealedSecret }, endOfEntry(null)))
})

const newest = { limit: 10, after: null, order: "desc" } as const

/** Waits until this many attempts are recorded, so that a restart does not send their events again. */
const recorded = ({ id }: Workspace, count: number) =>
  WebhookStore.use((store) =>
    Effect.repeat(store.attempts({ workspace: id, webhookId: "one" }, null, newest), {
      until: ({ items }) => items.length >= count,
      schedule: Schedule.spaced("10 millis"),
    }),
  )

describe("a webhook of kind alerts", () => {
  it.live(
    "tells once that an alert began and once that it ended, over restarts and while the log grows",
    () =>
      Effect.gen(function* () {
        const told = yield* Queue.unbounded<string>()
        const send: Sender["Service"]["send"] = ({ body }) => {
          const { alert_id, state } = readSent(body)
          return Effect.as(Queue.offer(told, `${alert_id} ${state}`), accepted)
        }
        const running = <A, E, R>(work: Effect.Effect<A, E, R>) =>
          Effect.scoped(
            Effect.flatMap(Layer.build(Layer.fresh(serverWith(send))), (server) =>
              Effect.provideContext(work, server),
            ),
          )
        const workspace = yield* Registry.use((registry) =>
          registry.createWorkspace(defaultSettings("One", "us")),
        )
        const alerts = yield* Alerts
        yield* alerts.begin(alertOf(workspace, "before", noon - 1), null)
        yield* create(workspace)
        yield* running(
          Effect.gen(function* () {
            yield* alerts.begin(alertOf(workspace, "a", noon + 1), null)
            assert.strictEqual(yield* Queue.take(told), "a began")
            const records = [1, 2, 3].map((n) =>
              event(byId("ada"), `n${n}`, { in: workspace, receivedAt: noon + 1 }),
            )
            yield* Ingest.use((ingest) => ingest.submit(records, 100))
            yield* alerts.end(alertOf(workspace, "before", noon), noon + 2, Sequence.make(3))
            yield* alerts.begin(alertOf(workspace, "b", noon + 2), Sequence.make(3))
            yield* alerts.end(alertOf(workspace, "a", noon), noon + 2, Sequence.make(3))
            assert.deepStrictEqual([yield* Queue.take(told), yield* Queue.take(told)], ["b began", "a ended"])
            yield* recorded(workspace, 3)
          }),
        )
        yield* alerts.end(alertOf(workspace, "b", noon), noon + 3, Sequence.make(3))
        yield* running(
          Effect.gen(function* () {
            assert.strictEqual(yield* Queue.take(told), "b ended")
            // Its mark is before what the webhook has passed, as when the log grew in the meantime.
            yield* Ingest.use((ingest) =>
              ingest.submit(
                Array.from({ length: 30 }, (_, n) =>
                  event(byId("ada"), `m${n}`, { in: workspace, receivedAt: noon + 4 }),
                ),
                100,
              ),
            )
            const passed = Effect.repeat(
              Webhooks.use(({ status }) => status),
              {
                until: ({ feeds }) => feeds.some(({ position }) => (position ?? 0) >= 30),
                schedule: Schedule.spaced("10 millis"),
              },
            )
            yield* passed
            yield* alerts.begin(alertOf(workspace, "late", noon + 5), Sequence.make(3))
            assert.strictEqual(yield* Queue.take(told), "late began")
            yield* recorded(workspace, 5)
            assert.strictEqual(yield* Queue.size(told), 0)
          }),
        )
      }).pipe(Effect.provide(stores)),
  )
})
