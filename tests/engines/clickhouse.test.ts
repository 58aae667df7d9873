import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { freshDirectory } from "../src/cleanup.ts"
import { CommandLine } from "../src/commandLine.ts"
import { eventually } from "../src/eventually.ts"
import { Bucket } from "../src/lake/Bucket.ts"
import { credentials, Inlet } from "../src/Inlet.ts"
import { Tenant } from "../src/Tenant.ts"
import { pythonWithClickHouse, queryClickHouse } from "./ClickHouse.ts"

/** A workspace with two people who were merged, one who was deleted, and an object. */
const cinema = async () => {
  const server = await Inlet.start()
  const tenant = await Tenant.create({}, server)
  const inlet = new CommandLine({
    INLET_URL: server.url,
    INLET_MANAGEMENT_TOKEN: credentials.token,
    INLET_WORKSPACE: String(tenant.workspace),
  })
  await tenant.identify("ada", { city: "Gdynia" })
  await tenant.recordEvent("ada", { name: "Ticket Bought", data: { price: 9.5, paid: true, seats: ["F1"] } })
  await tenant.identify("second", {})
  await tenant.recordEvent("second", { name: "Ticket Bought", data: { price: 7, note: "it's \\ 'ü'" } })
  await tenant.merge({ id: "ada" }, { id: "second" })
  await tenant.identify("gone", {})
  await tenant.recordEvent("gone", { name: "Ticket Bought", data: { price: 1000 } })
  await tenant.recordEvent("ada", { name: "'; DROP DATABASE lake_1; -- \\", data: { "a`b'c\\": 1 } })
  await tenant.entity({
    type: "object",
    action: "identify",
    identifiers: { object_type_id: "1", object_id: "acme" },
    attributes: { plan: "team" },
    svc_relationships: [{ identifiers: { id: "ada" } }],
  })
  return { tenant, inlet, schema: `lake_${tenant.workspace}` }
}

/** Deletes somebody once the lake has their rows, so that only the views can hide them. */
const removeGone = async ({ inlet, tenant }: Awaited<ReturnType<typeof cinema>>) => {
  await tenant.track("DELETE", "/api/v1/customers/gone")
  // Other settings than before end the open file.
  await tenant.updateSettings({ lake: { ...(await settingsOf(tenant)), erasure_days: 30 } })
  await eventually("the deletion is written", async () =>
    Object(await inlet.json("lake", "status")).lag === 0 ? true : undefined,
  )
}

const settingsOf = async (tenant: Tenant): Promise<object> => Object(await tenant.get("")).lake

describe.skipIf(pythonWithClickHouse === undefined)("what inlet lake sql --engine clickhouse prints", () => {
  it("ClickHouse reads who did what from a folder, without people who were deleted", async () => {
    const one = await cinema()
    const { inlet, schema } = one
    await inlet.lines("lake", "start", "--dir", join(freshDirectory(), "it's a lake"))
    await removeGone(one)
    const statements = (await inlet.lines("lake", "sql", "--engine", "clickhouse")).join("\n")
    const ask = (sql: string) => queryClickHouse(statements, sql)
    expect(
      await ask(
        `SELECT p.id, count() AS tickets, sum(price) AS paid, JSONExtractString(p.attributes, 'city') AS city
         FROM ${schema}.event_ticket_bought AS e JOIN ${schema}.people AS p ON p.subject = e.person GROUP BY ALL`,
      ),
    ).toEqual([{ id: "ada", tickets: 2, paid: 16.5, city: "Gdynia" }])
    expect(
      await ask(`SELECT price, paid, seats, note FROM ${schema}.event_ticket_bought ORDER BY position`),
    ).toEqual([
      { price: 9.5, paid: true, seats: '["F1"]', note: null },
      { price: 7, paid: null, seats: null, note: "it's \\ 'ü'" },
    ])
    expect(await ask(`SELECT \`a\\\`b'c\\\\\` AS odd FROM ${schema}.event_drop_database_lake_1`)).toEqual([
      { odd: 1 },
    ])
    expect(await ask(`SELECT object_id, people_total FROM ${schema}.objects`)).toEqual([
      { object_id: "acme", people_total: 1 },
    ])
    expect(
      await ask(`SELECT count() AS n, countIf(kind = 'delete') AS deleted FROM ${schema}.activity`),
    ).toEqual([{ n: 8, deleted: 1 }])
    await one.tenant.recordEvent("ada", { name: "Ticket Bought", data: { price: 12 } })
    await inlet.lines("lake", "flush")
    // The same statements find the file that was written after they were printed.
    expect(
      await ask(`SELECT count() AS tickets, sum(price) AS paid FROM ${schema}.event_ticket_bought`),
    ).toEqual([{ tickets: 3, paid: 28.5 }])
    expect(await ask("SELECT count() AS n FROM activity")).toEqual([{ n: 9 }])
  })

  it("ClickHouse reads a bucket, and later finds the files that were written since", async () => {
    const bucket = new Bucket()
    await bucket.start()
    const { inlet, schema, tenant } = await cinema()
    const url = "s3://events/it's a lake"
    await tenant.updateSettings({ lake: { ...bucket.settings, url } })
    await inlet.lines("lake", "flush")
    const printed = (await inlet.lines("lake", "sql", "--engine", "clickhouse")).join("\n")
    const { secret_access_key: secret } = bucket.settings
    const statements = printed.replace("-- CREATE NAMED", "CREATE NAMED").replace("'…'", `'${secret}'`)
    const ask = (sql: string) => queryClickHouse(statements, sql)
    const sold = `SELECT count() AS tickets, sum(price) AS paid FROM ${schema}.event_ticket_bought`
    expect(await ask(sold)).toEqual([{ tickets: 3, paid: 1016.5 }])
    await tenant.recordEvent("ada", { name: "Ticket Bought", data: { price: 12 } })
    await inlet.lines("lake", "flush")
    expect(await ask(sold)).toEqual([{ tickets: 4, paid: 1028.5 }])
    await bucket.stop()
  })
})
