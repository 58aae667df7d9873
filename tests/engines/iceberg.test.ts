import { join } from "node:path"
import { LakeThread } from "@inlethq/lake/thread/LakeThread"
import { Effect, Layer } from "effect"
import { assert, beforeAll, describe, it } from "vitest"
import { freshDirectory } from "../src/cleanup.ts"
import { CommandLine } from "../src/commandLine.ts"
import { eventually } from "../src/eventually.ts"
import { credentials, Inlet } from "../src/Inlet.ts"
import { failingLake } from "../src/lake/failingLake.ts"
import { sqliteStore } from "../src/lake/lakeStores.ts"
import { activityInDuckDb, readManifest } from "../src/lake/readLake.ts"
import { Tenant } from "../src/Tenant.ts"
import { pythonWithIceberg, pythonWithSpark, queryViews, rowsByEngine, rowsBySpark } from "./Iceberg.ts"
import { gatewayProgram, SignedBucket } from "./SignedBucket.ts"

/** The number of times that the writer of a lake is killed. */
const kills = 30

describe.skipIf(pythonWithIceberg === undefined)("a lake as tables of Iceberg", () => {
  let lake: Effect.Success<ReturnType<typeof failingLake>>
  let table: string
  let snapshots: Awaited<ReturnType<typeof rowsByEngine>>

  beforeAll(async () => {
    const stores = Layer.provideMerge(LakeThread.layer, sqliteStore)
    lake = await Effect.runPromise(failingLake(7, kills).pipe(Effect.provide(stores)))
    table = join(lake.folder, "lake/1/activity")
    snapshots = await rowsByEngine("pyiceberg", table)
  })

  it("PyIceberg, Polars and DuckDB read the rows of the log after kills, joins and erasures", async () => {
    const { folder, people } = lake
    const expected = await activityInDuckDb(folder, await readManifest(folder))
    assert.deepStrictEqual(snapshots.at(-1), expected)
    // A deleted person may have come back under the same name, but with none of the names in `people.deleted`.
    const shown = JSON.stringify(expected)
    const gone = people.deleted.filter((name) => !shown.includes(name))
    assert.isAbove(gone.length, 1)
    for (const name of gone) assert.notInclude(JSON.stringify(snapshots), name)
    assert.deepStrictEqual(await rowsByEngine("duckdb", table), [expected])
    assert.deepStrictEqual(await rowsByEngine("polars", table), [expected])
  })

  it.skipIf(pythonWithSpark === undefined)("Spark reads the rows of the same snapshots", async () => {
    assert.isAbove(snapshots.at(-1)?.length ?? 0, kills)
    assert.deepStrictEqual(await rowsBySpark(lake.folder, "inlet.lake.`1`.activity"), snapshots)
  })

  it("the views of DuckDB that read them show later rows, in a session of another time zone too", async () => {
    const server = await Inlet.start()
    const tenant = await Tenant.create({}, server)
    const inlet = new CommandLine({
      INLET_URL: server.url,
      INLET_MANAGEMENT_TOKEN: credentials.token,
      INLET_WORKSPACE: String(tenant.workspace),
    })
    await tenant.recordEvent("ada", { name: "Ticket Bought", data: { price: 9.5 } })
    await tenant.identify("ada", { city: "Gdynia" })
    await inlet.lines("lake", "start", "--dir", join(freshDirectory(), "it's a lake"))
    const printed = (await inlet.lines("lake", "sql", "--engine", "duckdb-iceberg")).join("\n")
    const statements = printed.split(/;\n/).filter((one) => one.trim() !== "" && !one.startsWith("INSTALL"))
    const database = join(freshDirectory(), "views.db")
    const sold = `SELECT people.id, count(*) AS tickets, sum(price) AS paid, max(epoch_ms(received_at)) AS at
      FROM lake_${tenant.workspace}.event_ticket_bought JOIN lake_${tenant.workspace}.people ON people.subject = person GROUP BY ALL`
    const at = async () =>
      String(Date.parse(Object(await tenant.get("/activity?kind=event&limit=1")).items[0].received_at))
    const first = [{ id: "ada", tickets: "1", paid: "9.5", at: await at() }]
    assert.deepStrictEqual(await queryViews(database, statements, sold), first)
    await tenant.recordEvent("ada", { name: "Ticket Bought", data: { price: 12 } })
    await inlet.lines("lake", "flush")
    const second = [{ id: "ada", tickets: "2", paid: "21.5", at: await at() }]
    assert.deepStrictEqual(await queryViews(database, [], sold), second)
  })

  it.skipIf(gatewayProgram === undefined)(
    "PyIceberg and DuckDB read a bucket that checks signatures, and nobody who was deleted",
    async () => {
      const bucket = await SignedBucket.start()
      const tenant = await Tenant.create({}, await Inlet.start())
      const table = `${bucket.access.url}/lake/${tenant.workspace}/activity`
      await tenant.updateSettings({ lake: { ...bucket.settings, erasure_days: 30 } })
      for (const name of ["ada", "gone", "ada"]) {
        await tenant.identify(name, {})
        await tenant.recordEvent(name, { name: "bought", data: { by: name } })
        await completed(tenant, "flush")
      }
      const before = await rowsByEngine("pyiceberg", table, accessTo(bucket))
      assert.isAbove(before.length, 2)
      assert.strictEqual(before.at(-1)?.length, 6)
      assert.include(JSON.stringify(before), "gone")
      await tenant.track("DELETE", "/api/v1/customers/gone")
      await completed(tenant, "rewrite")
      const after = await rowsByEngine("pyiceberg", table, accessTo(bucket))
      assert.notInclude(JSON.stringify(after), "gone")
      assert.deepStrictEqual(
        after.at(-1)?.map(({ kind, name }) => name ?? kind),
        ["identify", "bought", "identify", "bought", "delete"],
      )
      assert.deepStrictEqual(await rowsByEngine("duckdb", table, accessTo(bucket)), [after.at(-1)])
      const { json } = await tenant.call("POST", tenant.pathOf("/lake/verify"))
      assert.deepStrictEqual(Object(json).faults, [])
    },
  )
})

/** Asks for something that the lake does soon, and waits for it. */
const completed = async (tenant: Tenant, what: "flush" | "rewrite") => {
  const { json } = await tenant.call("POST", tenant.pathOf(`/lake/${what}`))
  const end = Object(json).to + Object(json).lag
  await eventually(`the lake has done a ${what}`, async () => {
    const { erasures_due, failure, to } = Object(await tenant.get("/lake"))
    assert.isNull(failure)
    return to >= end && (what === "flush" || erasures_due === 0) ? true : undefined
  })
}

const accessTo = ({ access: { accessKeyId, endpoint, region, secretAccessKey } }: SignedBucket) => ({
  properties: {
    "s3.endpoint": endpoint,
    "s3.region": region,
    "s3.access-key-id": accessKeyId,
    "s3.secret-access-key": secretAccessKey,
  },
  access: `CREATE SECRET (TYPE s3, KEY_ID '${accessKeyId}', SECRET '${secretAccessKey}', REGION '${region}',
    ENDPOINT '${new URL(endpoint).host}', URL_STYLE 'path', USE_SSL false)`,
})
