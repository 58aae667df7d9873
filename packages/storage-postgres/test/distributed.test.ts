import { assert, describe, it } from "@effect/vitest"
import { compare } from "@inlethq/store-conformance/differential/differential"
import { comparing } from "@inlethq/store-conformance/differential/comparing"
import { storeConformance } from "@inlethq/store-conformance/StoreConformance"
import { plainDigest } from "@inlethq/store-conformance/script/digest"
import { Digest } from "@inlethq/core/ports/Digest"
import { Effect, Layer, Scope } from "effect"
import type { Database } from "../src/engine/Database.ts"
import type { SweepOptions } from "../src/housekeeping/sweep.ts"
import { distribute, planDistribution } from "../src/migrations/distribute.ts"
import { schema } from "../src/migrations/schema.ts"
import { makeLeases } from "../src/nodes/Leases.ts"
import { makeNodeRecords } from "../src/nodes/recordedNodes.ts"
import * as PostgresStore from "../src/PostgresStore.ts"
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
  Layer.effectContext(
    Effect.gen(function* () {
      const opened = yield* database
      yield* emptyDistributed(opened)
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
      const all = (yield* planDistribution(session)).tables.map(({ name }) => name)
      assert.deepStrictEqual(all, [...referenceTables, ...distributedTables])
      yield* session.execute("SELECT create_reference_table('workspaces')")
      const missing = all.filter((name) => name !== "workspaces")
      const done = yield* distribute(session)
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
      assert.deepStrictEqual((yield* distribute(session)).tables, [])
    }),
  )

  it.live("is refused without Citus, and while a node runs", () =>
    Effect.gen(function* () {
      const plain = yield* sessionTo(yield* migratedDatabase(server()))
      assert.include((yield* Effect.flip(distribute(plain))).message, "CREATE EXTENSION citus")
      const url = yield* databaseWithStandIns(server())
      const node = yield* makeNodeRecords(yield* databaseAt(url))
      yield* node.record
      const session = yield* sessionTo(url)
      assert.include((yield* Effect.flip(distribute(session))).message, "stop them first")
      assert.isAbove((yield* planDistribution(session)).liveHosts.length, 0)
      yield* node.remove
      yield* distribute(session)
    }),
  )

  it.live("a node knows of distributed tables, and tells their size", () =>
    Effect.gen(function* () {
      const url = yield* databaseWithStandIns(server())
      yield* distributedDatabase(url)
      const state = yield* readDatabaseState(yield* databaseAt(url), 8)
      assert.isTrue(state.isDistributed)
      assert.isAbove(state.bytes, 0)
    }),
  )
})

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
    for (const { check, name } of storeConformance) {
      it.live(name, () => Effect.provide(check, storeOn(database), { local: true }))
    }

    it.live(
      "it shows the same data as the memory store",
      comparing(4, (scripts) => compare(storeOn(database, { sweepRowsMax: 7 }), partOn(server, scripts))),
    )
  })
})
