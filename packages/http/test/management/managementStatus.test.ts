import { assert, describe, it, layer } from "@effect/vitest"
import { byId, event, identify } from "@inlethq/store-conformance/script/commands"
import { RecordedNodes } from "@inlethq/core/ports/RecordedNodes"
import { Store, StoreUnavailable } from "@inlethq/core/ports/Store"
import { Effect, Fiber, Layer, Metric } from "effect"
import { TestClock } from "effect/testing"
import { DatabaseServer } from "../../src/management/server/DatabaseServer.ts"
import { makeReadDatabase } from "../../src/management/server/readDatabase.ts"
import { FreeSpace } from "../../src/management/server/storageGrowth.ts"
import { ServerHistory } from "../../src/management/server/ServerHistory.ts"
import { quantileOf } from "../../src/management/server/RecentMetrics.ts"
import { apply, call, client, memory, newWorkspace, serverWith } from "./managementServer.ts"

/** The metrics of one server. Without this layer, all tests of a process would share their metrics. */
const ownMetrics = Layer.succeed(Metric.MetricRegistry, new Map())

const withHistory = serverWith(memory, undefined, Layer.provide(ServerHistory.layer, memory))

layer(Layer.provideMerge(withHistory, ownMetrics))("the status in the management API", (it) => {
  it.effect(
    "the server's status contains the throughput of the last minute, the queue and the duration of commits",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        const api = yield* client
        const poll = Effect.andThen(TestClock.adjust("10 seconds"), api.server.status())
        yield* Effect.replicateEffect(poll, 7)
        yield* apply(identify(byId("ada"), [], { in: workspace }), event(byId("ada"), "a", { in: workspace }))
        const { recent, ...status } = yield* poll
        const increaseOf = (wanted: string) =>
          recent.seconds * (recent.operations.find(({ outcome }) => outcome === wanted)?.per_second ?? 0)
        assert.strictEqual(recent.seconds, 60)
        for (const outcome of ["created", "applied"]) assert.closeTo(increaseOf(outcome), 1, 1e-9)
        assert.closeTo(recent.commits_per_second * recent.seconds, 2, 1e-9)
        assert.isAbove(recent.commit_ms?.p50 ?? 0, 0)
        assert.isAtLeast(recent.commit_ms?.p99 ?? 0, recent.commit_ms?.p50 ?? 0)
        assert.deepInclude(status, {
          store_bytes: null,
          committing: true,
          queue: { operations: 0, wait_ms: 0 },
          webhooks: [],
          rule_timers: null,
        })
        yield* Metric.update(Metric.gauge("inlet_rule_timers_due"), 3)
        yield* Metric.update(Metric.gauge("inlet_rule_timers_late_seconds"), 1.5)
        assert.deepStrictEqual((yield* poll).rule_timers, { people: 3, late_seconds: 1.5 })
      }),
  )

  it.effect("the server says how fast its store grows, and when the disk is full", () =>
    Effect.gen(function* () {
      const growing = { bytes: 1_000_000 }
      const store = Layer.effect(
        Store,
        Effect.map(Store, (one) => ({ ...one, size: Effect.sync(() => (growing.bytes += 1000)) })),
      ).pipe(Layer.provideMerge(memory))
      const history = ServerHistory.layer.pipe(
        Layer.provide(store),
        Layer.provide(Layer.succeed(FreeSpace, Effect.succeed(14_400_000))),
      )
      yield* Effect.gen(function* () {
        const api = yield* client
        yield* TestClock.adjust("5 minutes")
        assert.isNull((yield* api.server.get()).storage.bytes_per_day)
        yield* TestClock.adjust("20 minutes")
        const { bytes_per_day, days_left, free_bytes } = (yield* api.server.get()).storage
        assert.deepStrictEqual([bytes_per_day, free_bytes, days_left], [1_440_000, 14_400_000, 10])
        const metrics = yield* Metric.snapshot
        const days = metrics.find(({ id }) => id === "inlet_store_days_left")
        assert.deepInclude(days?.state, { value: 10 })
      }).pipe(Effect.provide(serverWith(memory, undefined, history), { local: true }))
    }).pipe(Effect.provide(ownMetrics)),
  )

  it.effect("the history has a sample of each minute, at most six hours of them", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const api = yield* client
      yield* TestClock.adjust("1 minute")
      yield* apply(identify(byId("eve"), [], { in: workspace }))
      yield* TestClock.adjust("1 minute")
      const { samples, step_seconds } = yield* api.server.history()
      assert.strictEqual(step_seconds, 60)
      const last = samples.at(-1)
      assert.deepInclude(last, { seconds: 60, committing: true, queue: { operations: 0, wait_ms: 0 } })
      assert.deepStrictEqual(last?.operations, [{ outcome: "created", per_second: 1 / 60 }])
      yield* TestClock.adjust("7 hours")
      assert.strictEqual((yield* api.server.history()).samples.length, 360)
    }),
  )

  it.effect("a request for the server's status requires the management token", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* call("GET", "/status", { headers: { authorization: "" } })).status, 401)
    }),
  )
})

