import { assert, it } from "@effect/vitest"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import { Effect, Fiber, Queue, Schedule } from "effect"
import { migrate, type MigrationMode } from "../src/migrations/migrate.ts"
import { newestFormat, released, type Migration } from "../src/migrations/released.ts"
import { makeNodeRecords } from "../src/nodes/recordedNodes.ts"
import { registerUpload } from "@inlethq/storage/tables/uploads"
import { makeTables } from "../src/tables/tables.ts"
import {
  besideOn,
  databaseAt,
  describeServers,
  emptyDatabase,
  migratedDatabase,
  sessionTo,
} from "./server.ts"

const one = { id: 1, name: "one", statements: ["CREATE TABLE one (n INT)", "INSERT INTO one VALUES (1)"] }
const two = { id: 2, name: "two", statements: ["UPDATE one SET n = n + 1"] }
const broken = { id: 2, name: "broken", statements: ["UPDATE one SET n = 99", "UPDATE nowhere SET n = 1"] }

const valuesAt = (url: string) =>
  Effect.scoped(Effect.flatMap(sessionTo(url), (session) => session.queryByIndex("SELECT n FROM one")))
const migrateTo = (url: string, migrations: ReadonlyArray<Migration>, mode: MigrationMode = "on") =>
  Effect.scoped(
    Effect.flatMap(sessionTo(url), (session) => migrate(session, besideOn(url), migrations, mode)),
  )

const index = { name: "one_n", on: "one (n)", isUnique: true }
const builds = { id: 2, name: "an index", indexes: [index] }
const isValid = (url: string) =>
  Effect.scoped(
    Effect.flatMap(sessionTo(url), (session) =>
      session.queryByIndex("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('one_n')"),
    ),
  )

