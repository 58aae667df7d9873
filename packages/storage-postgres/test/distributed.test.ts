import { assert, describe, it } from "@effect/vitest"
import { compare } from "@inlethq/store-conformance/differential/differential"
import { comparing } from "@inlethq/store-conformance/differential/comparing"
import { compareCopied } from "@inlethq/store-conformance/copies/copies"
import { noon } from "@inlethq/store-conformance/script/commands"
import { storeConformance } from "@inlethq/store-conformance/StoreConformance"
import { plainDigest } from "@inlethq/store-conformance/script/digest"
import { Store } from "@inlethq/core/ports/Store"
import { WebhookStore } from "@inlethq/core/ports/WebhookStore"
import { Digest } from "@inlethq/core/ports/Digest"
import { Deferred, Effect, Fiber, Layer, Scope } from "effect"
import type { Session } from "../src/engine/Connection.ts"
import type { Database } from "../src/engine/Database.ts"
import type { SweepOptions } from "../src/housekeeping/sweep.ts"
import { distribute, planDistribution } from "../src/migrations/distribute.ts"
import { afterDistribution, whileDistributing } from "../src/migrations/migrate.ts"
import { schema } from "../src/migrations/schema.ts"
import { makeLeases } from "../src/nodes/Leases.ts"
import { makeNodeRecords } from "../src/nodes/recordedNodes.ts"
import * as PostgresStore from "../src/PostgresStore.ts"
import { workspacesMax } from "../src/read/workspacesInTurn.ts"
import { transferSource } from "../src/transfer/source.ts"
import { transferTarget } from "../src/transfer/target.ts"
import { readDatabaseState } from "../src/read/databaseState.ts"
import { coordinatorTables, distributedTables, referenceTables } from "../src/tables/distributedTables.ts"
import {
  checkedDatabaseAt,
  citusUrl,
  databaseWithStandIns,
  distributedDatabase,
  emptyDistributed,
} from "./citus.ts"
import {
  databaseAt,
  describeNewestServer,
  describeServers,
  migratedDatabase,
  partOn,
  sessionTo,
} from "./server.ts"
import { longDurations } from "./stores.ts"

/** Makes an empty store on a distributed database. Tests of the worker take turns with the database. */
const storeOn = (database: Effect.Effect<Database["Service"]>, options: SweepOptions = {}) =>
  storeOver(Effect.tap(database, emptyDistributed), options)

const storeOver = (database: Effect.Effect<Database["Service"], never, Scope.Scope>, options: SweepOptions) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const opened = yield* database
      const leases = makeLeases(opened, { durations: longDurations })
      return yield* PostgresStore.services(opened, yield* Digest, { ...options, leases })
    }),
  ).pipe(Layer.provide(plainDigest))

const worker = Scope.makeUnsafe()

describe("the tables that are distributed", () => {
  it("each table is distributed by workspace, or is whole on every server, or stays on the coordinator", () => {
    const made = schema.flatMap((sql) => /^CREATE TABLE (\w+)/.exec(sql)?.[1] ?? [])
    const placed = [...distributedTables, ...referenceTables, ...coordinatorTables]
    assert.deepStrictEqual(placed.toSorted(), [...made, "migrations"].toSorted())
  })

  it("the primary key and each unique index of a distributed table has the workspace", () => {
    const names = new Set(distributedTables)
    const unique = schema.flatMap((sql) => {
      const table = /^CREATE (?:TABLE|UNIQUE INDEX \w+ ON) (\w+)/.exec(sql)?.[1]
      if (table === undefined || !names.has(table)) return []
      return sql.startsWith("CREATE UNIQUE")
        ? [sql]
        : sql.split("\n").filter((line) => /PRIMARY KEY|UNIQUE/.test(line))
    })
    assert.isAtLeast(unique.length, distributedTables.length)
    assert.deepStrictEqual(
      unique.filter((sql) => !/\bworkspace\b/.test(sql)),
      [],
    )
    const types = schema.flatMap((sql) => /\bworkspace (\w+)/.exec(sql.slice(sql.indexOf("(")))?.[1] ?? [])
    assert.deepStrictEqual([...new Set(types.filter((type) => type === type.toUpperCase()))], ["INTEGER"])
  })
})

