import { assert, it } from "@effect/vitest"
import { NodeUnfit } from "@inlethq/core/ports/NodeFitness"
import { Clock, Effect, Exit } from "effect"
import { DatabaseClock } from "../src/nodes/DatabaseClock.ts"
import { fitDatabase, whileFitOn } from "../src/nodes/fitDatabase.ts"
import { newestFormat } from "../src/migrations/released.ts"
import { makeNodeWatch } from "../src/nodes/watchNode.ts"
import { databaseAt, describeServers, migratedDatabase } from "./server.ts"

const dayMs = 24 * 60 * 60_000

describeServers("the database of a node that may be unfit", (server) => {
  const nodeWith = (aheadMs: number) =>
    Effect.gen(function* () {
      const opened = yield* databaseAt(yield* migratedDatabase(server()))
      const system = yield* Clock.Clock
      const own: Clock.Clock = {
        ...system,
        currentTimeMillisUnsafe: () => system.currentTimeMillisUnsafe() + aheadMs,
        monotonicTimeNanosUnsafe: () => system.monotonicTimeNanosUnsafe(),
      }
      const told: Array<string | null> = []
      const clock = new DatabaseClock(own)
      const watch = makeNodeWatch(opened, clock, own, newestFormat(), (unfit) =>
        Effect.sync(() => void told.push(unfit === null ? null : unfit.fault._tag)),
      )
      return { opened, clock, told, watch, database: fitDatabase(opened, whileFitOn(watch)) }
    })

  const write = (database: Effect.Success<ReturnType<typeof nodeWith>>["database"]) =>
    database.write("write", 1, (connection) => connection.execute("SELECT 1"))

  it.live("writes nothing while the clock of the node is wrong, and goes by the database's", () =>
    Effect.gen(function* () {
      const { clock, database, told, watch } = yield* nodeWith(-31 * dayMs)
      yield* watch.look
      const failure = yield* Effect.flip(write(database))
      assert.isTrue(failure.cause instanceof NodeUnfit)
      assert.match(failure.message, /^the clock of this node is 26784\d\d s behind the database's clock/)
      assert.strictEqual((yield* database.query("read", "SELECT 1 AS one")).length, 1)
      assert.isBelow(Math.abs(clock.currentTimeMillisUnsafe() - (yield* Clock.currentTimeMillis)), dayMs)
      yield* watch.look
      assert.deepStrictEqual(told, ["WrongClock"])
    }),
  )

  it.live("finds out by a rejected statement that another node has changed the tables", () =>
    Effect.gen(function* () {
      const { database, opened, watch } = yield* nodeWith(0)
      yield* watch.look
      yield* write(database)
      yield* opened.query("rename", "ALTER TABLE uploads RENAME TO parts")
      const query = database.query("read", "SELECT name FROM uploads")
      assert.isTrue(Exit.hasDies(yield* Effect.exit(query)))
      yield* opened.query(
        "migrate",
        `INSERT INTO migrations (id, name) VALUES (${newestFormat() + 1}, 'renames')`,
      )
      assert.match(
        (yield* Effect.flip(query)).message,
        /^the database has format \d+, but this node works with/,
      )
      assert.isTrue((yield* Effect.flip(write(database))).cause instanceof NodeUnfit)
    }),
  )

  it.live("works beside a newer format that only adds something", () =>
    Effect.gen(function* () {
      const { database, opened, watch } = yield* nodeWith(0)
      const known = newestFormat()
      yield* opened.query(
        "migrate",
        `INSERT INTO migrations (id, name, works_from) VALUES (${known + 1}, 'adds', ${known})`,
      )
      yield* watch.look
      yield* write(database)
      yield* opened.query("go back", `DELETE FROM migrations WHERE id > ${known - 1}`)
      yield* opened.query("go back", `INSERT INTO migrations (id, name) VALUES (${known - 1}, 'earlier')`)
      yield* watch.look
      assert.isTrue((yield* Effect.flip(write(database))).cause instanceof NodeUnfit)
    }),
  )
})
