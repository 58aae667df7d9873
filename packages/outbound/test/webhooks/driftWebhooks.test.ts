import { assert, describe, it } from "@effect/vitest"
import { noThreadCatalog, ThreadCatalog } from "@inlethq/core/catalog/ThreadCatalog"
import { Registry } from "@inlethq/core/ports/Registry"
import { WebhookStore } from "@inlethq/core/ports/WebhookStore"
import { Sequence } from "@inlethq/core/values/Identifier"
import { dayMs, hourMs } from "@inlethq/core/values/Timestamp"
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
import { ConnectionPools } from "../../src/sending/ConnectionPools.ts"
import { secretOwner } from "../../src/webhooks/deliver.ts"
import { MayDeliver } from "../../src/MayDeliver.ts"
import { RecordWriter } from "../../src/sending/RecordWriter.ts"
import { SecretBox } from "../../src/SecretBox.ts"
import { Sender } from "../../src/sending/Sender.ts"
import { SummaryThread } from "../../src/types/SummaryThread.ts"
import * as TypesFeeds from "../../src/types/TypesFeeds.ts"
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
    ),
  ),
)

/** What runs until a server stops: the summaries, and the webhooks with a function in place of the network. */
const serverWith = (send: Sender["Service"]["send"]) =>
  Layer.mergeAll(
    TypesFeeds.layer.pipe(Layer.provide(SummaryThread.layer)),
    Webhooks.layer.pipe(
      Layer.provide([
        RecordWriter.layer,
        ConnectionPools.layer,
        Layer.succeed(Sender, { send, refusalOf: () => Effect.succeed(null) }),
      ]),
    ),
  )

const accepted = { failure: null, status: 200, excerpt: null, retryAfterMs: null }

const Sent = Schema.Struct({
  changes: Schema.Array(Schema.Struct({ change: Schema.String, name: Schema.String })),
})
const readSent = Schema.decodeUnknownSync(Schema.fromJsonString(Sent))

const create = Effect.fnUntraced(function* (workspace: Workspace, newest: Sequence) {
  const plain = webhookOf("one", { workspace: workspace.id, kind: "types", createdAt: noon + 3 * hourMs })
  const box = yield* SecretBox
  const sealedSecret = yield* box.seal("whsec_AAAA", secretOwner(plain))
  yield* WebhookStore.use((store) => store.create({ ...plain, sealedSecret }, endOfEntry(newest)))
})

/** Waits until this many attempts are recorded, so that a restart does not send their events again. */
const recorded = ({ id }: Workspace, count: number) =>
  WebhookStore.use((store) =>
    Effect.repeat(store.attempts({ workspace: id, webhookId: "one" }, null, newest), {
      until: ({ items }) => items.length >= count,
      schedule: Schedule.spaced("10 millis"),
    }),
  )

const newest = { limit: 10, after: null, order: "desc" } as const

describe("a webhook of kind types", () => {
  it.live("tells once that a name is silent, however often the server starts", () =>
    Effect.gen(function* () {
      let now = noon
      const told = yield* Queue.unbounded<string>()
      const send: Sender["Service"]["send"] = ({ body }) =>
        Effect.as(
          Queue.offerAll(
            told,
            readSent(body).changes.map(({ change, name }) => `${change} ${name}`),
          ),
          accepted,
        )
      const running = <A, E, R>(work: Effect.Effect<A, E, R>) =>
        Effect.scoped(
          Effect.andThen(
            Layer.build(
              Layer.fresh(serverWith(send)).pipe(
                Layer.provide(
                  Layer.succeed(
                    TrustedTime,
                    Effect.sync(() => now),
                  ),
                ),
              ),
            ),
            work,
          ),
        )
      const workspace = yield* Registry.use((registry) =>
        registry.createWorkspace(defaultSettings("One", "us")),
      )
      const record = (name: string, receivedAt: number) =>
        Ingest.use((ingest) => ingest.submit([event(byId("ada"), name, { in: workspace, receivedAt })], 100))
      for (const hour of [0, 1, 2]) yield* record("bought", noon + hour * hourMs)
      yield* create(workspace, Sequence.make(3))

      now = noon + 4 * hourMs
      yield* running(
        Effect.gen(function* () {
          yield* record("seen", now)
          assert.strictEqual(yield* Queue.take(told), "new_name seen")
          now = noon + 2 * hourMs + dayMs
          yield* record("left", now)
          const two = [yield* Queue.take(told), yield* Queue.take(told)]
          assert.sameMembers(two, ["silent bought", "new_name left"])
          yield* recorded(workspace, 3)
        }),
      )
      now += hourMs
      yield* running(
        Effect.gen(function* () {
          yield* record("back", now)
          assert.strictEqual(yield* Queue.take(told), "new_name back")
        }),
      )
    }).pipe(Effect.provide(stores)),
  )
})