describeServers("distributing tables", (server) => {
  it.live("says what it will do, does it once, and goes on where it stopped", () =>
    Effect.gen(function* () {
      const url = yield* databaseWithStandIns(server())
      const session = yield* sessionTo(url)
      const holder = yield* sessionTo(url)
      const all = (yield* planDistribution(session)).tables.map(({ name }) => name)
      assert.deepStrictEqual(all, [...referenceTables, ...distributedTables])
      yield* session.execute("SELECT create_reference_table('workspaces')")
      const missing = all.filter((name) => name !== "workspaces")
      const done = yield* distribute(session, holder)
      assert.deepStrictEqual(
        done.tables.map(({ name }) => name),
        missing,
      )
      const rows = yield* session.query(
        "SELECT count(*) AS tables, count(partkey) AS parted, count(colocated) AS together FROM pg_dist_partition",
      )
      assert.deepStrictEqual(rows, [
        { tables: all.length, parted: distributedTables.length, together: distributedTables.length - 1 },
      ])
      assert.deepStrictEqual((yield* distribute(session, holder)).tables, [])
    }),
  )

  it.live("leaves tables of another schema out that have the same names", () =>
    Effect.gen(function* () {
      const url = yield* databaseWithStandIns(server())
      const session = yield* sessionTo(url)
      yield* session.execute("CREATE SCHEMA other")
      yield* session.execute("CREATE TABLE other.activity (workspace INTEGER)")
      yield* session.execute("SELECT create_distributed_table('other.activity', 'workspace')")
      const { tables } = yield* planDistribution(session)
      assert.include(
        tables.map(({ name }) => name),
        "activity",
      )
    }),
  )

  it.live("a node that starts waits until the tables are distributed", () =>
    Effect.gen(function* () {
      const url = yield* databaseWithStandIns(server())
      const session = yield* sessionTo(url)
      const distributing = yield* Deferred.make<void>()
      const goOn = yield* Deferred.make<void>()
      const work = whileDistributing(
        yield* sessionTo(url),
        Effect.andThen(Deferred.succeed(distributing, undefined), Deferred.await(goOn)),
      )
      const running = yield* Effect.forkChild(work)
      yield* Deferred.await(distributing)
      const asked = yield* Deferred.make<void>()
      const observed: Session = {
        ...session,
        query: (sql, parameters) =>
          session.query(sql, parameters).pipe(Effect.tap(() => Deferred.succeed(asked, undefined))),
      }
      const starting = yield* Effect.forkChild(afterDistribution(observed))
      yield* Deferred.await(asked)
      assert.isUndefined(starting.pollUnsafe())
      yield* Deferred.succeed(goOn, undefined)
      yield* Fiber.join(running)
      yield* Fiber.join(starting)
    }),
  )

  it.live("is refused without Citus, and while a node runs", () =>
    Effect.gen(function* () {
      const bare = yield* migratedDatabase(server())
      const plain = yield* sessionTo(bare)
      assert.include(
        (yield* Effect.flip(distribute(plain, yield* sessionTo(bare)))).message,
        "CREATE EXTENSION citus",
      )
      const url = yield* databaseWithStandIns(server())
      const node = yield* makeNodeRecords(yield* databaseAt(url))
      yield* node.record
      const session = yield* sessionTo(url)
      const holder = yield* sessionTo(url)
      assert.include((yield* Effect.flip(distribute(session, holder))).message, "stop them first")
      assert.isAbove((yield* planDistribution(session)).liveHosts.length, 0)
      yield* node.remove
      yield* distribute(session, holder)
    }),
  )

  it.live("a node knows of distributed tables, and tells their size", () =>
    Effect.gen(function* () {
      const url = yield* databaseWithStandIns(server())
      yield* distributedDatabase(url)
      const state = yield* readDatabaseState(yield* databaseAt(url), { poolSize: 8, prepare: true })
      assert.isTrue(state.isDistributed)
      assert.isAbove(state.bytes, 0)
    }),
  )
})

/** More workspaces than one search for work asks. */
const many = workspacesMax + 1

const headsSql = `INSERT INTO heads (workspace, rules_version) SELECT n, 1 FROM generate_series(1, ${many}) AS n`

/** The database of these tests, which is opened once. */
const opened = (url: Effect.Effect<string, unknown>) => {
  const open = Effect.gen(function* () {
    const found = yield* url
    yield* distributedDatabase(found)
    return yield* checkedDatabaseAt(found)
  })
  return Effect.runSync(Effect.cached(Effect.orDie(open.pipe(Scope.provide(worker)))))
}

describe.skipIf(citusUrl === undefined)("the store on Citus", { concurrent: false }, () => {
  const database = opened(Effect.succeed(citusUrl ?? ""))
  for (const { check, name } of storeConformance) {
    it.live(name, () => Effect.provide(check, storeOn(database), { local: true }))
  }
})

// The statements are the same on every version.
describeNewestServer("the store on tables that count as distributed", (server) => {
  describe("every statement fits distributed tables, and", { concurrent: false }, () => {
    const database = opened(Effect.suspend(() => databaseWithStandIns(server())))
    const copyOf = Effect.gen(function* () {
      const url = yield* Effect.orDie(Effect.tap(databaseWithStandIns(server()), distributedDatabase))
      const own = checkedDatabaseAt(url)
      return {
        services: storeOver(own, { sweepRowsMax: 7 }),
        source: Effect.flatMap(own, (opened) =>
          Effect.map(opened.snapshot("read a consistent copy", 60_000), transferSource),
        ),
        target: Effect.map(own, transferTarget),
      }
    })

    for (const { check, name } of storeConformance) {
      it.live(name, () => Effect.provide(check, storeOn(database), { local: true }))
    }

    it.live("it comes to each of more workspaces than one search asks", () =>
      Effect.gen(function* () {
        const store = yield* Store
        const webhooks = yield* WebhookStore
        const { query } = yield* database
        yield* query("insert", headsSql)
        yield* query(
          "insert",
          "INSERT INTO leaf_states (subject, leaf, due, workspace, ring) VALUES (1, 2, 3, $1, '')",
          [many],
        )
        yield* query(
          "insert",
          "INSERT INTO webhook_progress (position, attempts, first_tries, workspace, removed, webhook, ahead) SELECT 0, 0, 0, n, n = $1, 'hook', '' FROM generate_series(1, $1) AS n",
          [many],
        )
        assert.deepStrictEqual(yield* store.due(5, 10), [])
        assert.strictEqual((yield* store.due(5, 10)).length, 1)
        yield* Effect.repeat(webhooks.prune(noon), { until: (isDone) => isDone })
        const [left] = yield* query("count", "SELECT count(*) AS n FROM webhook_progress")
        assert.deepStrictEqual(left, { n: many - 1 })
      }).pipe(Effect.provide(storeOn(database), { local: true })),
    )

    it.live(
      "a store that is copied there from memory and back shows the same data",
      comparing(2, (scripts) => compareCopied(copyOf, partOn(server, scripts))),
    )

    it.live(
      "it shows the same data as the memory store",
      comparing(4, (scripts) => compare(storeOn(database, { sweepRowsMax: 7 }), partOn(server, scripts))),
    )
  })
})
