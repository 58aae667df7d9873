import { assert, describe, it } from "@effect/vitest"
import { Ingest } from "@inlet/core/engine/Ingest"
import * as Memory from "@inlet/core/memory/Memory"
import * as MemoryWebhooks from "@inlet/core/memory/webhooks"
import { Registry } from "@inlet/core/ports/Registry"
import { WebhookStore } from "@inlet/core/ports/WebhookStore"
import { EventPosition } from "@inlet/core/webhook/EventPosition"
import { defaultSettings } from "@inlet/core/workspace/Workspace"
import { byId, identify } from "@inlet/store-conformance/commands"
import { plainDigest } from "@inlet/store-conformance/digest"
import { webhookOf } from "@inlet/store-conformance/webhookLaws"
import { Clock, Deferred, Effect, Layer } from "effect"
import { ConnectionPools } from "../src/webhooks/ConnectionPools.ts"
import { secretOwner } from "../src/webhooks/deliver.ts"
import { RecordWriter } from "../src/webhooks/RecordWriter.ts"
import { SecretBox } from "../src/webhooks/SecretBox.ts"
import { Sender } from "../src/webhooks/Sender.ts"
import { MayDeliver } from "../src/MayDeliver.ts"
import { Webhooks } from "../src/webhooks/Webhooks.ts"

describe("the webhooks of several nodes", () => {
  it.live("are delivered by a node only while the node holds the lease", () =>
    Effect.gen(function* () {
      let holdsLease = false
      const sent = yield* Deferred.make<boolean>()
      const accepted = { failure: null, status: 200, excerpt: null, retryAfterMs: null }
      const sender = Layer.succeed(Sender, {
        send: () => Effect.as(Deferred.succeed(sent, holdsLease), accepted),
        refusalOf: () => Effect.succeed(null),
      })
      const layer = Webhooks.layer.pipe(
        Layer.provide([RecordWriter.layer, ConnectionPools.layer, sender]),
        Layer.provideMerge(SecretBox.layer),
        Layer.provideMerge(Ingest.layer),
        Layer.provideMerge(Layer.merge(Memory.layer, MemoryWebhooks.layer)),
        Layer.provide(plainDigest),
        Layer.provide(
          Layer.succeed(
            MayDeliver,
            Effect.sync(() => holdsLease),
          ),
        ),
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
