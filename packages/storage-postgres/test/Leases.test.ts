import { assert, it } from "@effect/vitest"
import { Store } from "@inlethq/core/ports/Store"
import { idleMs } from "@inlethq/engine/rules/keepRules"
import { Clock, Effect, Option, Redacted } from "effect"
import * as PostgresStore from "../src/PostgresStore.ts"
import { NodeUnfit } from "@inlethq/core/ports/NodeFitness"
import { askAgainMs, expectLease, leaseMs, makeLeases } from "../src/nodes/Leases.ts"
import { longDurations } from "./stores.ts"
import { databaseAt, describeServers, migratedDatabase, sessionTo, settingsOf } from "./server.ts"

const minuteMs = 60_000

describeServers("leases", (server) => {
  const setUp = Effect.gen(function* () {
    const url = yield* migratedDatabase(server())
    const database = yield* databaseAt(url)
    const expire = database.query("expire", "UPDATE leases SET until = '-infinity'")
    const hurried = yield* databaseAt(url, { lockMsMax: 100, attemptsMax: 2 })
    return {
      url,
      database,
      expire,
      leases: makeLeases(database, { durations: longDurations }),
      hurriedLeases: makeLeases(hurried),
    }
  })

  it.live("a lease belongs to one holder at a time, and this holder can renew and release the lease", () =>
    Effect.gen(function* () {
      const { leases } = yield* setUp
      const lease = Option.getOrThrow(yield* leases.acquire("sweep", "one", minuteMs))
      assert.isTrue(Option.isNone(yield* leases.acquire("sweep", "two", minuteMs)))
      assert.isTrue(Option.isSome(yield* leases.acquire("deliver", "two", minuteMs)))
      assert.isTrue(yield* leases.renew(lease, minuteMs))
      yield* leases.release(lease)
      const next = Option.getOrThrow(yield* leases.acquire("sweep", "two", minuteMs))
      assert.isAbove(next.token, lease.token)
    }),
  )

  it.live(
    "a second node can acquire an expired lease, and the first holder can then neither renew nor release the lease",
    () =>
      Effect.gen(function* () {
        const { expire, leases } = yield* setUp
        const lost = Option.getOrThrow(yield* leases.acquire("sweep", "one", minuteMs))
        yield* expire
        const lease = Option.getOrThrow(yield* leases.acquire("sweep", "two", minuteMs))
        assert.isAbove(lease.token, lost.token)
        assert.isFalse(yield* leases.renew(lost, minuteMs))
        yield* leases.release(lost)
        assert.isTrue(yield* leases.renew(lease, minuteMs))
      }),
  )

  it.live("if many holders try to acquire a lease at once, exactly one holder gets the lease", () =>
    Effect.gen(function* () {
      const { leases } = yield* setUp
      const asked = Array.from({ length: 10 }, (_, n) => leases.acquire("sweep", `holder ${n}`, minuteMs))
      const given = yield* Effect.all(asked, { concurrency: "unbounded" })
      assert.strictEqual(given.filter(Option.isSome).length, 1)
    }),
  )

  it.live("a node that stops frees its own leases at once, and does not free the leases of other nodes", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase(server())
      const leases = makeLeases(yield* databaseAt(url))
      const others = Option.getOrThrow(yield* leases.acquire("other work", "another node", minuteMs))
      const secret = Redacted.make("s".repeat(32))
      const node = Effect.gen(function* () {
        yield* (yield* Store).sweep(yield* Clock.currentTimeMillis)
        assert.isTrue(Option.isNone(yield* leases.acquire("housekeeping", "another node", minuteMs)))
      }).pipe(Effect.provide(PostgresStore.layer({ connection: settingsOf(url), secret })))
      yield* node
      assert.isTrue(Option.isSome(yield* leases.acquire("housekeeping", "another node", minuteMs)))
      assert.isTrue(yield* leases.renew(others, minuteMs))
    }),
  )

  it.live("a transaction that needs a lease fails if the lease is lost", () =>
    Effect.gen(function* () {
      const { database, expire, leases } = yield* setUp
      const lease = Option.getOrThrow(yield* leases.acquire("sweep", "one", minuteMs))
      const write = database.write("sweep", 1, (connection) => expectLease(connection, lease))
      yield* write
      yield* expire
      yield* leases.acquire("sweep", "two", minuteMs)
      assert.strictEqual((yield* Effect.flip(write))._tag, "LeaseLost")
    }),
  )

  it.live("no other holder can acquire a lease while a transaction relies on the lease", () =>
    Effect.gen(function* () {
      const { expire, hurriedLeases, leases, url } = yield* setUp
      const lease = Option.getOrThrow(yield* leases.acquire("sweep", "one", minuteMs))
      yield* expire
      const transaction = yield* sessionTo(url)
      yield* transaction.control("BEGIN")
      yield* expectLease(transaction, lease)
      const failure = yield* Effect.flip(hurriedLeases.acquire("sweep", "two", minuteMs))
      assert.match(String(failure.cause), /55P03/)
      yield* transaction.control("COMMIT")
      assert.isTrue(Option.isSome(yield* leases.acquire("sweep", "two", minuteMs)))
    }),
  )

  it.live(
    "a lease that its holder renews stays with it, and another node takes it over once it expires",
    () =>
      Effect.gen(function* () {
        const { database, expire, leases } = yield* setUp
        const other = makeLeases(database)
        const lease = yield* leases.hold("rules")
        assert.isDefined(lease)
        yield* expire
        yield* leases.renewHeld
        assert.isUndefined(yield* other.hold("rules"))
        yield* expire
        const next = yield* Effect.repeat(other.hold("rules"), { until: (lease) => lease !== undefined })
        assert.isAbove(next?.token ?? 0, lease?.token ?? 0)
        yield* leases.renewHeld
        assert.isUndefined(yield* leases.hold("rules"))
      }),
  )

  it.live("a lease is renewed while a transaction relies on it", () =>
    Effect.gen(function* () {
      const { leases, url } = yield* setUp
      const lease = yield* leases.hold("housekeeping")
      assert.isDefined(lease)
      const transaction = yield* sessionTo(url)
      yield* transaction.control("BEGIN")
      if (lease !== undefined) yield* expectLease(transaction, lease)
      yield* leases.renewHeld
      yield* transaction.control("COMMIT")
    }),
  )

  it.live("an unfit node holds no lease", () =>
    Effect.gen(function* () {
      const { database } = yield* setUp
      let unfit: NodeUnfit | null = null
      const leases = makeLeases(database, { fitness: { unfit: () => unfit } })
      assert.isDefined(yield* leases.hold("rules"))
      unfit = new NodeUnfit({ fault: { _tag: "WrongClock", aheadMs: 6000 } })
      assert.isUndefined(yield* leases.hold("rules"))
      yield* leases.releaseAll
      assert.isDefined(yield* makeLeases(database).hold("rules"))
    }),
  )

  it("the next holder of the lease for timers asks within two seconds of the last renewal", () => {
    assert.isAtMost(leaseMs.rules + askAgainMs + idleMs, 2000)
  })
})
