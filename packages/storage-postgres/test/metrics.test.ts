import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Metric, Schedule } from "effect"
import { measureServer } from "../src/nodes/serverMetrics.ts"
import { databaseAt, describeServers, emptyDatabase, migratedDatabase, sessionTo } from "./server.ts"

/** Returns the state of the metric with this name and these labels, or undefined if it was not updated. */
const stateOf = (id: string, labels: Readonly<Record<string, string>> = {}) =>
  Effect.map(
    Metric.snapshot,
    (metrics) =>
      metrics.find(
        (metric) =>
          metric.id === id &&
          Object.entries(labels).every(([name, value]) => metric.attributes?.[name] === value),
      )?.state,
  )

const valueOf = (id: string, labels?: Readonly<Record<string, string>>) =>
  Effect.map(stateOf(id, labels), (state) =>
    state !== undefined && "value" in state ? state.value : undefined,
  )

const countOf = (id: string, labels?: Readonly<Record<string, string>>) =>
  Effect.map(stateOf(id, labels), (state) =>
    state !== undefined && "count" in state ? Number(state.count) : undefined,
  )

const inState = (state: string) => valueOf("inlet_database_connections", { state })

/** Runs a test with metrics of its own, because other tests update the same metrics at the same time. */
const withOwnMetrics = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  Effect.provideService(test, Metric.MetricRegistry, new Map())

describeServers("the metrics of a database", (server) => {
  it.live(
    "the connections of a node are counted as in use, and calls that wait for a connection as waiting",
    () =>
      Effect.gen(function* () {
        const poolSize = 2
        const database = yield* databaseAt(`${yield* migratedDatabase(server())}?pool_size=${poolSize}`)
        const finish = yield* Deferred.make<void>()
        const held = Effect.forEach(
          Array.from({ length: poolSize + 1 }, (_, n) => n + 1),
          (workspace) => database.write("wait", workspace, () => Deferred.await(finish)),
          { concurrency: "unbounded" },
        )
        const holding = yield* Effect.forkChild(held)
        const until = (state: string, expected: number) =>
          Effect.repeat(inState(state), {
            until: (value) => value === expected,
            schedule: Schedule.spaced(10),
          })
        yield* until("in_use", poolSize)
        yield* until("waiting", 1)
        yield* Deferred.succeed(finish, undefined)
        yield* Fiber.join(holding)
        assert.deepStrictEqual([yield* inState("in_use"), yield* inState("waiting")], [0, 0])
        assert.strictEqual(yield* countOf("inlet_database_connection_wait_seconds"), poolSize + 1)
        assert.strictEqual(
          yield* countOf("inlet_database_transaction_duration_seconds", { mode: "write" }),
          poolSize + 1,
        )
      }).pipe(withOwnMetrics),
  )

  it.live("a transaction that runs again after waiting too long for a lock is counted with this reason", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase(server())
      const database = yield* databaseAt(url, { lockMsMax: 20, attemptsMax: 2 })
      const other = yield* sessionTo(url)
      yield* other.control("BEGIN")
      yield* other.execute("LOCK TABLE uploads")
      yield* Effect.flip(
        database.write("count", 1, (connection) => connection.execute("SELECT FROM uploads FOR UPDATE")),
      )
      const labels = { kind: "conflict", reason: "lock_not_available" }
      assert.strictEqual(yield* countOf("inlet_database_retries_total", labels), 1)
      yield* other.control("ROLLBACK")
    }).pipe(withOwnMetrics),
  )

  it.live("a measurement of the server records its size, connections, lock waits and standbys", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase(server())
      const database = yield* databaseAt(url)
      const [holder, waiter] = [yield* sessionTo(url), yield* sessionTo(url)]
      yield* holder.control("BEGIN")
      yield* holder.execute("LOCK TABLE uploads")
      const blocked = yield* Effect.forkChild(waiter.query("SELECT count(*) FROM uploads"))
      yield* Effect.repeat(Effect.andThen(measureServer(database), valueOf("inlet_database_lock_waits")), {
        until: (value) => value === 1,
        schedule: Schedule.spaced(10),
      })
      yield* holder.control("COMMIT")
      yield* Fiber.join(blocked)
      assert.isAbove(Number(yield* valueOf("inlet_database_bytes")), 1_000_000)
      assert.isAtLeast(Number(yield* valueOf("inlet_database_server_connections")), 3)
      assert.strictEqual(yield* valueOf("inlet_database_server_connections_max"), 200)
      assert.strictEqual(yield* valueOf("inlet_database_standbys"), 0)
      assert.strictEqual(yield* valueOf("inlet_database_standby_lag_bytes"), 0)
    }).pipe(withOwnMetrics),
  )

  it.live("a measurement without the right to see replication records no lag of standbys", () =>
    Effect.gen(function* () {
      const url = yield* emptyDatabase(server())
      yield* Effect.promise(() => server().sql("CREATE ROLE plain LOGIN PASSWORD 'plain'"))
      const name = new URL(url).pathname.slice(1)
      const database = yield* databaseAt(server().url(name, { name: "plain", password: "plain" }))
      yield* measureServer(database)
      assert.isUndefined(yield* valueOf("inlet_database_standby_lag_bytes"))
      assert.strictEqual(yield* valueOf("inlet_database_standbys"), 0)
    }).pipe(withOwnMetrics),
  )
})
