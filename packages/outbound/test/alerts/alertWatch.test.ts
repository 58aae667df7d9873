import { assert, describe, it } from "@effect/vitest"
import { noThreadCatalog, ThreadCatalog } from "@inlethq/core/catalog/ThreadCatalog"
import { Alerts } from "@inlethq/core/ports/Alerts"
import { Registry } from "@inlethq/core/ports/Registry"
import { StoreUnavailable } from "@inlethq/core/ports/Store"
import { WebhookStore } from "@inlethq/core/ports/WebhookStore"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { hourMs } from "@inlethq/core/values/Timestamp"
import { defaultSettings } from "@inlethq/core/workspace/Workspace"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import { TrustedTime } from "@inlethq/engine/time/TrustedTime"
import * as MemoryLogCursors from "@inlethq/storage-memory/logCursors"
import * as Memory from "@inlethq/storage-memory/Memory"
import * as MemoryForwards from "@inlethq/storage-memory/forwards"
import * as MemoryWebhooks from "@inlethq/storage-memory/webhooks"
import { noon } from "@inlethq/store-conformance/script/commands"
import { plainDigest } from "@inlethq/store-conformance/script/digest"
import { Effect, Layer, Metric, Schedule } from "effect"
import * as AlertWatch from "../../src/alerts/alertWatch.ts"
import { Forwards } from "../../src/forwards/Forwards.ts"
import * as LakeFeeds from "../../src/lake/LakeFeeds.ts"
import { MayDeliver } from "../../src/MayDeliver.ts"
import { Webhooks } from "../../src/webhooks/Webhooks.ts"

const stores = Ingest.layer.pipe(
  Layer.provideMerge(
    Layer.mergeAll(Memory.layer, MemoryLogCursors.layer, MemoryWebhooks.layer, MemoryForwards.layer),
  ),
  Layer.provide(plainDigest),
  Layer.provideMerge(
    Layer.mergeAll(
      LakeFeeds.layerOff,
      Layer.succeed(MayDeliver, Effect.succeed(true)),
      Layer.succeed(ThreadCatalog, noThreadCatalog),
      Layer.succeed(Metric.MetricRegistry, new Map()),
      Layer.succeed(TrustedTime, Effect.succeed(noon)),
    ),
  ),
)

const nothingSent = { changed: () => Effect.void, status: Effect.succeed({ sending: true, feeds: [] }) }

/** A webhook of each workspace is an hour behind. */
const allBehind = (workspaces: ReadonlyArray<WorkspaceId>) => {
  const feeds = workspaces.map((workspace) => ({
    workspace,
    id: "slow",
    position: null,
    lagEntries: 1,
    lagMs: hourMs,
    prepared: true,
    failure: null,
  }))
  return { changed: () => Effect.void, status: Effect.succeed({ sending: true, feeds }) }
}

describe("watching all workspaces", () => {
  it.live("begins the alerts of the workspaces after one that cannot be read", () =>
    Effect.gen(function* () {
      const [broken, whole] = yield* Registry.use((registry) =>
        Effect.all([
          registry.createWorkspace(defaultSettings("Broken", "us")),
          registry.createWorkspace(defaultSettings("Whole", "us")),
        ]),
      )
      const all = yield* Registry.use((registry) => registry.workspaces)
      const store = yield* WebhookStore
      const webhooks: typeof store.webhooks = (workspace) =>
        workspace === broken.id
          ? Effect.fail(new StoreUnavailable({ operation: "read", cause: "its page is broken" }))
          : store.webhooks(workspace)
      const watching = AlertWatch.layer.pipe(
        Layer.provide([
          Layer.succeed(WebhookStore, { ...store, webhooks }),
          Layer.succeed(Webhooks, allBehind(all.map(({ id }) => id))),
          Layer.succeed(Forwards, nothingSent),
        ]),
      )
      const alerts = yield* Alerts
      const begun = Effect.repeat(alerts.list(whole.id), {
        until: ({ length }) => length > 0,
        schedule: Schedule.spaced("10 millis"),
      })
      const [alert] = yield* Effect.provide(begun, watching)
      assert.strictEqual(alert?.subject, "webhook:slow")
      assert.deepStrictEqual(yield* alerts.list(broken.id), [])
    }).pipe(Effect.provide(stores)),
  )
})
