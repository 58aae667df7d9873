import { citusStandIns } from "@inlethq/postgres-server/citusStandIns"
import { PostgresServer } from "@inlethq/postgres-server/PostgresServer"
import { runSql } from "@inlethq/postgres-server/runSql"
import { hostname } from "node:os"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { CommandLine } from "../../src/commandLine.ts"
import { expectTrackSuccess } from "../../src/expectAnswer.ts"
import { identify } from "../../src/ingestion.ts"
import { Inlet } from "../../src/Inlet.ts"
import { Management } from "../../src/Management.ts"

describe("inlet distribute", () => {
  let database: PostgresServer
  beforeAll(async () => {
    database = await PostgresServer.start()
  })
  afterAll(() => database.remove())

  const newDatabase = async () => {
    const url = database.url(await database.createDatabase())
    return { url, env: { INLET_STORE: url, INLET_SECRET: "s".repeat(32) } }
  }

  it("shows what it would distribute, waits for no node that runs, and says what it did", async () => {
    const { env, url } = await newDatabase()
    const cli = new CommandLine(env)
    await cli.lines("migrate")
    await runSql(url, citusStandIns)
    const node = await Inlet.start({ env })
    expectTrackSuccess(await identify(node, "ada", {}))
    const planned = await cli.lines("distribute", "--plan")
    expect(planned).toContain("workspaces  on every server")
    expect(planned).toContain("activity  by workspace")
    expect(planned.slice(-2)).toEqual([
      `Nodes run and must stop first: ${hostname()}`,
      expect.stringMatching(/^\d+ tables to distribute$/),
    ])
    const refused = await cli.run(["distribute"])
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("stop them first")])
    await node.stop()
    const done = await cli.lines("distribute")
    expect(done.at(-1)).toBe(planned.at(-1)?.replace(/^(\d+) tables to distribute$/, "Distributed $1 tables"))
    expect(await cli.lines("distribute")).toEqual(["All tables are distributed; nothing is missing"])
    expect(JSON.parse((await cli.lines("distribute", "--plan", "--json")).join(""))).toEqual({
      tables: [],
      live_hosts: [],
      done: false,
    })
    const again = await Inlet.start({ env })
    expect((await new Management(again).people({ id: "ada" })).length).toBe(1)
    await again.stop()
  })

  it("names what is wrong with INLET_STORE", async () => {
    for (const [store, problem] of [
      [undefined, "INLET_STORE is not set, so there is no database to work on"],
      [
        "sqlite",
        "INLET_STORE is not a postgres:// URL: only tables of PostgreSQL with Citus are distributed",
      ],
    ] as const) {
      const { code, stderr } = await new CommandLine(store === undefined ? {} : { INLET_STORE: store }).run([
        "distribute",
      ])
      expect([code, stderr.trim()]).toEqual([2, `inlet: ${problem}`])
    }
  })

  it("a server without Citus is refused", async () => {
    const { env } = await newDatabase()
    const cli = new CommandLine(env)
    await cli.lines("migrate")
    const { code, stderr } = await cli.run(["distribute"])
    expect([code, stderr]).toEqual([1, expect.stringContaining("CREATE EXTENSION citus")])
  })

  it("copies to a distributed database and from it", async () => {
    const [from, to, back] = [await newDatabase(), await newDatabase(), await newDatabase()]
    const first = await Inlet.start({ env: from.env })
    expectTrackSuccess(await identify(first, "ada", { plan: "pro" }))
    await first.stop()
    await new CommandLine(to.env).lines("migrate")
    await runSql(to.url, citusStandIns)
    await new CommandLine(to.env).lines("distribute")
    for (const [source, target] of [
      [from, to],
      [to, back],
    ] as const) {
      const { code, stderr } = await new CommandLine(source.env).run([
        "copy",
        "--from",
        source.url,
        "--to",
        target.url,
      ])
      expect([code, stderr]).toEqual([0, expect.any(String)])
    }
    const copied = await Inlet.start({ env: back.env })
    expect((await new Management(copied).people({ id: "ada" })).length).toBe(1)
    await copied.stop()
  })
})