let sizeReads = 0

const measuredStore = Layer.effect(
  Store,
  Effect.map(Store, (store) =>
    Store.of({
      ...store,
      size: Effect.sync(() => {
        sizeReads++
        return 4096
      }),
    }),
  ),
).pipe(Layer.provideMerge(memory))

layer(serverWith(measuredStore))("the size of the store in the management API", (it) => {
  it.effect("the size of the store is measured once for all status calls within two seconds", () =>
    Effect.gen(function* () {
      const api = yield* client
      assert.strictEqual((yield* api.server.status()).store_bytes, 4096)
      yield* TestClock.adjust("1 second")
      yield* api.server.status()
      assert.strictEqual(sizeReads, 1)
      yield* TestClock.adjust("1 second")
      yield* api.server.status()
      assert.strictEqual(sizeReads, 2)
    }),
  )
})

const databaseState = {
  version: "18.1",
  format: 7,
  synchronous_commit: "on",
  synchronous_standby_names: "",
  standbys: [],
  connections: 3,
  connections_max: 100,
  connections_needed: 46,
  bytes: 1024,
  distributed: false,
  names_behind_pooler: false,
  clock_ahead_ms: 0,
}

/**
 * Reads the state of the database. Reads time out after two seconds, so the test clock is moved by two seconds. Returns
 * the version of the database, the number of nodes, and the reads that were not answered.
 */
const described = () =>
  Effect.gen(function* () {
    const answer = yield* Effect.forkChild(Effect.flatten(makeReadDatabase))
    yield* TestClock.adjust("2 seconds")
    const found = yield* Fiber.join(answer)
    return [found.database?.version, found.nodes.length, found.unanswered]
  })

const describedWith = (state: DatabaseServer["Service"]["state"], list: RecordedNodes["Service"]["list"]) =>
  described().pipe(
    Effect.provideService(DatabaseServer, { state }),
    Effect.provideService(RecordedNodes, { list }),
  )

describe("the server in the management API", () => {
  it.effect(
    "calls for the state of the server that arrive together or soon after each other share one read of the database",
    () => {
      let reads = 0
      const state = Effect.sync(() => {
        reads++
        return databaseState
      })
      const nodes = Effect.sync(() => {
        reads++
        return []
      })
      return Effect.gen(function* () {
        const read = yield* makeReadDatabase
        yield* Effect.all([read, read, read], { concurrency: "unbounded" })
        yield* TestClock.adjust("1 second")
        assert.deepInclude(yield* read, { unanswered: [], nodes: [] })
        assert.strictEqual(reads, 2)
        yield* TestClock.adjust("1 second")
        yield* read
        assert.strictEqual(reads, 4)
      }).pipe(
        Effect.provideService(DatabaseServer, { state }),
        Effect.provideService(RecordedNodes, { list: nodes }),
      )
    },
  )

  it.effect(
    "the status of the server leaves out the facts that the database does not return within two seconds",
    () => {
      const down = Effect.fail(new StoreUnavailable({ operation: "read", cause: "down" }))
      return Effect.gen(function* () {
        assert.deepStrictEqual(yield* described(), [undefined, 1, []])
        assert.deepStrictEqual(yield* describedWith(Effect.never, Effect.never), [
          undefined,
          1,
          ["database", "nodes"],
        ])
        assert.deepStrictEqual(yield* describedWith(Effect.succeed(databaseState), down), [
          "18.1",
          1,
          ["nodes"],
        ])
        const rejected = Effect.die("recovery is in progress")
        assert.deepStrictEqual(yield* describedWith(rejected, Effect.succeed([])), [
          undefined,
          0,
          ["database"],
        ])
      })
    },
  )
})

describe("a quantile of a histogram", () => {
  it("a quantile of a histogram is interpolated in its bucket, and is at most the largest finite bound", () => {
    const buckets = [
      [1, 50],
      [2, 40],
      [4, 0],
      [Number.POSITIVE_INFINITY, 10],
    ] as const
    const table = [
      [0.25, 0.5],
      [0.5, 1],
      [0.7, 1.5],
      [0.9, 2],
      [0.99, 4],
      [1, 4],
    ] as const
    for (const [quantile, expected] of table)
      assert.closeTo(quantileOf(buckets, quantile) ?? -1, expected, 1e-9)
  })

  it("a quantile of a histogram is null if nothing was observed", () => {
    assert.isNull(quantileOf([[1, 0]], 0.5))
    assert.isNull(quantileOf([], 0.5))
  })
})
