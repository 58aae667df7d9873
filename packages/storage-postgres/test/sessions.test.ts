import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Queue } from "effect"
import type { Connection } from "../src/engine/Connection.ts"
import { inOneRoundTrip } from "../src/engine/inOneRoundTrip.ts"
import { databaseAt, describeServers, migratedDatabase, proxyTo, throughPort } from "./server.ts"

const settingsIn = (connection: Connection) =>
  connection.query(`
    SELECT current_setting('lock_timeout') AS lock, current_setting('statement_timeout') AS statement,
      current_setting('idle_in_transaction_session_timeout') AS idle, pg_backend_pid() AS pid
  `)

const insertOne = (connection: Connection) => connection.executeWithNext("INSERT INTO t (n) VALUES (1)")

const insertName = "INSERT INTO t (name) VALUES ($1)"

describeServers("sessions", (server) => {
  const database = (parameters = "") =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase(server())
      return yield* databaseAt(`${url}${parameters}`, {
        lockMsMax: 1000,
        idleMsMax: 30_000,
        readStatementMsMax: 35_000,
        attemptsMax: 3,
      })
    })

  it.live(
    "a session has its limits only inside transactions, so that a connection pooler may give it to another client",
    () =>
      Effect.gen(function* () {
        const opened = yield* database()
        const [writing] = yield* opened.write("look", 1, settingsIn)
        const [reading] = yield* opened.read("look", settingsIn)
        const [after] = yield* opened.query(
          "look",
          "SELECT current_setting('lock_timeout') AS lock, current_setting('statement_timeout') AS statement, pg_backend_pid() AS pid",
        )
        const pid = after?.["pid"]
        assert.deepStrictEqual(writing, { lock: "1s", statement: "0", idle: "30s", pid })
        assert.deepStrictEqual(reading, { lock: "0", statement: "35s", idle: "30s", pid })
        assert.deepStrictEqual(after, { lock: "0", statement: "0", pid })
      }),
  )

  it.live.each([
    ["?prepare=false", false],
    ["?prepare=true", true],
  ] as const)(
    "the URL parameter prepare decides whether the server has named statements: %s",
    ([parameters, expected]) =>
      Effect.gen(function* () {
        const opened = yield* database(parameters)
        const look = opened.query("look", "SELECT count(*) > 0 AS named FROM pg_prepared_statements")
        yield* look
        assert.deepStrictEqual(yield* look, [{ named: expected }])
      }),
  )

  it.live.each(["?prepare=false", "?prepare=true"])(
    "with %s the server executes statements in the order in which they start",
    (parameters) =>
      Effect.gen(function* () {
        const opened = yield* database(parameters)
        yield* opened.query("prepare", "CREATE TABLE t (n INT GENERATED ALWAYS AS IDENTITY, name TEXT)")
        const names = Array.from({ length: 40 }, (_, n) => `waiting ${n}`)
        yield* opened.write("commit", 1, (connection) =>
          Effect.gen(function* () {
            for (const name of names) yield* connection.executeWithNext(insertName, [name])
            const first = connection.query(`${insertName} RETURNING n`, ["first"])
            const [[returned], seen] = yield* inOneRoundTrip(
              [first],
              connection.query("SELECT max(n) AS n FROM t"),
            )
            assert.deepStrictEqual([returned, seen], [[{ n: 41 }], [{ n: 41 }]])
            yield* connection.executeWithNext(insertName, ["last"])
          }),
        )
        const rows = yield* opened.query("look", "SELECT name FROM t ORDER BY n")
        assert.deepStrictEqual(
          rows.map(({ name }) => name),
          [...names, "first", "last"],
        )
      }),
  )

  it.live.each(["?prepare=false", "?prepare=true"])(
    "with %s the failure of a statement that waits for the next one fails the transaction",
    (parameters) =>
      Effect.gen(function* () {
        const opened = yield* database(parameters)
        yield* opened.query("prepare", "CREATE TABLE t (n INT PRIMARY KEY)")
        let runs = 0
        const failure = yield* Effect.flip(
          opened.write("commit", 1, (connection) => {
            runs++
            return Effect.andThen(insertOne(connection), insertOne(connection))
          }),
        )
        assert.match(String(failure.cause), /23505/)
        assert.isAbove(runs, 1)
        yield* opened.write("commit", 1, insertOne)
        assert.deepStrictEqual(yield* opened.query("look", "SELECT n FROM t"), [{ n: 1 }])
      }),
  )

  it.live(
    "at most pool_size sessions of PostgreSQL are open, and further transactions wait until a session is free",
    () =>
      Effect.gen(function* () {
        const opened = yield* database("?pool_size=2")
        const pids = yield* Effect.all(
          Array.from({ length: 20 }, () =>
            opened.query("look", "SELECT pg_backend_pid() AS pid, pg_sleep(0.01)::text"),
          ),
          { concurrency: "unbounded" },
        )
        assert.isAtMost(new Set(pids.map(([row]) => row?.["pid"])).size, 2)
      }),
  )

  it.live("a listening session receives notifications, and reconnects when its connection breaks", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase(server())
      const proxy = yield* proxyTo(server())
      const listener = yield* databaseAt(`${throughPort(url, proxy.port)}?sslmode=disable`)
      const notifier = yield* databaseAt(url)
      const hints = yield* Queue.unbounded<string | null>()
      yield* listener.listen("commits", (payload) => Effect.asVoid(Queue.offer(hints, payload)))
      assert.isNull(yield* Queue.take(hints))
      yield* notifier.notify("commits", "one")
      assert.strictEqual(yield* Queue.take(hints), "one")
      proxy.cutAll()
      assert.isNull(yield* Queue.take(hints))
      yield* notifier.notify("commits", "two")
      assert.strictEqual(yield* Queue.take(hints), "two")
    }),
  )

  it.live("interrupting a transaction closes its session, so the transaction is rolled back", () =>
    Effect.gen(function* () {
      const opened = yield* database()
      yield* opened.query("prepare", "CREATE TABLE t (n INT)")
      const inserted = yield* Deferred.make<void>()
      const writing = opened.write("commit", 1, (connection) =>
        Effect.andThen(
          connection.execute("INSERT INTO t (n) VALUES (1)"),
          Effect.andThen(Deferred.succeed(inserted, undefined), Effect.never),
        ),
      )
      yield* Effect.raceFirst(writing, Deferred.await(inserted))
      const [row] = yield* opened.query("look", "SELECT count(*) AS n FROM t")
      assert.deepStrictEqual(row, { n: 0 })
    }),
  )
})
