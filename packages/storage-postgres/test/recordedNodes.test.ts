import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeNodeRecords, recordForever } from "../src/nodes/recordedNodes.ts"
import { databaseAt, describeServers, migratedDatabase } from "./server.ts"

describeServers("the records of nodes", (server) => {
  it.live("a node lists itself and the other nodes until they remove their records", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase(server())
      const one = yield* makeNodeRecords(yield* databaseAt(url))
      const other = yield* makeNodeRecords(yield* databaseAt(url))
      assert.deepStrictEqual(yield* one.list, [])
      yield* Effect.all([one.record, other.record, one.record])
      const nodes = yield* one.list
      assert.deepStrictEqual(nodes.map(({ isSelf }) => isSelf).toSorted(), [false, true])
      for (const node of nodes) {
        assert.match(node.version, /^\d+\.\d+\.\d+/)
        assert.isAbove(node.startedAt, 0)
        assert.isTrue(Number.isInteger(node.clockAheadMs))
        assert.isAtLeast(node.silentMs, 0)
      }
      yield* other.remove
      assert.deepStrictEqual(
        (yield* one.list).map(({ isSelf }) => isSelf),
        [true],
      )
    }),
  )

  it.live("a node that stops removes itself from the list of nodes", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase(server())
      const one = yield* makeNodeRecords(yield* databaseAt(url))
      const stopping = yield* makeNodeRecords(yield* databaseAt(url))
      yield* Effect.scoped(Effect.andThen(recordForever(stopping), stopping.record))
      assert.deepStrictEqual(yield* one.list, [])
    }),
  )

  it.live(
    "the list of nodes contains the node that returns the list, even if a hundred nodes were killed",
    () =>
      Effect.gen(function* () {
        const database = yield* databaseAt(yield* migratedDatabase(server()))
        yield* database.query(
          "record nodes that were killed",
          `INSERT INTO nodes (id, host, version, started_at, format, seen, clock_ahead_ms)
          SELECT n::text, '', '1.0.0', 0, 1, clock_timestamp() - interval '1 hour', 0 FROM generate_series(1, 100) AS n`,
        )
        const node = yield* makeNodeRecords(database)
        yield* node.record
        const nodes = yield* node.list
        assert.strictEqual(nodes.length, 100)
        assert.strictEqual(nodes.filter(({ isSelf }) => isSelf).length, 1)
      }),
  )

  it.live("the record of a node that was killed is removed after a day", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase(server())
      const database = yield* databaseAt(url)
      const one = yield* makeNodeRecords(database)
      const killed = yield* makeNodeRecords(database)
      yield* killed.record
      const silentFor = (time: string) =>
        database.query("make a node silent", `UPDATE nodes SET seen = clock_timestamp() - interval '${time}'`)
      yield* silentFor("1 hour")
      yield* one.record
      assert.deepStrictEqual(
        (yield* one.list).map(({ isSelf, silentMs }) => [isSelf, silentMs >= 3_600_000]).toSorted(),
        [
          [false, true],
          [true, false],
        ],
      )
      yield* silentFor("25 hours")
      yield* one.record
      assert.deepStrictEqual(
        (yield* one.list).map(({ isSelf }) => isSelf),
        [true],
      )
    }),
  )
})
