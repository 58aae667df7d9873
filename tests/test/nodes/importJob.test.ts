import { PostgresServer } from "@inlethq/postgres-server/PostgresServer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Inlet } from "../../src/Inlet.ts"
import { importBegun, importEnded, peopleFile, readImport, startImportJob } from "../../src/importJobs.ts"
import { Management } from "../../src/Management.ts"
import { Tenant } from "../../src/Tenant.ts"

/** More rows than one node imports before the other has started. */
const rows = 60_000

describe("an import on several nodes", () => {
  let database: PostgresServer
  const running: Array<Inlet> = []

  beforeAll(async () => {
    database = await PostgresServer.start()
  })
  afterAll(async () => {
    await Promise.all(running.map((inlet) => inlet.stop()))
    await database.remove()
  })

  it("is resumed by another node after the node that worked at it was killed", async () => {
    const url = database.url(await database.createDatabase())
    const start = async (): Promise<Inlet> => {
      const inlet = await Inlet.start({ env: { INLET_STORE: url, INLET_SECRET: "s".repeat(32) } })
      running.push(inlet)
      return inlet
    }
    const killed = await start()
    const tenant = await Tenant.create({}, killed)
    const job = await startImportJob(tenant, peopleFile(rows))
    await importBegun(tenant, job.import_id)
    const other = await start()
    await killed.kill()
    const during = await readImport(tenant.on(other), job.import_id)
    expect(during.imported).toBeLessThan(rows)
    const done = await importEnded(tenant.on(other), job.import_id)
    expect(done).toMatchObject({ state: "done", rows, imported: rows, skipped: 0, failed: 0 })
    const people = await new Management(other, tenant.workspace).activityPage({
      filter: "kind:identify",
      limit: "1",
    })
    expect(people.items[0]?.sequence).toBe(rows)
  })
})
