import { assert, it } from "@effect/vitest"
import { Cause, Data, Effect, Exit } from "effect"
import type { Connection } from "../src/engine/Connection.ts"
import { installation } from "../src/engine/Database.ts"
import { bools, byteas, int2s, int8s, texts } from "../src/engine/parameters.ts"
import { databaseAt, describeServers, migratedDatabase, sessionTo } from "./server.ts"

class Refused extends Data.TaggedError("Refused") {}

const idle = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"

const insertNext = (connection: Connection) =>
  Effect.gen(function* () {
    const [row] = yield* connection.query("SELECT coalesce(max(n), 0) + 1 AS next FROM t")
    const next = Number(row?.["next"])
    yield* connection.execute("INSERT INTO t (n) VALUES ($1)", [next])
    return next
  })

const raise = (connection: Connection, above: boolean) =>
  connection.execute(`UPDATE t SET n = n + 1 WHERE n ${above ? ">" : "<"} 5`)

const count = (connection: Connection) => connection.queryByIndex("SELECT count(*) FROM t")

describeServers("transactions", (server) => {
  const setUp = Effect.gen(function* () {
    const url = yield* migratedDatabase(server())
    const database = yield* databaseAt(url)
    yield* database.query("create a table", "CREATE TABLE t (n BIGINT PRIMARY KEY)")
    const numbers = Effect.map(database.query("read", "SELECT n FROM t ORDER BY n"), (rows) =>
      rows.map(({ n }) => n),
    )
    return { url, database, numbers }
  })

  it.live(
    "a transaction runs again after a unique violation, so concurrent transactions number their rows without gaps",
    () =>
      Effect.gen(function* () {
        const { database, numbers } = yield* setUp
        const writes = Array.from({ length: 30 }, () => database.write("commit", 1, insertNext))
        const given = yield* Effect.all(writes, { concurrency: 5 })
        const expected = Array.from({ length: 30 }, (_, index) => index + 1)
        assert.deepStrictEqual(
          given.toSorted((a, b) => a - b),
          expected,
        )
        assert.deepStrictEqual(yield* numbers, expected)
      }),
  )

  it.live("a transaction runs again after a deadlock", () =>
    Effect.gen(function* () {
      const { database, numbers } = yield* setUp
      yield* database.query("fill", "INSERT INTO t (n) VALUES (1), (10)")
      const swap = (above: boolean) =>
        database.write("commit", 1, (connection) =>
          Effect.gen(function* () {
            yield* raise(connection, above)
            yield* connection.execute("SELECT pg_sleep(0.1)")
            yield* raise(connection, !above)
          }),
        )
      yield* Effect.all([swap(true), swap(false)], { concurrency: 2 })
      assert.deepStrictEqual(yield* numbers, [3, 12])
    }),
  )

  it.live("a transaction fails and changes no row if another transaction never releases a lock", () =>
    Effect.gen(function* () {
      const { database, numbers, url } = yield* setUp
      yield* database.query("fill", "INSERT INTO t (n) VALUES (1)")
      const hurried = yield* databaseAt(url, { lockMsMax: 100, attemptsMax: 2 })
      const holder = yield* sessionTo(url)
      yield* holder.control("BEGIN")
      yield* holder.execute("SELECT n FROM t FOR UPDATE")
      const failure = yield* Effect.flip(
        hurried.write("commit", 1, (connection) => connection.execute("UPDATE t SET n = 2")),
      )
      yield* holder.control("ROLLBACK")
      assert.strictEqual(failure._tag, "StoreUnavailable")
      assert.match(String(failure.cause), /55P03/)
      assert.deepStrictEqual(yield* numbers, [1])
    }),
  )

  it.live("if the body of a transaction fails, the transaction is rolled back and returns the error", () =>
    Effect.gen(function* () {
      const { database, numbers } = yield* setUp
      const failure = yield* Effect.flip(
        database.write("commit", 1, (connection) => Effect.andThen(insertNext(connection), new Refused())),
      )
      assert.strictEqual(failure._tag, "Refused")
      assert.deepStrictEqual(yield* numbers, [])
    }),
  )

  it.live("a statement that PostgreSQL rejects makes the transaction die with a defect", () =>
    Effect.gen(function* () {
      const { database } = yield* setUp
      const exit = yield* Effect.exit(
        database.write("commit", 1, (connection) => connection.execute("SELECT nothing")),
      )
      assert.isTrue(Exit.hasDies(exit))
    }),
  )

  it.live("a transaction dies with a defect if its body continues after a failed statement", () =>
    Effect.gen(function* () {
      const { database, numbers } = yield* setUp
      const exit = yield* Effect.exit(
        database.write("commit", 1, (connection) =>
          Effect.andThen(insertNext(connection), Effect.ignore(connection.execute("SELECT 1 / 0"))),
        ),
      )
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
      assert.deepStrictEqual(yield* numbers, [])
    }),
  )

  it.live("a transaction runs again if the server terminates its connection", () =>
    Effect.gen(function* () {
      const { database, numbers, url } = yield* setUp
      const other = yield* databaseAt(url)
      let runs = 0
      yield* database.write("commit", installation, (connection) =>
        Effect.gen(function* () {
          yield* insertNext(connection)
          if (++runs > 1) return
          yield* other.query("terminate", `SELECT pg_terminate_backend(pid) FROM (${idle}) AS backends`)
          yield* insertNext(connection)
        }),
      )
      assert.strictEqual(runs, 2)
      assert.deepStrictEqual(yield* numbers, [1])
    }),
  )

  it.live("all statements of a transaction that only reads see the same snapshot", () =>
    Effect.gen(function* () {
      const { database } = yield* setUp
      const counts = yield* database.read("read", (connection) =>
        Effect.gen(function* () {
          const before = yield* count(connection)
          yield* database.write("commit", 1, insertNext)
          return [before, yield* count(connection)]
        }),
      )
      assert.deepStrictEqual(counts, [[[0]], [[0]]])
    }),
  )

  it.live("statements bind arrays of each type and return numbers, texts and bytes", () =>
    Effect.gen(function* () {
      const { database } = yield* setUp
      const rows = yield* database.query(
        "read",
        `SELECT * FROM unnest($1::bigint[], $2::smallint[], $3::boolean[], $4::text[], $5::bytea[]) AS r (a, b, c, d, e)`,
        [
          int8s([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, null]),
          int2s([1, -1, null]),
          bools([true, false, null]),
          texts(["", 'ä"{},\\', null]),
          byteas([new Uint8Array([0, 255]), new Uint8Array(0), null]),
        ],
      )
      assert.deepStrictEqual(rows.map(Object.values), [
        [Number.MAX_SAFE_INTEGER, 1, true, "", new Uint8Array([0, 255])],
        [Number.MIN_SAFE_INTEGER, -1, false, 'ä"{},\\', new Uint8Array(0)],
        [null, null, null, null, null],
      ])
      const [empty] = yield* database.query("read", "SELECT cardinality($1::bigint[]) AS n", [int8s([])])
      assert.deepStrictEqual(empty, { n: 0 })
    }),
  )
})
