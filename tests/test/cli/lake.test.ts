import { copyFile, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { LakeFile } from "@inlethq/core/ports/LakeFiles"
import { noThreadCatalog, ThreadCatalog } from "@inlethq/core/catalog/ThreadCatalog"
import { LakeThread } from "@inlethq/lake/thread/LakeThread"
import { Effect, Layer, Schema } from "effect"
import { dayMs } from "@inlethq/core/values/Timestamp"
import { describe, expect, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { CommandLine } from "../../src/commandLine.ts"
import { credentials } from "../../src/Inlet.ts"
import { queryDuckDb } from "../../src/lake/duckDb.ts"
import { sharedServer, Tenant } from "../../src/Tenant.ts"

/** Starts a lake with three people of whom each did something. Returns the command line of its workspace. */
const start = async () => {
  const tenant = await Tenant.create()
  const inlet = new CommandLine({
    INLET_URL: sharedServer.url,
    INLET_MANAGEMENT_TOKEN: credentials.token,
    INLET_WORKSPACE: String(tenant.workspace),
  })
  for (const name of ["ada", "bob", "eve"]) {
    await tenant.identify(name, { plan: "pro" })
    await tenant.recordEvent(name, { name: "bought", data: { price: 3 } })
  }
  const folder = join(freshDirectory(), "lake")
  const started = await inlet.run(["lake", "start", "--dir", folder])
  expect([started.code, started.stderr]).toEqual([0, "Read it: inlet lake sql\n"])
  return { folder, inlet, started, tenant }
}

/** Returns the local path of the only file of activity. */
const activityOf = async (folder: string, tenant: Tenant): Promise<string> => {
  const { items } = LakeFilesPage(await tenant.get("/lake/files"))
  const [file] = items.filter(({ table }) => table === "activity")
  return join(folder, file?.path ?? "")
}

const LakeFilesPage = Schema.decodeUnknownSync(Schema.Struct({ items: Schema.Array(LakeFile) }))

const fileThread = LakeThread.layer.pipe(Layer.provide(Layer.succeed(ThreadCatalog, noThreadCatalog)))

/** Writes a file again as its rows are, without those at some positions, as often as it is among the inputs. */
const rewritten = async (path: string, inputs: number, without: ReadonlyArray<number>) => {
  const asked = {
    table: "activity" as const,
    inputs: Array.from({ length: inputs }, () => path),
    path: `${path}.new`,
    gone: [],
    rows: without.map((position) => [position, null] as const),
  }
  await Effect.runPromise(LakeThread.use(({ ask }) => ask("rewrite", asked)).pipe(Effect.provide(fileThread)))
  await rename(`${path}.new`, path)
}

describe("inlet lake", () => {
  it("start writes the log and says how far it has come, sql prints views, and stop forgets the files", async () => {
    const { folder, inlet, started } = await start()
    expect(started.stdout).toMatch(
      /^lake\n {2}where +\S+\n {2}written +everything, up to position 6\n {2}people and objects +as of position 6\n/,
    )
    expect(await inlet.lines("lake", "status")).toEqual(started.stdout.trimEnd().split("\n"))
    expect(await inlet.json("lake", "status")).toMatchObject({ target: "folder", url: folder, to: 6, lag: 0 })
    expect((await inlet.lines("lake", "sql")).join("\n")).toContain("FROM read_parquet(getvariable('lake_")
    expect((await inlet.lines("lake", "sql", "--engine", "clickhouse")).join("\n")).toContain("file('")
    expect((await inlet.lines("lake", "rewrite")).join("\n")).toContain("erasures due        none")
    expect((await inlet.run(["lake", "stop"])).code).toBe(0)
    expect(await inlet.lines("lake", "status")).toEqual([
      "This workspace has no lake. Start one with `inlet lake start`.",
    ])
    const refused = await inlet.run(["lake", "sql"])
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("has no lake")])
  })

  it("flush completes the files at once, with people as they are then", async () => {
    const { inlet, tenant } = await start()
    const statements = async () => (await inlet.lines("lake", "sql")).join("\n")
    await tenant.identify("late", { plan: "free" })
    await tenant.recordEvent("late", { name: "bought", data: { price: 4 } })
    expect(await inlet.json("lake", "status")).toMatchObject({
      to: 6,
      lag: 2,
      lag_seconds: expect.any(Number),
    })
    expect(await inlet.json("lake", "flush")).toMatchObject({ to: 8, lag: 0, snapshot_to: 8 })
    const [row] = await queryDuckDb(
      await statements(),
      "SELECT people.id, price FROM event_bought JOIN people ON people.subject = person WHERE price = 4",
    )
    expect(row).toEqual({ id: "late", price: 4 })
    expect(await inlet.lines("lake", "verify")).toEqual([expect.stringContaining("nothing is wrong")])
  })

  it("status says until when the rows of deleted people leave the files", async () => {
    const { inlet, tenant } = await start()
    const before = Date.now()
    await tenant.track("DELETE", "/api/v1/customers/ada")
    const after = Date.now()
    const status = Object(await inlet.json("lake", "flush"))
    expect(status).toMatchObject({ lag: 0, lag_seconds: 0, erasures_due: 1 })
    const received = Date.parse(status.erasures_due_by) - 7 * dayMs
    expect(received).toBeGreaterThanOrEqual(before)
    expect(received).toBeLessThanOrEqual(after)
    const day = status.erasures_due_by.slice(0, 10)
    expect((await inlet.lines("lake", "status")).join("\n")).toContain(
      `1 deletion is still to leave the files, by ${day} at the latest`,
    )
  })

  it("rewrite waits until deleted people have left the files, and ends with code 1 if they cannot", async () => {
    const { folder, inlet, tenant } = await start()
    await tenant.track("DELETE", "/api/v1/customers/ada")
    expect(await inlet.json("lake", "rewrite")).toMatchObject({ erasures_due: 0, failure: null })
    await rename(folder, `${folder}.away`)
    await writeFile(folder, "no folder")
    await tenant.track("DELETE", "/api/v1/customers/bob")
    const { code, stderr } = await inlet.run(["lake", "rewrite"])
    expect([code, stderr]).toEqual([1, "inlet: the files do not hold everything up to position 8 yet\n"])
  })

  it("start needs a folder or a bucket, and the key of a bucket in the environment", async () => {
    const tenant = await Tenant.create()
    const inlet = new CommandLine({
      INLET_URL: sharedServer.url,
      INLET_MANAGEMENT_TOKEN: credentials.token,
      INLET_WORKSPACE: String(tenant.workspace),
    })
    const none = await inlet.run(["lake", "start"])
    expect([none.code, none.stderr]).toEqual([
      2,
      "inlet: say where to write the lake: either --dir or --bucket\n",
    ])
    const keyless = await inlet.run(["lake", "start", "--bucket", "s3://events/inlet"])
    expect([keyless.code, keyless.stderr]).toEqual([
      2,
      "inlet: the key of the bucket is missing: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY\n",
    ])
  })

  it("verify finds a row that was removed, one that is doubled, and a file that was swapped", async () => {
    const { folder, inlet, tenant } = await start()
    const path = await activityOf(folder, tenant)
    await copyFile(path, `${path}.kept`)
    expect(await inlet.lines("lake", "verify")).toEqual([
      expect.stringMatching(/^Read \d files with 6 operations, \S+ [KM]B: nothing is wrong$/),
    ])

    const faults = async () => {
      const { code, stderr, stdout } = await inlet.run(["lake", "verify"])
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^inlet: the lake has faults: \d\n$/)])
      return stdout
    }
    await rewritten(path, 1, [4])
    expect(await faults()).toContain(": 5 rows instead of 6\n")
    await copyFile(`${path}.kept`, path)
    await rewritten(path, 2, [])
    expect(await faults()).toContain(": positions are doubled or out of order: 1, 2, 3, 4, 5, 6\n")
    const other = await start()
    await copyFile(await activityOf(other.folder, other.tenant), path)
    expect(await faults()).toContain(": its contents changed after it was written (SHA-256)\n")
    await writeFile(path, "no Parquet")
    expect(await faults()).toContain(path.slice(folder.length + 1))
    await copyFile(`${path}.kept`, path)
    expect(await inlet.json("lake", "verify")).toMatchObject({ rows: 6, faults: [], next: null })
  })
})
