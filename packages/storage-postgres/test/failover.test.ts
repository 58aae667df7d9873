import { packagedInstallation } from "@inlethq/postgres-server/installations"
import { PostgresServer } from "@inlethq/postgres-server/PostgresServer"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Fiber, Ref, Schedule } from "effect"
import { openDatabase } from "../src/openDatabase.ts"
import { readDatabaseState } from "../src/read/databaseState.ts"
import { databaseAt, settingsOf } from "./server.ts"

describe("a primary with a synchronous standby", () => {
  let primary: PostgresServer
  let standby: PostgresServer
  beforeAll(async () => {
    primary = await PostgresServer.start({ installation: packagedInstallation() })
    standby = await primary.standby("standby")
    await primary.stop()
    primary.configure({ synchronous_standby_names: "standby" })
    await primary.resume()
  })
  afterAll(async () => {
    await standby.remove()
    await primary.remove()
  })

  it.live("the state of the database shows the standby for which commits wait", () =>
    Effect.gen(function* () {
      const database = yield* openDatabase(settingsOf(primary.url()))
      const connected = readDatabaseState(database, { poolSize: 10, prepare: true }).pipe(
        Effect.repeat({
          until: ({ standbys }) => standbys.some(({ isSynchronous }) => isSynchronous),
          schedule: Schedule.spaced(20),
        }),
      )
      const { standbys, synchronousStandbyNames } = yield* connected
      assert.strictEqual(synchronousStandbyNames, "standby")
      assert.deepStrictEqual(
        standbys.map(({ isSynchronous, name }) => [name, isSynchronous]),
        [["standby", true]],
      )
    }),
  )

  it.live(
    "to a user without the role pg_monitor, it is unknown whether commits wait for a standby and how far it is behind",
    () =>
      Effect.gen(function* () {
        yield* openDatabase(settingsOf(primary.url()))
        yield* Effect.promise(() =>
          primary.sql([
            "CREATE ROLE plain LOGIN PASSWORD 'plain'",
            "GRANT SELECT ON migrations, nodes TO plain",
          ]),
        )
        const plain = primary.url(undefined, { name: "plain", password: "plain" })
        const { standbys } = yield* readDatabaseState(yield* databaseAt(plain), {
          poolSize: 10,
          prepare: true,
        })
        assert.deepStrictEqual(standbys, [
          { name: "standby", state: "unknown", isSynchronous: null, bytesBehind: null },
        ])
      }),
  )

  it.live("a write is not acknowledged while the synchronous standby is stopped", () =>
    Effect.gen(function* () {
      const database = yield* openDatabase(settingsOf(primary.url()))
      yield* database.write("prepare", 1, (connection) => connection.execute("CREATE TABLE u (n BIGINT)"))
      yield* Effect.promise(() => standby.stop())
      const failure = yield* Effect.flip(
        database.write("commit", 1, (connection) => connection.execute("INSERT INTO u (n) VALUES (1)")),
      )
      assert.match(String(failure.cause), /outcome is unknown/)
      yield* Effect.promise(() => standby.resume())
      yield* Effect.retry(
        database.write("commit", 1, (connection) => connection.execute("INSERT INTO u (n) VALUES (2)")),
        { times: 20 },
      )
    }),
  )

  it.live("no acknowledged write is lost when the primary is killed and the standby is promoted", () =>
    Effect.gen(function* () {
      // The standby comes first in the URL, so every connection has to skip the standby until the standby is promoted.
      const hosts = `127.0.0.1:${standby.port},127.0.0.1:${primary.port}`
      const url = primary.url().replace(`127.0.0.1:${primary.port}`, hosts)
      const database = yield* openDatabase(settingsOf(`${url}?target_session_attrs=read-write`))
      yield* database.write("prepare", 1, (connection) => connection.execute("CREATE TABLE t (n BIGINT)"))
      const acknowledged = yield* Ref.make<ReadonlyArray<number>>([])
      let next = 0
      const write = Effect.gen(function* () {
        const n = ++next
        yield* database.write("commit", 1, (connection) =>
          connection.execute("INSERT INTO t (n) VALUES ($1)", [n]),
        )
        yield* Ref.update(acknowledged, (all) => [...all, n])
      })
      const writer = Effect.forever(Effect.ignore(write))
      const writers = yield* Effect.forkChild(Effect.all([writer, writer, writer], { concurrency: 3 }))
      const grown = (by: number) =>
        Effect.gen(function* () {
          const before = (yield* Ref.get(acknowledged)).length
          yield* Ref.get(acknowledged).pipe(
            Effect.repeat({ until: (all) => all.length >= before + by, schedule: Schedule.spaced(20) }),
          )
        })
      yield* grown(100)
      yield* Effect.promise(() => primary.kill())
      yield* Effect.promise(() => standby.sql("SELECT pg_promote()"))
      yield* grown(100)
      yield* Fiber.interrupt(writers)
      const rows = yield* Effect.promise(() => standby.sql("SELECT n FROM t ORDER BY n"))
      const stored = new Map<number, number>()
      for (const { n } of rows) stored.set(Number(n), (stored.get(Number(n)) ?? 0) + 1)
      assert.deepStrictEqual(
        (yield* Ref.get(acknowledged)).filter((n) => stored.get(n) !== 1),
        [],
      )
      assert.deepStrictEqual(
        [...stored.values()].filter((times) => times !== 1),
        [],
      )
    }),
  )
})
