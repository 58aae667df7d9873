import { join } from "node:path"
import { Sequence, WorkspaceId } from "@inlet/core/values/Identifier"
import { EventShapes } from "@inlet/lake/sql/EventShapes"
import { lakeStatements } from "@inlet/lake/sql/lakeStatements"
import { PostgresServer } from "@inlet/postgres-server/PostgresServer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { CommandLine } from "../../src/commandLine.ts"
import { credentials } from "../../src/Inlet.ts"
import { queryDuckDb } from "../../src/lake/duckDb.ts"
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

  describe("on PostgreSQL", () => {
    let server: PostgresServer

    beforeAll(async () => {
      server = await PostgresServer.start()
    })
    afterAll(() => server.stop())

    it("PostgreSQL accepts the views, whatever events and their fields are called", async () => {
      const shapes = new EventShapes()
      shapes.add("Order Completed", { price: 1, paid: true, note: "x", items: [], 'a"b\\': 1, "d'e": null })
      shapes.add("'; DROP SCHEMA lake_1 CASCADE; --", { position: 1 })
      const path = "lake/1/it's a folder/one.parquet"
      const file = {
        path,
        from: Sequence.make(1),
        to: Sequence.make(2),
        generation: 1,
        rows: 1,
        erased: 0,
        pruned: 0,
        bytes: 1,
        sha256: "",
      }
      const settings = { target: "folder", url: "/lake", erasureDays: 7 } as const
      const files = [{ ...file, table: "activity" as const }]
      const stored = { workspace: WorkspaceId.make(1), settings, files }
      const statements = lakeStatements("postgres", stored, shapes.all)
      // The extension pg_duckdb reads the files. A function of this name returns what it would return.
      const row = {
        position: 1,
        received_at: "2026-01-01",
        kind: "event",
        name: "Order Completed",
        outcome: "applied",
      }
      const data = JSON.stringify({ price: 2.5, paid: true, note: "y", items: [3], 'a"b\\': "no number" })
      const stub = `CREATE FUNCTION read_parquet(text[]) RETURNS SETOF jsonb LANGUAGE sql
        AS $$ SELECT '${JSON.stringify({ ...row, data }).replaceAll("'", "''")}'::jsonb $$`
      const database = await server.createDatabase()
      const [extension, ...views] = statements.split(/;\n/).filter((one) => one.trim() !== "")
      expect(extension).toBe("CREATE EXTENSION IF NOT EXISTS pg_duckdb")
      // A field of a row of pg_duckdb converts to text as the text that it is, one of jsonb as JSON.
      const converted = views.map((view) => view.replaceAll(/ r\[('\w+')\]::/g, " (r ->> $1)::"))
      const shown = await server.sql(
        [
          stub,
          ...converted,
          'SELECT price, paid, note, items, "a""b\\" AS odd FROM lake_1.event_order_completed',
        ],
        database,
      )
      expect(shown).toEqual([{ price: 2.5, paid: true, note: "y", items: "[3]", odd: null }])
      expect(await server.sql("SELECT * FROM lake_1.event_drop_schema_lake_1_cascade", database)).toEqual([])
    })
  })
})
