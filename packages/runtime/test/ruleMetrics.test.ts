import { assert, it } from "@effect/vitest"
import { Digest } from "@inlethq/core/ports/Digest"
import { Registry } from "@inlethq/core/ports/Registry"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import { defaultSettings } from "@inlethq/core/workspace/Workspace"
import * as Memory from "@inlethq/storage-memory/Memory"
import { byId, event, identify } from "@inlethq/store-conformance/script/commands"
import { createSegment, deleteSegment } from "@inlethq/store-conformance/script/segmentCommands"
import { Effect, Layer, Metric } from "effect"
import { TestClock } from "effect/testing"
import * as RuleMetrics from "../src/RuleMetrics.ts"

const store = Memory.layer.pipe(Layer.provide(Digest.layer((text) => text)))

const gauge = Effect.fnUntraced(function* (name: string) {
  const found = (yield* Metric.snapshot).find(({ id }) => id === name)
  return found?.type === "Gauge" ? Number(found.state.value) : undefined
})

const submit = (...commands: Parameters<Ingest["Service"]["submit"]>[0]) =>
  Ingest.use((ingest) => ingest.submit(commands, 100))

it.effect("the metrics show the people in a segment by rule, those whose time has come, and builds", () =>
  Effect.gen(function* () {
    const registry = yield* Registry
    const shop = yield* registry.createWorkspace(defaultSettings("shop", "us"))
    const given = { in: shop, receivedAt: 0 }
    const rule = { event: { name: "seen", within: "1h" } }
    const [created] = yield* submit(createSegment("Seen", { rule, ...given }))
    yield* submit(identify(byId("ada"), [], given), event(byId("ada"), "seen", given))
    yield* TestClock.adjust("1 minute")
    assert.strictEqual(yield* gauge("inlet_segment_people"), 1)
    assert.strictEqual(yield* gauge("inlet_rule_timers_due"), 0)
    assert.strictEqual(yield* gauge("inlet_rule_builds"), 0)
    // Nothing follows time in this test, so she stays due.
    yield* TestClock.adjust("1 hour")
    assert.strictEqual(yield* gauge("inlet_rule_timers_due"), 1)
    assert.isAtLeast((yield* gauge("inlet_rule_timers_late_seconds")) ?? 0, 45)
    yield* submit(createSegment("Others", { rule: { not: rule }, ...given }))
    yield* submit(deleteSegment(Number(created?.subject), given))
    yield* TestClock.adjust("1 minute")
    assert.strictEqual(yield* gauge("inlet_rule_builds"), 1)
    assert.strictEqual(yield* gauge("inlet_rule_build_progress"), 0.5)
    assert.strictEqual(yield* gauge("inlet_segment_people"), 0)
  }).pipe(
    Effect.provide(
      RuleMetrics.layer.pipe(Layer.provideMerge(Ingest.layer), Layer.provideMerge(Layer.fresh(store))),
    ),
    Effect.provideService(Metric.MetricRegistry, new Map()),
  ),
)
