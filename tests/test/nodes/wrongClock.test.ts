import { PostgresServer } from "@inlethq/postgres-server/PostgresServer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ClockedServer } from "../../src/ClockedServer.ts"
import { eventually } from "../../src/eventually.ts"
import { expectTrackSuccess } from "../../src/expectAnswer.ts"
import { event, identify, pipelines } from "../../src/ingestion.ts"
import { Inlet } from "../../src/Inlet.ts"
import { Management } from "../../src/Management.ts"

const monthMs = 31 * 24 * 60 * 60_000

const isReady = (server: ClockedServer) =>
  eventually("the server is ready", async () =>
    (await server.readiness()).status === 200 ? true : undefined,
  )

/** Sends what housekeeping would delete a month later: a visitor with an event, and the entry of an identify. */
const fill = async (server: { readonly url: string }): Promise<void> => {
  expectTrackSuccess(await identify(server, "ada", { plan: "pro" }))
  expectTrackSuccess(await event(server, "ada", { name: "bought" }))
  const body = { anonymousId: "visitor", event: "seen" }
  expect((await pipelines(server, "/v1/track", body)).status).toBe(200)
}

const kept = async (server: { readonly url: string }) => {
  const entries = await new Management(server).activity({ order: "asc" })
  return entries.map(({ kind, name }) => name ?? kind)
}

describe("a server with a wrong clock on one PostgreSQL database with others", () => {
  let database: PostgresServer
  let name: string
  let env: Record<string, string>
  beforeAll(async () => {
    database = await PostgresServer.start()
  })
  afterAll(() => database.remove())

  const newDatabase = async (): Promise<void> => {
    name = await database.createDatabase()
    env = { INLET_STORE: database.url(name), INLET_SECRET: "s".repeat(32) }
  }

  const holderOf = async (lease: string): Promise<string | undefined> => {
    const [row] = await database.sql(
      `SELECT holder FROM leases WHERE name = '${lease}' AND until > clock_timestamp()`,
      name,
    )
    return row === undefined ? undefined : String(row["holder"])
  }

  it("takes no calls, holds no lease and deletes nothing until its clock is right", async () => {
    await newDatabase()
    const right = await Inlet.start({ env })
    await fill(right)
    const before = Date.now()
    const wrong = await ClockedServer.start(monthMs, { env })

    const unready = await wrong.readiness()
    expect(unready.status).toBe(503)
    expect(unready.json).toMatchObject({
      reason: expect.stringMatching(/^the clock of this node is 26784\d\d s ahead of the database's clock/),
    })
    for (const refused of [
      await identify(wrong, "bob", { plan: "free" }),
      await event(wrong, "ada", { name: "from the future" }),
      await pipelines(wrong, "/v1/track", { userId: "ada", event: "from the future" }),
      await new Management(wrong).call("POST", "/workspaces", { name: "from the future" }),
    ]) {
      expect(refused.status).toBe(503)
      expect(refused.headers["retry-after"]).toBe("1")
      expect(refused.text).toContain("ahead of the database's clock")
    }
    // The only other server stops, and still nobody takes its leases.
    await right.stop()
    expect(await kept(wrong)).toEqual(["identify", "bought", "seen"])
    expect(await holderOf("housekeeping")).toBeUndefined()

    wrong.moveClock(0)
    await isReady(wrong)
    await eventually("the server does housekeeping", () => holderOf("housekeeping"))
    expectTrackSuccess(await event(wrong, "ada", { name: "after" }))
    expect(await kept(wrong)).toEqual(["identify", "bought", "seen", "after"])
    const last = await new Management(wrong).event("after")
    expect(Date.parse(last.received_at)).toBeGreaterThanOrEqual(before)
    expect(Date.parse(last.received_at)).toBeLessThan(before + monthMs / 2)
    const told = wrong.process.lines().filter((line) => line.includes("this node"))
    expect(told).toEqual([
      expect.stringContaining("this node does not work: it is not ready, holds no lease and takes no calls"),
      expect.stringContaining("this node works again"),
    ])
  })

  it("records the database's time, although its own clock is a little ahead", async () => {
    await newDatabase()
    const ahead = await ClockedServer.start(4900, { env })
    await isReady(ahead)
    expectTrackSuccess(await event(ahead, "ada", { name: "bought" }))
    // The time of the database is known to half a round trip, which ends after 4.5 s at the latest.
    const { received_at } = await new Management(ahead).event("bought")
    expect(Date.parse(received_at)).toBeLessThan(Date.now() + 2300)
  })

  it("gives its leases to another server when its clock jumps while it runs", async () => {
    await newDatabase()
    const jumping = await ClockedServer.start(0, { env })
    await isReady(jumping)
    await fill(jumping)
    const first = await eventually("the server does housekeeping", () => holderOf("housekeeping"))
    const other = await Inlet.start({ env })

    jumping.moveClock(-monthMs)
    await eventually("the server is unready", async () =>
      (await jumping.readiness()).status === 503 ? true : undefined,
    )
    expect((await jumping.readiness()).text).toContain("behind the database's clock")
    await eventually("the other server does housekeeping", async () => {
      const holder = await holderOf("housekeeping")
      return holder === undefined || holder === first ? undefined : true
    })
    expect(await kept(other)).toEqual(["identify", "bought", "seen"])
    jumping.moveClock(0)
    await isReady(jumping)
  })

  it("leaves timers to another server when it is killed", async () => {
    await newDatabase()
    const killed = await Inlet.start({ env })
    const first = await eventually("the server runs timers", () => holderOf("rules"))
    await Inlet.start({ env })
    await killed.kill()
    await eventually("the other server runs timers", async () => {
      const holder = await holderOf("rules")
      return holder === undefined || holder === first ? undefined : true
    })
  })
})
