import { PostgresServer } from "@inlethq/postgres-server/PostgresServer"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { within } from "../../src/eventually.ts"
import { Inlet, variablesFor } from "../../src/Inlet.ts"
import { launch } from "../../src/Launched.ts"

const secret = "s".repeat(32)

/** Starts a server that must exit with code 1 after printing one line, and returns that line. */
const refusal = async (store: string, env: Readonly<Record<string, string>> = {}): Promise<string> => {
  const variables = { ...variablesFor(join(freshDirectory(), "data")), INLET_SECRET: secret, ...env }
  const process = launch({ ...variables, INLET_STORE: store })
  expect(await within("the server exits", process.exit)).toEqual({ code: 1, signal: null })
  expect(process.lines()).toHaveLength(1)
  return process.lines()[0] ?? ""
}

describe("a server whose PostgreSQL database cannot be used", () => {
  let database: PostgresServer
  /** A database that a server has set up with `secret` as its `INLET_SECRET`. */
  let name: string

  beforeAll(async () => {
    database = await PostgresServer.start()
    name = await database.createDatabase()
    const inlet = await Inlet.start({ env: { INLET_STORE: database.url(name), INLET_SECRET: secret } })
    await inlet.stop()
  })
  afterAll(() => database.remove())

  /**
   * Creates a database, runs the statements in it, and returns its URL. `DATABASE_NAME` in a statement stands for the
   * name of the database.
   */
  const prepared = async (...statements: ReadonlyArray<string>): Promise<string> => {
    const created = await database.createDatabase()
    await database.sql(
      statements.map((statement) => statement.replace("DATABASE_NAME", created)),
      created,
    )
    return database.url(created)
  }

  it.concurrent("if the password for PostgreSQL is wrong, the start error names the user and INLET_STORE", async () => {
    expect(await refusal(database.url(name, { name: "inlet", password: "guess" }))).toBe(
      'inlet: PostgreSQL refuses the user inlet (password authentication failed for user "inlet"); correct the user or the password in INLET_STORE',
    )
  })

  it.concurrent("the start error names the database that does not exist", async () => {
    expect(await refusal(database.url("nowhere"))).toBe(
      "inlet: the PostgreSQL database nowhere does not exist; create the database, or correct INLET_STORE",
    )
  })

  it.concurrent("the start error names the parameter of INLET_STORE that is unknown", async () => {
    expect(await refusal(`${database.url(name)}?sslkey=a`)).toBe(
      "inlet: INLET_STORE must be a valid PostgreSQL URL (unknown parameter sslkey)",
    )
  })

  it.concurrent("the start error names the table that the database user may not read", async () => {
    const guest = { name: "guest", password: "guest" }
    await database.sql("CREATE ROLE guest LOGIN PASSWORD 'guest'")
    expect(await refusal(database.url(name, guest))).toMatch(
      /^inlet: the PostgreSQL user guest lacks rights \(permission denied for table \w+\); grant the rights, or make the user the owner of the database$/,
    )
  })

  it.concurrent("the start error names the host that cannot be reached, after the time in start_timeout", async () => {
    expect(await refusal("postgres://inlet:p@127.0.0.1:1/inlet?start_timeout=1")).toBe(
      "inlet: PostgreSQL at 127.0.0.1:1 was not available for 1 s (connect ECONNREFUSED 127.0.0.1:1); start PostgreSQL, or correct INLET_STORE",
    )
  })

  it.concurrent("the start error says that INLET_SECRET differs, is too short or is missing", async () => {
    expect(await refusal(database.url(name), { INLET_SECRET: "t".repeat(32) })).toBe(
      "inlet: INLET_SECRET differs from the secret that the database was set up with; set INLET_SECRET to the value that the first node had",
    )
    expect(await refusal(database.url(name), { INLET_SECRET: "short" })).toBe(
      "inlet: INLET_SECRET must be at least 32 bytes long",
    )
    expect(await refusal(database.url(name), { INLET_SECRET: "" })).toContain("INLET_SECRET must be")
  })

  it.concurrent("the start error says which version of PostgreSQL is needed if the version is too old", async () => {
    // The test defines its own function `current_setting`, which the server calls instead of PostgreSQL's function of
    // this name. The test's function reports the version of an old PostgreSQL server.
    const url = await prepared(
      "CREATE SCHEMA old",
      `CREATE FUNCTION old.current_setting(name text) RETURNS text LANGUAGE sql AS
        $$ SELECT CASE WHEN name = 'server_version_num' THEN '140011' ELSE pg_catalog.current_setting(name) END $$`,
      "ALTER DATABASE DATABASE_NAME SET search_path = old, pg_catalog, public",
    )
    expect(await refusal(url)).toBe(
      "inlet: PostgreSQL 14 is too old; upgrade the server to version 15 or newer",
    )
  })

  it.concurrent("the start error says what to set if synchronous_commit is off", async () => {
    expect(await refusal(await prepared("ALTER DATABASE DATABASE_NAME SET synchronous_commit = off"))).toBe(
      "inlet: synchronous_commit is off in PostgreSQL; set synchronous_commit to `on` or `remote_apply` for the server, the database and the user",
    )
  })

  it.concurrent("the start error says which formats this version of Inlet reads if a newer version has migrated the database", async () => {
    const url = await prepared(
      "CREATE TABLE migrations (id BIGINT PRIMARY KEY, name TEXT NOT NULL)",
      "INSERT INTO migrations VALUES (1000, 'of a later version')",
    )
    expect(await refusal(url)).toMatch(
      /^inlet: the PostgreSQL database has format 1000, but this version of Inlet reads only formats up to \d+; start the version of Inlet that migrated the database, or a newer version$/,
    )
  })
})
