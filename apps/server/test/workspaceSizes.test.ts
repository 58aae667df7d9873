import { assert, it } from "@effect/vitest"
import { Digest } from "@inlet/core/ports/Digest"
import * as Memory from "@inlet/core/memory/Memory"
import { Registry } from "@inlet/core/ports/Registry"
import { defaultSettings } from "@inlet/core/workspace/Workspace"
import { Effect, Layer, Metric } from "effect"
import { TestClock } from "effect/testing"
import * as WorkspaceSizes from "../src/WorkspaceSizes.ts"

const store = Memory.layer.pipe(Layer.provide(Digest.layer((text) => text)))

it.effect("the metrics have the estimated size of each workspace after five minutes", () =>
  Effect.gen(function* () {
    const registry = yield* Registry
    const { id } = yield* registry.createWorkspace(defaultSettings("shop", "us"))
    yield* TestClock.adjust("5 minutes")
    const sizes = (yield* Metric.snapshot).filter((metric) => metric.id === "inlet_workspace_bytes")
    assert.deepStrictEqual(
      sizes.map(({ attributes }) => attributes),
      [{ workspace: String(id) }],
    )
  }).pipe(Effect.provide(Layer.provideMerge(WorkspaceSizes.layer, store))),
)
