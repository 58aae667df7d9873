import { assert, layer } from "@effect/vitest"
import { byId, bySvcId, event, identify, noon, reject } from "@inlethq/store-conformance/script/commands"
import { toIso } from "@inlethq/core/values/Timestamp"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { apply, assertProblem, call, client, newWorkspace, server } from "./managementServer.ts"

const minute = 60_000

layer(server)("stats in the management API", (it) => {
  it.effect("the management API counts operations by kind and outcome in periods of equal length", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const at = (minutes: number) => ({ in: workspace, receivedAt: noon + minutes * minute })
      yield* apply(
        identify(byId("ada"), [], at(0)),
        event(byId("ada"), "a", at(0)),
        event(byId("ada"), "b", at(1.5)),
        event(bySvcId(999), "c", at(1.9)),
      )
      const api = yield* client
      const query = { from: toIso(noon), to: toIso(noon + 3 * minute), step: 60 }
      assert.deepStrictEqual(yield* api.stats.get({ params: { w: workspace.id }, query }), {
        from: query.from,
        to: query.to,
        step_seconds: 60,
        counted_from: query.from,
        steps: [
          {
            at: toIso(noon),
            counts: [
              { kind: "event", outcome: "applied", count: 1 },
              { kind: "identify", outcome: "created", count: 1 },
            ],
          },
          {
            at: toIso(noon + minute),
            counts: [
              { kind: "event", outcome: "applied", count: 1 },
              { kind: "event", outcome: "dropped", count: 1 },
            ],
          },
          { at: toIso(noon + 2 * minute), counts: [] },
        ],
      })
    }),
  )

  it.effect("the management API counts only the operations that match a filter", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const at = (minutes: number) => ({ in: workspace, receivedAt: noon + minutes * minute })
      yield* apply(
        identify(byId("ada"), [], at(0)),
        event(byId("ada"), "order_placed", at(1)),
        event(byId("bob"), "order_placed", at(1)),
        event(byId("ada"), "signed_up", at(1)),
      )
      const api = yield* client
      const count = (filter: string) =>
        Effect.map(
          api.stats.get({
            params: { w: workspace.id },
            query: { from: toIso(noon), to: toIso(noon + 2 * minute), step: 60, filter },
          }),
          ({ counted_from, steps }) => {
            assert.strictEqual(counted_from, toIso(noon))
            return steps.map(({ counts }) => counts.reduce((sum, { count }) => sum + count, 0))
          },
        )
      assert.deepStrictEqual(yield* count("name:order_placed"), [0, 2])
      assert.deepStrictEqual(yield* count("person:ada"), [1, 2])
      assert.deepStrictEqual(yield* count("person:ada -kind:identify"), [0, 2])
      const wrong = yield* call("GET", `/workspaces/${workspace.id}/stats?filter=nonsense:1`)
      assert.strictEqual(wrong.status, 400)
    }),
  )

  it.effect("matches in the step where counting ends are counted from there on", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      for (let ms = 1; ms <= 6; ms++) {
        const at = { in: workspace, receivedAt: noon + ms }
        yield* apply(...Array.from({ length: 1000 }, () => event(byId("ada"), "wanted", at)))
      }
      const api = yield* client
      const query = { from: toIso(noon - minute), to: toIso(noon + minute), step: 60, filter: "person:ada" }
      const stats = yield* api.stats.get({ params: { w: workspace.id }, query })
      assert.strictEqual(stats.counted_from, toIso(noon + 3))
      assert.deepStrictEqual(stats.steps, [
        { at: toIso(noon - minute), counts: [] },
        { at: toIso(noon), counts: [{ kind: "event", outcome: "pending", count: 4000 }] },
      ])
    }),
  )

  it.effect("by default, operations are counted for each minute of the last hour", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      // Not far from where the clock begins, because everything that repeats runs for all the time between.
      const received = 60 * minute
      yield* TestClock.setTime(received + minute)
      yield* apply(identify(byId("ada"), [], { in: workspace, receivedAt: received }))
      const api = yield* client
      const stats = yield* api.stats.get({ params: { w: workspace.id }, query: {} })
      assert.deepStrictEqual(
        [stats.to, stats.step_seconds, stats.steps.length],
        [toIso(received + minute), 60, 60],
      )
      assert.deepStrictEqual(stats.steps.at(-1), {
        at: toIso(received),
        counts: [{ kind: "identify", outcome: "created", count: 1 }],
      })
    }),
  )

  it.effect(
    "a request for counts gets a 400 if the period is empty or has too many steps, or if a time is invalid",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        const [early, late] = [toIso(noon), toIso(noon + 600 * minute)]
        const table = [
          [`from=${late}&to=${early}`, /^`from` must be before `to`/],
          [`from=${early}&to=${early}`, /^`from` must be before `to`/],
          [`from=${early}&to=${late}&step=60`, /more than 500 steps/],
          ["from=yesterday", /^from: Expected a time/],
          ["step=0", /^step/],
          ["steps=1", /unknown field/],
        ] as const
        for (const [query, detail] of table) {
          const answer = yield* call("GET", `/workspaces/${workspace.id}/stats?${query}`)
          assertProblem(answer, 400, "Bad Request", detail)
        }
        assert.strictEqual((yield* call("GET", "/workspaces/999/stats")).status, 404)
      }),
  )

  it.effect("the reasons why operations were not applied are counted, most frequent reasons first", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const unknown = (name: string) => event(bySvcId(999), name, { in: workspace })
      yield* apply(
        identify(byId("ada"), [], { in: workspace }),
        reject({ in: workspace }),
        unknown("a"),
        unknown("b"),
      )
      const api = yield* client
      const { counted, items } = yield* api.stats.reasons({ params: { w: workspace.id } })
      assert.deepStrictEqual(counted, [
        { outcome: "rejected", entries: 1, counted_from: null },
        { outcome: "partial", entries: 0, counted_from: null },
        { outcome: "dropped", entries: 2, counted_from: null },
        { outcome: "ignored", entries: 0, counted_from: null },
      ])
      const { items: entries } = yield* api.activity.list({ params: { w: workspace.id }, query: {} })
      assert.deepStrictEqual(
        items.map(({ count, last_operation_id, outcome }) => [outcome, count, last_operation_id]),
        [
          ["dropped", 2, entries[0]?.operation_id],
          ["rejected", 1, entries[2]?.operation_id],
        ],
      )
      assert.strictEqual(items[0]?.reason, entries[0]?.reason)
      assert.strictEqual(items[0]?.rule, entries[0]?.rule)
      assert.strictEqual((yield* call("GET", "/workspaces/999/stats/reasons")).status, 404)
      yield* apply(...Array.from({ length: 300 }, () => unknown("c")))
      const many = yield* api.stats.reasons({ params: { w: workspace.id } })
      const dropped = many.counted.find(({ outcome }) => outcome === "dropped")
      assert.deepStrictEqual(dropped, { outcome: "dropped", entries: 250, counted_from: toIso(noon) })
    }),
  )
})
