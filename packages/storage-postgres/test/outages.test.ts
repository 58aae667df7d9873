import { assert, describe, it } from "@effect/vitest"
import { PostgresServer } from "@inlethq/postgres-server/PostgresServer"
import { installations } from "@inlethq/postgres-server/installations"
import { Effect } from "effect"
import type { Connection } from "../src/engine/Connection.ts"
import { openDatabase } from "../src/openDatabase.ts"
import { nodeDatabaseAt, emptyDatabase, migratedDatabase, settingsOf } from "./server.ts"

const add = (connection: Connection) => connection.execute("INSERT INTO t (n) VALUES (1)")

/** Each test has a server of its own, because each test stops its server. */
describe.concurrent.each(installations())("while PostgreSQL $version is away", (installation) => {
  const ownServer = Effect.acquireRelease(
    Effect.promise(() => PostgresServer.start({ installation })),
    (server) => Effect.promise(() => server.remove()),
  )

  it.live(
    "a transaction fails with StoreUnavailable, and a transaction after the server has returned succeeds",
    () =>
      Effect.gen(function* () {
        const server = yield* ownServer
        const database = yield* nodeDatabaseAt(yield* migratedDatabase(server))
        yield* database.write("prepare", 1, (connection) => connection.execute("CREATE TABLE t (n INT)"))
        yield* Effect.promise(() => server.kill())
        const failure = yield* Effect.flip(database.write("commit", 1, add))
        yield* Effect.promise(() => server.resume())
        assert.strictEqual(failure._tag, "StoreUnavailable")
        assert.strictEqual(failure.message, "the store cannot commit now")
        yield* database.write("commit", 1, add)
        assert.deepStrictEqual(yield* database.query("look", "SELECT n FROM t"), [{ n: 1 }])
      }),
  )

  it.live("a node that starts waits until the PostgreSQL server is available again", () =>
    Effect.gen(function* () {
      const server = yield* ownServer
      const settings = settingsOf(yield* emptyDatabase(server))
      yield* Effect.promise(() => server.stop())
      const resume = Effect.promise(() => server.resume())
      yield* Effect.all([Effect.scoped(openDatabase(settings)), resume], { concurrency: 2 })
    }),
  )
})
