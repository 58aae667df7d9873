import { PostgresServer } from "@inlethq/postgres-server/PostgresServer"
import { holdTransaction } from "@inlethq/postgres-server/holdTransaction"
import { hostname } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { CommandLine } from "../../src/commandLine.ts"
import { eventually, within } from "../../src/eventually.ts"
import { expectTrackSuccess } from "../../src/expectAnswer.ts"
import { freePort } from "../../src/freePort.ts"
import { event, identify } from "../../src/ingestion.ts"
import { Inlet, variablesFor } from "../../src/Inlet.ts"
import { launch } from "../../src/Launched.ts"
import { Management } from "../../src/Management.ts"
import { nextBuild } from "../../src/nextBuild.ts"
import { send } from "../../src/http.ts"

describe("a rolling upgrade on one PostgreSQL database", () => {
  let database: PostgresServer
  let nextServer: string
  beforeAll(async () => {
    ;[database, nextServer] = await Promise.all([PostgresServer.start(), nextBuild()])
  })
  afterAll(() => database.remove())

  const newDatabase = async () => ({
    INLET_STORE: database.url(await database.createDatabase()),
    INLET_SECRET: "s".repeat(32),
  })

  const launchNext = (env: Readonly<Record<string, string>>, dataDir: string) =>
    launch({ ...variablesFor(dataDir), ...env }, nextServer)

  it("a server of the old version answers every call during and after the migration by a newer server, and cannot start again once it has stopped", async () => {
    const env = await newDatabase()
    const old = await Inlet.start({ env })
    let sent = 0
    const stop = new AbortController()
    const sendOne = async (inlet: Inlet) => {
      const count = ++sent
      const person = `person ${count % 7}`
      expectTrackSuccess(
        count % 2 === 0
          ? await identify(inlet, person, { count })
          : await event(inlet, person, { name: "bought", id: `event ${count}` }),
      )
    }
    const writing = (async () => {
      while (!stop.signal.aborted) await sendOne(old)
    })()
    const grown = async () => {
      const before = sent
      await eventually("the old version writes", () => (sent >= before + 20 ? true : undefined))
    }

    await grown()
    const dataDir = join(freshDirectory(), "data")
    const newer = await Inlet.fromProcess(launchNext(env, dataDir), dataDir)
    await grown()
    for (let count = 0; count < 20; count++) await sendOne(newer)
    stop.abort()
    await writing

    const restarted = launch({ ...variablesFor(join(freshDirectory(), "data")), ...env })
    expect(await within("the old version exits", restarted.exit)).toEqual({ code: 1, signal: null })
    expect(restarted.lines()).toEqual([
      expect.stringMatching(
        /^inlet: the PostgreSQL database has format \d+, but this version of Inlet reads only formats up to \d+; start the version of Inlet that migrated the database, or a newer version$/,
      ),
    ])

    for (const inlet of [old, newer]) {
      const entries = await new Management(inlet).activity({ order: "asc" })
      expect(entries.map(({ sequence }) => sequence)).toEqual(Array.from({ length: sent }, (_, n) => n + 1))
      expect(await inlet.stop()).toEqual({ code: 0, signal: null })
    }
  })

  it("a server that builds an index lives, is not ready and says how far it is, while the old version writes", async () => {
    const env = await newDatabase()
    const old = await Inlet.start({ env })
    expectTrackSuccess(await identify(old, "ada", {}))
    // The building of an index waits for every transaction that has written to the table.
    const release = await holdTransaction(env.INLET_STORE, "DELETE FROM links WHERE workspace = 99")
    const dataDir = join(freshDirectory(), "data")
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const next = launch({ ...variablesFor(dataDir), ...env, INLET_PORT: String(port) }, nextServer)
    const ready = { method: "GET", path: "/health/ready" }
    const reason = await eventually("the newer server says what it builds", async () => {
      const answer = await send(url, ready).catch(() => undefined)
      if (answer?.status !== 503) return undefined
      return answer.text.includes("building the index") ? answer.json : undefined
    })
    expect(reason).toEqual({
      status: "unready",
      reason: "building the index links_by_subject: waiting for writers before build",
    })
    expect((await send(url, { method: "GET", path: "/health/live" })).status).toBe(200)
    const refused = await send(url, { method: "POST", path: "/api/v2/entity", body: "{}" })
    expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "1"])
    expectTrackSuccess(await identify(old, "bob", {}))
    await release()
    const newer = await Inlet.fromProcess(next, dataDir)
    expectTrackSuccess(await identify(newer, "bob", { plan: "pro" }))
    expect(next.lines().some((line) => line.includes("migrating to format"))).toBe(true)
  })

  it("a migration that removes something waits until no server of another version runs, and is never applied in part", async () => {
    const env = await newDatabase()
    const old = await Inlet.start({ env })
    const removing = { ...env, INLET_TEST_REMOVES: "1" }
    const refused = launchNext(removing, join(freshDirectory(), "data"))
    expect(await within("the newer version exits", refused.exit)).toEqual({ code: 1, signal: null })
    expect(refused.lines()).toEqual([
      expect.stringMatching(
        new RegExp(
          `^inlet: the migration to format \\d+ removes what running nodes use \\(${hostname()}\\); stop them first, or run \`inlet migrate --force\`$`,
        ),
      ),
    ])
    expectTrackSuccess(await identify(old, "ada", {}))
    const again = await Inlet.start({ env })
    await again.stop()
    await old.stop()
    const dataDir = join(freshDirectory(), "data")
    const newer = await Inlet.fromProcess(launchNext(removing, dataDir), dataDir)
    expect((await new Management(newer).people({ id: "ada" })).length).toBe(1)
  })

  it("a server whose format is not the database's is unready, answers 503 and logs one line", async () => {
    const env = await newDatabase()
    const old = await Inlet.start({ env })
    expectTrackSuccess(await identify(old, "ada", {}))
    const dataDir = join(freshDirectory(), "data")
    const forced = { ...env, INLET_TEST_REMOVES: "1", INLET_MIGRATE: "force" }
    const newer = await Inlet.fromProcess(launchNext(forced, dataDir), dataDir)
    expectTrackSuccess(await identify(newer, "bob", {}))
    await eventually("the server of the old version is unready", async () =>
      (await old.readiness()) === 503 ? true : undefined,
    )
    const readiness = await send(old.url, { method: "GET", path: "/health/ready" })
    expect(readiness.json).toMatchObject({
      reason: expect.stringMatching(/^the database has format \d+, but this node works with format \d+/),
    })
    const management = new Management(old)
    for (const answer of [
      await identify(old, "ada", { plan: "pro" }),
      await event(old, "ada", { name: "bought" }),
      await management.call("GET", "/workspaces/1/people"),
      await management.call("POST", "/workspaces", { name: "another" }),
    ]) {
      expect(answer.status).toBe(503)
      expect(answer.headers["retry-after"]).toBe("1")
      expect(answer.text).toContain("works with format")
    }
    const told = old.process.lines().filter((line) => line.includes("this node"))
    expect(told).toEqual([expect.stringContaining("this node does not work")])
    expect(await old.stop()).toEqual({ code: 0, signal: null })
    expectTrackSuccess(await identify(newer, "bob", { plan: "pro" }))
  })

  it("a server that may not migrate refuses a database of an earlier format in one line", async () => {
    const env = await newDatabase()
    const started = launch({ ...variablesFor(join(freshDirectory(), "data")), ...env, INLET_MIGRATE: "off" })
    expect(await within("the server exits", started.exit)).toEqual({ code: 1, signal: null })
    expect(started.lines()).toEqual([
      expect.stringMatching(
        /^inlet: the PostgreSQL database has format 0 and this version of Inlet needs format \d+; run `inlet migrate`, or set INLET_MIGRATE=on$/,
      ),
    ])
  })

  it("inlet migrate shows what is missing, and migrates the database that servers then use as it is", async () => {
    const env = await newDatabase()
    const cli = new CommandLine(env)
    expect(await cli.lines("migrate", "--plan")).toEqual([
      expect.stringMatching(/^\d+ {2}first release$/),
      expect.stringMatching(/^From format 0 to \d+$/),
    ])
    expect(await cli.lines("migrate")).toEqual([
      expect.stringMatching(/^\d+ {2}first release$/),
      expect.stringMatching(/^Migrated from format 0 to \d+$/),
    ])
    expect(await cli.lines("migrate")).toEqual([
      expect.stringMatching(/^The database has format \d+; nothing is missing$/),
    ])
    const server = await Inlet.start({ env: { ...env, INLET_MIGRATE: "off" } })
    expectTrackSuccess(await identify(server, "ada", {}))
    const embedded = await new CommandLine({ INLET_STORE: "sqlite" }).run(["migrate"])
    expect([embedded.code, embedded.stderr.trim()]).toEqual([
      2,
      "inlet: INLET_STORE is not a postgres:// URL: only PostgreSQL databases are migrated by hand",
    ])
  })
})
