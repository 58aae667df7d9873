import { assert, it } from "@effect/vitest"
import { Digest } from "@inlet/core/ports/Digest"
import * as Memory from "@inlet/core/memory/Memory"
import { Registry } from "@inlet/core/ports/Registry"
import { defaultSettings } from "@inlet/core/workspace/Workspace"
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
