import { PostgresServer } from "@inlethq/postgres-server/PostgresServer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Inlet } from "../../src/Inlet.ts"
import { summarized } from "../../src/summarized.ts"
import { Tenant } from "../../src/Tenant.ts"

const kills = 2
const eventsPerRound = 30

describe("the summary of a log on several nodes", () => {
  let database: PostgresServer

  beforeAll(async () => {
    database = await PostgresServer.start()
  })
  afterAll(() => database.remove())

  it("counts each event once, whichever node received it, and when the node that summarizes is killed", async () => {
    const env = { INLET_STORE: database.url(await database.createDatabase()), INLET_SECRET: "s".repeat(32) }
    const nodes = [await Inlet.start({ env }), await Inlet.start({ env })]
    const [first] = nodes
    if (first === undefined) return
    const tenant = await Tenant.create({}, first)
    const schema = { required: ["currency"] }
    const saved = await tenant.call("PUT", tenant.pathOf("/plan"), {
      plans: [{ kind: "event", name: "bought", mode: "observe", schema }],
    })
    expect(saved.status).toBe(200)
    let sent = 0
    const send = async () => {
      for (let index = 0; index < eventsPerRound; index++) {
        const node = nodes[index % nodes.length] ?? first
        await tenant.on(node).recordEvent(`person ${index % 3}`, { name: "bought", data: { total: index } })
        sent++
      }
    }
    await send()
    for (let kill = 0; kill < kills; kill++) {
      // The oldest node holds the lease, so it is the one that summarizes.
      await nodes.shift()?.kill()
      nodes.push(await Inlet.start({ env }))
      await send()
    }
    const [left] = nodes
    if (left === undefined) return
    await summarized(tenant.on(left))
    expect(await tenant.on(left).get("/event-types/event/bought")).toMatchObject({
      count: sent,
      shape: [{ path: "total", types: { integer: sent }, presence: 1, missing: null }],
      violations: { count: sent },
    })
    await Promise.all(nodes.map((node) => node.stop()))
  })
})
