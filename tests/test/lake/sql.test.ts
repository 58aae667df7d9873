import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { CommandLine } from "../../src/commandLine.ts"
import { credentials } from "../../src/Inlet.ts"
import { queryDuckDb } from "../../src/lake/duckDb.ts"
import { summarized } from "../../src/summarized.ts"
import { sharedServer, Tenant } from "../../src/Tenant.ts"

describe("what inlet lake sql prints", () => {
  it("DuckDB reads who did what, who people are, and which objects there are", async () => {
    const tenant = await Tenant.create()
    const inlet = new CommandLine({
      INLET_URL: sharedServer.url,
      INLET_MANAGEMENT_TOKEN: credentials.token,
      INLET_WORKSPACE: String(tenant.workspace),
    })
    await tenant.recordEvent("ada", { name: "Order Completed", data: { price: 12.5 } })
    await tenant.identify("ada", { plan: "pro" })
    await tenant.recordEvent("second", { name: "Order Completed", data: { price: 7.5 } })
    await tenant.identify("second", { plan: "free" })
    await tenant.merge({ id: "ada" }, { id: "second" })
    await tenant.identify("gone", { plan: "pro" })
    await tenant.recordEvent("gone", { name: "Order Completed", data: { price: 1000 } })
    await tenant.track("DELETE", "/api/v1/customers/gone")
    await tenant.entity({
      type: "object",
      action: "identify",
      identifiers: { object_type_id: "1", object_id: "acme" },
      attributes: { plan: "team" },
      svc_relationships: [{ identifiers: { id: "ada" } }],
    })
    await inlet.lines("lake", "start", "--dir", join(freshDirectory(), "lake"))
    const statements = (await inlet.lines("lake", "sql")).join("\n")
    const ask = (sql: string) => queryDuckDb(statements, sql)
    expect(
      await ask(
        `SELECT people.id, sum(price) AS paid, attributes->>'plan' AS plan
         FROM event_order_completed JOIN people ON people.subject = person GROUP BY ALL`,
      ),
    ).toEqual([{ id: "ada", paid: 20, plan: "pro" }])
    expect(await ask("SELECT object_id, attributes->>'plan' AS plan, people_total FROM objects")).toEqual([
      { object_id: "acme", plan: "team", people_total: "1" },
    ])
    expect(await ask("SELECT count(*) AS n FROM activity WHERE kind = 'delete'")).toEqual([{ n: "1" }])
    expect(await inlet.lines("lake", "verify")).toEqual([expect.stringContaining("nothing is wrong")])
  })

  it("DuckDB has a view for an event that was last sent before thousands of others", async () => {
    const tenant = await Tenant.create()
    const inlet = new CommandLine({
      INLET_URL: sharedServer.url,
      INLET_MANAGEMENT_TOKEN: credentials.token,
      INLET_WORKSPACE: String(tenant.workspace),
    })
    await tenant.recordEvent("ada", { name: "Rare Order", data: { price: 12.5 } })
    const often = { type: "person", action: "event", identifiers: { id: "bob" }, name: "seen" }
    for (let batches = 0; batches < 3; batches++)
      await tenant.track("POST", "/api/v2/batch", { batch: Array.from({ length: 2000 }, () => often) })
    await inlet.lines("lake", "start", "--dir", join(freshDirectory(), "lake"))
    await summarized(tenant)
    const statements = (await inlet.lines("lake", "sql")).join("\n")
    expect(await queryDuckDb(statements, "SELECT price FROM event_rare_order")).toEqual([{ price: 12.5 }])
    expect(await queryDuckDb(statements, "SELECT count(*) AS n FROM event_seen")).toEqual([{ n: "6000" }])
  })
})
