import { assert, it } from "@effect/vitest"
import { Effect, Logger, Redacted } from "effect"
import { openInstallation } from "../src/installation/Installation.ts"
import { openDatabase } from "../src/openDatabase.ts"
import { makeNodeRecords } from "../src/nodes/recordedNodes.ts"
import {
  databaseAt,
  describeServers,
  emptyDatabase,
  migratedDatabase,
  sessionTo,
  settingsOf,
  throughPort,
} from "./server.ts"

const open = (url: string) => Effect.scoped(openDatabase(settingsOf(url)))

const messageOf = (url: string) => Effect.map(Effect.flip(open(url)), ({ message }) => message)

const databaseOf = (url: string) => url.slice(url.lastIndexOf("/") + 1)

const lacks = (what: string) =>
  `the PostgreSQL user guest lacks rights (permission denied for ${what}); grant the rights, or make the user the owner of the database`

describeServers("an error at the start of a node", (server) => {
  const run = (statement: string, database?: string) =>
    Effect.promise(() => server().sql(statement, database))

  it.live(
    "if the password for PostgreSQL is wrong, the start error names the user but does not contain the password",
    () =>
      Effect.gen(function* () {
        const message = yield* messageOf(server().url("postgres", { name: "inlet", password: "guess" }))
        assert.strictEqual(
          message,
          'PostgreSQL refuses the user inlet (password authentication failed for user "inlet"); correct the user or the password in INLET_STORE',
        )
      }),
  )

  it.live("the start error names the database if the database does not exist", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* messageOf(server().url("nowhere")),
        "the PostgreSQL database nowhere does not exist; create the database, or correct INLET_STORE",
      )
    }),
  )

  it.live("the start error names the rights that the user lacks", () =>
    Effect.gen(function* () {
      const user = { name: "guest", password: "guest" }
      yield* run("CREATE ROLE guest LOGIN PASSWORD 'guest'")
      const database = databaseOf(yield* emptyDatabase(server()))
      assert.strictEqual(yield* messageOf(server().url(database, user)), lacks("schema public"))
      yield* run(`REVOKE CONNECT ON DATABASE ${database} FROM PUBLIC`)
      assert.strictEqual(yield* messageOf(server().url(database, user)), lacks(`database "${database}"`))
      yield* run(`GRANT CONNECT ON DATABASE ${database} TO guest`)
      yield* open(server().url(database))
      yield* run("GRANT SELECT ON ALL TABLES IN SCHEMA public TO guest", database)
      assert.strictEqual(yield* messageOf(server().url(database, user)), lacks("table activity"))
      yield* run("GRANT ALL ON ALL TABLES IN SCHEMA public TO guest", database)
      yield* open(server().url(database, user))
    }),
  )

  it.live("an error says what to do if the server accepts no more connections", () =>
    Effect.gen(function* () {
      yield* run("CREATE ROLE narrow LOGIN PASSWORD 'narrow' CONNECTION LIMIT 1")
      const url = server().url("postgres", { name: "narrow", password: "narrow" })
      yield* sessionTo(url)
      const refused = yield* Effect.flip(sessionTo(url))
      assert.strictEqual(
        refused.message,
        'PostgreSQL has no connection left (too many connections for role "narrow"); raise max_connections, or lower pool_size in INLET_STORE (SQLSTATE 53300)',
      )
    }),
  )

  it.live("a node warns at its start if the nodes can open more connections than the server accepts", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase(server())
      const told: Array<string> = []
      const logger = Logger.make(({ message }) => void told.push(String(message)))
      const started = Effect.provide(open(`${url}?pool_size=100`), Logger.layer([logger]))
      yield* started
      assert.deepStrictEqual(told, [])
      const node = yield* makeNodeRecords(yield* databaseAt(url))
      yield* node.record
      yield* started
      assert.deepStrictEqual(told, [
        "max_connections of PostgreSQL is 200, but with this node 2 nodes can open so many that it should be at least 214",
      ])
    }),
  )

  it.live("the start error reports a database with an encoding other than UTF8", () =>
    Effect.gen(function* () {
      const database = yield* Effect.promise(() =>
        server().createDatabase("ENCODING 'LATIN1' TEMPLATE template0"),
      )
      assert.strictEqual(
        yield* messageOf(server().url(database)),
        "the PostgreSQL database has the encoding LATIN1; create a database with the encoding UTF8",
      )
    }),
  )

  it.live.each(["off", "local", "remote_write"])("refuses synchronous_commit = %s", (level) =>
    Effect.gen(function* () {
      const url = yield* emptyDatabase(server())
      yield* run(`ALTER DATABASE ${databaseOf(url)} SET synchronous_commit = '${level}'`)
      assert.strictEqual(
        yield* messageOf(url),
        `synchronous_commit is ${level} in PostgreSQL; set synchronous_commit to \`on\` or \`remote_apply\` for the server, the database and the user`,
      )
      yield* run(`ALTER DATABASE ${databaseOf(url)} SET synchronous_commit = 'remote_apply'`)
      yield* open(url)
    }),
  )

  it.live("the start error names the hosts of the database if none of them can be reached", () =>
    Effect.gen(function* () {
      const url = `${throughPort(server().url(), 1)}?start_timeout=0`
      assert.strictEqual(
        yield* messageOf(url),
        "PostgreSQL at 127.0.0.1:1 was not available for 0 s (connect ECONNREFUSED 127.0.0.1:1); start PostgreSQL, or correct INLET_STORE",
      )
    }),
  )

  it.live("the start error names the file in sslrootcert if the file cannot be read", () =>
    Effect.gen(function* () {
      const message = yield* messageOf(`${server().url()}?sslmode=verify-full&sslrootcert=/nowhere.pem`)
      assert.match(message, /^cannot read sslrootcert \/nowhere\.pem \(ENOENT/)
    }),
  )

  it.live(
    "the start error reports a secret that differs from the secret with which the database was set up",
    () =>
      Effect.gen(function* () {
        const database = yield* openDatabase(settingsOf(yield* emptyDatabase(server())))
        const [secret, other] = ["a", "b"].map((letter) => Redacted.make(letter.repeat(32)))
        assert(secret !== undefined && other !== undefined)
        const { digestKey } = yield* openInstallation(database, secret)
        const again = yield* openInstallation(database, secret)
        assert.deepStrictEqual(again.digestKey, digestKey)
        const failure = yield* Effect.flip(openInstallation(database, other))
        assert.strictEqual(
          failure.message,
          "INLET_SECRET differs from the secret that the database was set up with; set INLET_SECRET to the value that the first node had",
        )
      }),
  )

  it.live("the database contains the digest key only encrypted", () =>
    Effect.gen(function* () {
      const url = yield* emptyDatabase(server())
      const database = yield* openDatabase(settingsOf(url))
      const { digestKey } = yield* openInstallation(database, Redacted.make("s".repeat(32)))
      const rows = yield* run("SELECT value FROM installation", databaseOf(url))
      const key = Buffer.from(digestKey)
      for (const encoding of ["hex", "base64", "base64url"] as const) {
        assert.notInclude(JSON.stringify(rows), key.toString(encoding))
      }
    }),
  )
})
