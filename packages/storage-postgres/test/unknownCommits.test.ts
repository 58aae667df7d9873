import { assert, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import type { Connection } from "../src/engine/Connection.ts"
import { databaseAt, describeServers, migratedDatabase, proxyTo, throughPort } from "./server.ts"

const add = (connection: Connection) => connection.execute("INSERT INTO t (n) VALUES (1)")

const rowsOf = (
  server: { sql: (sql: string, database: string) => Promise<ReadonlyArray<unknown>> },
  url: string,
) => Effect.promise(() => server.sql("SELECT n FROM t", url.slice(url.lastIndexOf("/") + 1)))

describeServers("a transaction with a connection that breaks at COMMIT", (server) => {
  const setUp = Effect.gen(function* () {
    const url = yield* migratedDatabase(server())
    const proxy = yield* proxyTo(server())
    const database = yield* databaseAt(`${throughPort(url, proxy.port)}?sslmode=disable`, {
      attemptsMsMax: 9000,
      commitMsMax: 10_000,
      transactionMsMax: 20_000,
    })
    yield* database.query("create a table", "CREATE TABLE t (n int)")
    return { url, proxy, database }
  })

  it.live("a transaction is applied by a second attempt if the server never received COMMIT", () =>
    Effect.gen(function* () {
      const { database, proxy, url } = yield* setUp
      const cut = proxy.cut("COMMIT", "before")
      let runs = 0
      yield* database.write("commit", 1, (connection) => {
        runs++
        return add(connection)
      })
      yield* Effect.promise(() => cut)
      assert.strictEqual(runs, 2)
      assert.strictEqual((yield* rowsOf(server(), url)).length, 1)
    }),
  )

  it.live(
    "a transaction succeeds without a second attempt if the server had committed before the connection broke",
    () =>
      Effect.gen(function* () {
        const { database, proxy, url } = yield* setUp
        const cut = proxy.cut("COMMIT", "after")
        let runs = 0
        yield* database.write("commit", 1, (connection) => {
          runs++
          return add(connection)
        })
        yield* Effect.promise(() => cut)
        assert.strictEqual(runs, 1)
        assert.strictEqual((yield* rowsOf(server(), url)).length, 1)
      }),
  )

  it.live("a transaction fails and applies nothing if COMMIT gets lost but the connection stays open", () =>
    Effect.gen(function* () {
      const { database, proxy, url } = yield* setUp
      const cut = proxy.cut("COMMIT", "silent")
      const failure = yield* Effect.flip(database.write("commit", 1, add))
      yield* Effect.promise(() => cut)
      assert.strictEqual(failure._tag, "StoreUnavailable")
      yield* database.write("commit", 1, () => Effect.void)
      assert.strictEqual((yield* rowsOf(server(), url)).length, 0)
    }),
  )

  it.live("a transaction without statements sends the number that identifies it before it sends COMMIT", () =>
    Effect.gen(function* () {
      const { database, proxy } = yield* setUp
      const cut = proxy.cut("COMMIT", "silent")
      const writing = yield* Effect.forkChild(database.write("commit", 1, () => Effect.void))
      yield* Effect.promise(() => cut)
      const begun =
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'"
      assert.strictEqual((yield* database.query("look", begun)).length, 1)
      yield* Fiber.interrupt(writing)
    }),
  )

  it.live(
    "if the connection breaks during COMMIT and the PostgreSQL server does not come back, the transaction fails with StoreUnavailable",
    () =>
      Effect.gen(function* () {
        const { database, proxy } = yield* setUp
        const cut = proxy.cut("COMMIT", "after")
        const writing = yield* Effect.forkChild(Effect.flip(database.write("commit", 1, add)))
        yield* Effect.promise(() => cut)
        yield* Effect.promise(() => proxy.close())
        const failure = yield* Fiber.join(writing)
        assert.strictEqual(failure._tag, "StoreUnavailable")
        assert.match(String(failure.cause), /outcome is unknown/)
      }),
  )
})