describeServers("migrations", (server) => {
  it.live("each migration runs once, in the order of the migrations", () =>
    Effect.gen(function* () {
      const url = yield* emptyDatabase(server())
      yield* migrateTo(url, [one])
      yield* migrateTo(url, [one, two])
      yield* migrateTo(url, [one, two])
      assert.deepStrictEqual(yield* valuesAt(url), [[2]])
    }),
  )

  it.live("if ten nodes start at once on an empty database, each migration runs once", () =>
    Effect.gen(function* () {
      const url = yield* emptyDatabase(server())
      const starts = Array.from({ length: 10 }, () => migrateTo(url, [one, two]))
      yield* Effect.all(starts, { concurrency: "unbounded" })
      assert.deepStrictEqual(yield* valuesAt(url), [[2]])
    }),
  )

  it.live("nodes of the previous version continue to write while a new node migrates the database", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase(server())
      const database = yield* databaseAt(url)
      const register = registerUpload(makeTables(database))
      let written = 0
      const write = Effect.tap(
        Effect.suspend(() =>
          register({ workspace: WorkspaceId.make(1), name: `part ${written}`, digest: "d", at: 1 }),
        ),
        () => Effect.sync(() => written++),
      )
      const writing = yield* Effect.forkChild(Effect.forever(write))
      const grown = Effect.suspend(() => {
        const before = written
        return Effect.repeat(
          Effect.sync(() => written),
          { until: (now) => now >= before + 20, schedule: Schedule.spaced(10) },
        )
      })
      yield* grown
      yield* migrateTo(url, [
        ...released,
        {
          id: 1_000_000,
          name: "of the next version",
          statements: [
            "ALTER TABLE uploads ADD COLUMN size BIGINT NOT NULL DEFAULT 0",
            "CREATE INDEX uploads_size ON uploads (workspace, size)",
          ],
        },
      ])
      yield* grown
      assert.isUndefined(writing.pollUnsafe())
      yield* Fiber.interrupt(writing)
    }),
  )

  it.live("a migration that removes something is refused while a node of another format runs", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase(server())
      const database = yield* databaseAt(url)
      const node = yield* makeNodeRecords(database)
      yield* node.record
      const adds = { id: 1_000_000, name: "adds", statements: ["CREATE TABLE extra (n INT)"] }
      const removes = { id: 1_000_001, name: "removes", statements: ["ALTER TABLE extra RENAME TO other"] }
      const formats = Effect.map(
        database.query("read the formats", "SELECT id, works_from FROM migrations ORDER BY id"),
        (rows) => rows.map((row) => [Number(row["id"]), Number(row["works_from"])]),
      )
      const before = yield* formats
      const all = [...released, adds, removes]
      assert.strictEqual((yield* Effect.flip(migrateTo(url, all)))._tag, "LiveNodes")
      assert.strictEqual((yield* Effect.flip(migrateTo(url, all, "off")))._tag, "MigrationMissing")
      assert.deepStrictEqual(yield* formats, before)
      yield* migrateTo(url, [...released, adds])
      yield* migrateTo(url, all, "force")
      const known = newestFormat()
      assert.deepStrictEqual(yield* formats, [...before, [1_000_000, known], [1_000_001, 1_000_001]])
    }),
  )

  it.live("a migration that removes something runs once no node of another format runs", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase(server())
      const database = yield* databaseAt(url)
      const node = yield* makeNodeRecords(database)
      yield* node.record
      yield* node.remove
      yield* migrateTo(url, [
        ...released,
        { id: 1_000_000, name: "removes", statements: ["DROP TABLE uploads"] },
      ])
    }),
  )

  it.live("if ten nodes start at once, an index is built once, and none waits for another forever", () =>
    Effect.gen(function* () {
      const url = yield* emptyDatabase(server())
      const starts = Array.from({ length: 10 }, () => migrateTo(url, [one, builds]))
      yield* Effect.all(starts, { concurrency: "unbounded" })
      assert.deepStrictEqual(yield* isValid(url), [[true]])
      yield* migrateTo(url, [one, builds])
    }),
  )

  it.live("an index whose building was interrupted is built again", () =>
    Effect.gen(function* () {
      const url = yield* emptyDatabase(server())
      yield* migrateTo(url, [one])
      const session = yield* sessionTo(url)
      yield* session.execute("INSERT INTO one VALUES (1)")
      // Two equal rows end the building of a unique index, which leaves it invalid.
      assert.strictEqual((yield* Effect.exit(migrateTo(url, [one, builds])))._tag, "Failure")
      assert.deepStrictEqual(yield* isValid(url), [[false]])
      yield* session.execute("DELETE FROM one")
      yield* migrateTo(url, [one, builds])
      assert.deepStrictEqual(yield* isValid(url), [[true]])
    }),
  )

  it.live("an index is built without a transaction, and the migration says how far it is", () =>
    Effect.gen(function* () {
      const url = yield* emptyDatabase(server())
      yield* migrateTo(url, [one])
      const writer = yield* sessionTo(url)
      yield* writer.control("BEGIN")
      yield* writer.execute("INSERT INTO one VALUES (2)")
      const told = yield* Queue.unbounded<string>()
      const beside = besideOn(url, (doing) => Queue.offer(told, doing))
      const session = yield* sessionTo(url)
      const migrating = yield* Effect.forkChild(migrate(session, beside, [one, builds]))
      assert.strictEqual(yield* Queue.take(told), "migrating to format 2: an index")
      assert.strictEqual(
        yield* Queue.take(told),
        "building the index one_n: waiting for writers before build",
      )
      // A node may write while the building waits, and it waits for no row.
      yield* Effect.scoped(
        Effect.flatMap(sessionTo(url), (other) => other.execute("INSERT INTO one VALUES (3)")),
      )
      yield* writer.control("COMMIT")
      yield* Fiber.join(migrating)
      assert.deepStrictEqual(yield* isValid(url), [[true]])
    }),
  )

  it.live("a migration that fails changes nothing", () =>
    Effect.gen(function* () {
      const url = yield* emptyDatabase(server())
      assert.strictEqual((yield* Effect.exit(migrateTo(url, [one, broken])))._tag, "Failure")
      assert.deepStrictEqual(yield* valuesAt(url), [[1]])
      yield* migrateTo(url, [one, two])
      assert.deepStrictEqual(yield* valuesAt(url), [[2]])
    }),
  )

  it.live("a database of a newer version is refused and not changed", () =>
    Effect.gen(function* () {
      const url = yield* emptyDatabase(server())
      yield* migrateTo(url, [one, two])
      const failure = yield* Effect.flip(migrateTo(url, [one]))
      assert.strictEqual(
        failure.message,
        "the PostgreSQL database has format 2, but this version of Inlet reads only formats up to 1; start the version of Inlet that migrated the database, or a newer version",
      )
    }),
  )

  it.live("refuses a database of a build before the first release", () =>
    Effect.gen(function* () {
      const url = yield* emptyDatabase(server())
      yield* migrateTo(url, [one, two])
      assert.strictEqual(
        (yield* Effect.flip(migrateTo(url, released))).message,
        "the PostgreSQL database has format 2, from a build before the first release; run `inlet export` with that build and `inlet import` into a new database",
      )
    }),
  )

  it.live("the migration refuses a database in which another program has a table `migrations`", () =>
    Effect.gen(function* () {
      const url = yield* emptyDatabase(server())
      yield* Effect.scoped(
        Effect.flatMap(sessionTo(url), (session) =>
          session.execute("CREATE TABLE migrations (version TEXT)"),
        ),
      )
      assert.strictEqual((yield* Effect.flip(migrateTo(url, released)))._tag, "ForeignDatabase")
    }),
  )
})
