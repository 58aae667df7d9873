import { PostgresServer } from "@inlethq/postgres-server/PostgresServer"
import { gunzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { AppClient, exportEnded, exportFailed } from "../../src/AppClient.ts"
import { Inlet } from "../../src/Inlet.ts"
import { Tenant } from "../../src/Tenant.ts"

describe("an export on several nodes", () => {
  let database: PostgresServer
  const running: Array<Inlet> = []
  beforeAll(async () => {
    database = await PostgresServer.start()
  })
  afterAll(async () => {
    await Promise.all(running.map((inlet) => inlet.stop()))
    await database.remove()
  })

  const start = async (url: string): Promise<Inlet> => {
    const inlet = await Inlet.start({ env: { INLET_STORE: url, INLET_SECRET: "s".repeat(32) } })
    running.push(inlet)
    return inlet
  }

  it("is made by one node and fetched from another, until somebody in it is deleted", async () => {
    const url = database.url(await database.createDatabase())
    const [one, two] = [await start(url), await start(url)]
    const tenant = await Tenant.create({}, one)
    const here = await AppClient.create(tenant, "read", one)
    const there = here.on(two)
    const ids = Array.from({ length: 1500 }, (_, n) => `p${n}`)
    for (let from = 0; from < ids.length; from += 500) {
      await tenant.batch(
        ids.slice(from, from + 500).map((id) => ({
          type: "person",
          action: "identify",
          identifiers: { id },
          attributes: { plan: "pro" },
        })),
      )
    }
    const filters = { attribute: { field: "plan", operator: "exists" } }
    const { id } = Object((await there.call("POST", "/exports/customers", { filters })).json).export
    for (const app of [here, there]) {
      expect(await exportEnded(app, id)).toMatchObject({ status: "done", total: ids.length })
      const link: string = Object(await app.api.downloadExport(id)).url
      // A link of one node works at the other, which has the same secret.
      for (const node of [one, two]) {
        const { pathname, search } = new URL(link)
        const answer = await fetch(`${node.url}${pathname}${search}`)
        const text = gunzipSync(Buffer.from(await answer.arrayBuffer())).toString("utf8")
        expect(text.trimEnd().split("\r\n")).toHaveLength(ids.length + 1)
      }
    }
    const link: string = Object(await here.api.downloadExport(id)).url
    await tenant.on(two).track("DELETE", "/api/v1/customers/p700")
    expect((await fetch(link)).status).toBe(404)
    await exportFailed(here, id)
    const found = await Promise.all([here, there].map((app) => app.api.getSegmentMembership(1).catch(String)))
    expect(found[0]).toEqual(found[1])
  })
})
