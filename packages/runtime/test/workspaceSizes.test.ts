import { assert, it } from "@effect/vitest"
import { Digest } from "@inlethq/core/ports/Digest"
import * as Memory from "@inlethq/storage-memory/Memory"
import { erasureMsMin, Registry } from "@inlethq/core/ports/Registry"
import { Store } from "@inlethq/core/ports/Store"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import { defaultSettings } from "@inlethq/core/workspace/Workspace"
import { byId, identify } from "@inlethq/store-conformance/script/commands"
import { Effect, Layer, Metric } from "effect"
import { TestClock } from "effect/testing"
import * as WorkspaceSizes from "../src/WorkspaceSizes.ts"

const store = Memory.layer.pipe(Layer.provide(Digest.layer((text) => text)))

it.effect(
  "after five minutes, the metrics contain the estimated size and the number of records of each workspace",
  () =>
    Effect.gen(function* () {
      const registry = yield* Registry
      const { id } = yield* registry.createWorkspace(defaultSettings("shop", "us"))
      yield* TestClock.adjust("5 minutes")
      const metrics = yield* Metric.snapshot
      for (const name of ["inlet_workspace_bytes", "inlet_workspace_records"]) {
        assert.deepStrictEqual(
          metrics.filter((metric) => metric.id === name).map(({ attributes }) => attributes),
          [{ workspace: String(id) }],
        )
      }
    }).pipe(Effect.provide(Layer.provideMerge(WorkspaceSizes.layer, store))),
)

it.effect("the metrics count a deleted workspace until it is erased, and its size becomes zero", () =>
  Effect.gen(function* () {
    const registry = yield* Registry
    const store = yield* Store
    const shop = yield* registry.createWorkspace(defaultSettings("shop", "us"))
    yield* registry.createWorkspace(defaultSettings("other", "us"))
    yield* Ingest.use((ingest) => ingest.submit([identify(byId("ada"), [], { in: shop })], 100))
    const gauge = Effect.fnUntraced(function* (name: string, workspace?: string) {
      const found = (yield* Metric.snapshot).find(
        ({ attributes, id }) => id === name && attributes?.["workspace"] === workspace,
      )
      return found?.type === "Gauge" ? Number(found.state.value) : undefined
    })
    const id = String(shop.id)
    yield* TestClock.adjust("5 minutes")
    assert.isAbove((yield* gauge("inlet_workspace_bytes", id)) ?? 0, 0)
    yield* registry.deleteWorkspace(shop.id, 0)
    yield* TestClock.adjust("5 minutes")
    assert.strictEqual(yield* gauge("inlet_workspaces_erasing"), 1)
    assert.strictEqual(yield* gauge("inlet_workspace_bytes", id), 0)
    assert.strictEqual(yield* gauge("inlet_workspace_records", id), 0)
    yield* store.sweep(erasureMsMin)
    yield* TestClock.adjust("15 seconds")
    assert.strictEqual(yield* gauge("inlet_workspaces_erasing"), 0)
  }).pipe(
    Effect.provide(
      WorkspaceSizes.layer.pipe(Layer.provideMerge(Ingest.layer), Layer.provideMerge(Layer.fresh(store))),
    ),
    Effect.provideService(Metric.MetricRegistry, new Map()),
  ),
)
