import { PostgresServer } from "@inlet/postgres-server/PostgresServer"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { eventually, within } from "../../src/eventually.ts"
import { expectTrackSuccess } from "../../src/expectAnswer.ts"
import { event, identify } from "../../src/ingestion.ts"
import { Inlet, variablesFor } from "../../src/Inlet.ts"
import { launch, launchAs } from "../../src/Launched.ts"
import { serverSource } from "../../src/programs.ts"
import { Management } from "../../src/Management.ts"

const nextVersion = fileURLToPath(new URL("../../src/nextVersion.ts", import.meta.url))

describe("a rolling upgrade on one PostgreSQL database", () => {
  let database: PostgresServer
  beforeAll(async () => {
    database = await PostgresServer.start()
  })
  afterAll(() => database.remove())

  it("a server of the old version answers every call during and after the migration by a newer server, and cannot start again once it has stopped", async () => {
    const env = { INLET_STORE: database.url(await database.createDatabase()), INLET_SECRET: "s".repeat(32) }
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
    const variables = { ...variablesFor(dataDir), ...env }
    const upgraded = launchAs([process.execPath, "--import", nextVersion, serverSource], variables)
    const newer = await Inlet.fromProcess(upgraded, dataDir)
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
})
