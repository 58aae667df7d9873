import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { CommandLine } from "../../src/commandLine.ts"
import { freshDirectory } from "../../src/cleanup.ts"
import { eventually } from "../../src/eventually.ts"
import {
  importBegun,
  importEnded,
  peopleFile,
  readImport,
  startImportJob,
  uploadImport,
  type ImportDocument,
} from "../../src/importJobs.ts"
import { credentials, Inlet } from "../../src/Inlet.ts"
import { Tenant } from "../../src/Tenant.ts"

/** Returns the files of imports that a server keeps. */
const filesOf = (server: Inlet): ReadonlyArray<string> => {
  const folder = join(server.dataDir, "imports")
  return existsSync(folder) ? readdirSync(folder) : []
}

const ends = async (tenant: Tenant) =>
  Object(await tenant.call("GET", `/audit?action=import.end&workspace=${tenant.workspace}`)).json.items

let server: Inlet

beforeAll(async () => {
  server = await Inlet.start()
})
afterAll(() => server.stop())

describe("an import that goes on without its client", () => {
  it("is answered once its file is saved, and lists its progress, result and errors", async () => {
    const tenant = await Tenant.create({}, server)
    const file = `${peopleFile(1200)}only-one-cell\n,,\n"open,x,y\n`
    const job = await startImportJob(tenant, file, "&name=people.csv")
    expect(job).toMatchObject({ kind: "people", name: "people.csv", bytes: file.length })
    const done = await importEnded(tenant, job.import_id)
    expect(done).toMatchObject({ state: "done", rows: 1202, imported: 1200, failed: 2, errors: 2 })
    expect(done.bytes_read).toBe(file.length)
    const { items } = (await tenant.get(`/imports/${job.import_id}/errors`)) as { items: Array<unknown> }
    expect(items).toEqual([
      { line: 1202, message: expect.stringContaining("expected 3 cells, got 1") },
      { line: 1204, message: expect.stringContaining("quoted cell") },
    ])
    expect(((await tenant.get("/imports")) as { items: Array<ImportDocument> }).items).toEqual([done])
    expect(filesOf(server)).toEqual([])
    expect(await ends(tenant)).toMatchObject([
      {
        action: "import.end",
        outcome: "done",
        target: { id: job.import_id },
        details: { state: "done", rows: 1202, imported: 1200, failed: 2, skipped: 0 },
      },
    ])
  })

  it("resumes after the server was killed, and counts every row once", async () => {
    const killed = await Inlet.start()
    const tenant = await Tenant.create({}, killed)
    const file = peopleFile(40_000)
    const job = await startImportJob(tenant, file)
    await importBegun(tenant, job.import_id)
    await killed.kill()
    const again = await Inlet.start({ dataDir: killed.dataDir })
    const resumed = tenant.on(again)
    const during = await readImport(resumed, job.import_id)
    expect(during.imported).toBeLessThan(40_000)
    expect(await importEnded(resumed, job.import_id)).toMatchObject({
      state: "done",
      rows: 40_000,
      imported: 40_000,
      skipped: 0,
      failed: 0,
    })
    const ids = new Set<string>()
    const command = new CommandLine({
      INLET_URL: again.url,
      INLET_MANAGEMENT_TOKEN: credentials.token,
      INLET_WORKSPACE: String(tenant.workspace),
    })
    const lines = await command.lines("export", "people")
    for (const line of lines) {
      const { id } = JSON.parse(line) as { id?: string }
      if (id !== undefined) ids.add(id)
    }
    expect(ids.size).toBe(40_000)
    expect(await ends(resumed)).toMatchObject([{ details: { rows: 40_000, imported: 40_000 } }])
    expect(filesOf(again)).toEqual([])
    await again.stop()
  })

  it("stops when it is cancelled, with the counts of what it did", async () => {
    const tenant = await Tenant.create({}, server)
    const job = await startImportJob(tenant, peopleFile(40_000))
    const waiting = await startImportJob(tenant, peopleFile(10, "w"))
    await importBegun(tenant, job.import_id)
    await tenant.call("POST", tenant.pathOf(`/imports/${waiting.import_id}/cancel`))
    const answer = await tenant.call("POST", tenant.pathOf(`/imports/${job.import_id}/cancel`))
    expect(answer.status).toBe(200)
    const stopped = await importEnded(tenant, job.import_id)
    expect(stopped).toMatchObject({ state: "cancelled" })
    expect(stopped.imported).toBeLessThan(40_000)
    const { items } = (await tenant.get("/activity?filter=kind:identify&limit=1")) as {
      items: Array<{ sequence: number }>
    }
    expect(items[0]?.sequence).toBe(stopped.imported)
    expect(await importEnded(tenant, waiting.import_id)).toMatchObject({ state: "cancelled", rows: 0 })
    const late = await tenant.call("POST", tenant.pathOf(`/imports/${job.import_id}/cancel`))
    expect(late.status).toBe(409)
    expect(filesOf(server)).toEqual([])
  })

  it("skips rows about people who were deleted after the upload", async () => {
    const tenant = await Tenant.create({}, server)
    await tenant.identify("ada", { email: "ada@example.com" })
    await startImportJob(tenant, peopleFile(20_000, "first"))
    const job = await startImportJob(tenant, "id,email\nada,\nbob,ada@example.com\neve,eve@example.com\n")
    expect((await readImport(tenant, job.import_id)).state).toBe("waiting")
    await tenant.entity({ type: "person", identifiers: { id: "ada" }, action: "delete" })
    expect(await importEnded(tenant, job.import_id)).toMatchObject({
      rows: 3,
      imported: 1,
      skipped: 2,
      errors: 2,
    })
    const found = (await tenant.get("/people?id=ada")) as { items: Array<unknown> }
    expect(found.items).toEqual([])
  })

  it("is the same import for the same file with the same Idempotency-Key", async () => {
    const tenant = await Tenant.create({}, server)
    const key = { "idempotency-key": "monday" }
    const first = await uploadImport(tenant, peopleFile(3), "", key)
    const second = await uploadImport(tenant, peopleFile(3), "", key)
    expect([first.status, second.status]).toEqual([202, 202])
    expect(Object(second.json).import_id).toBe(Object(first.json).import_id)
    expect((await uploadImport(tenant, peopleFile(4), "", key)).status).toBe(409)
    await importEnded(tenant, Object(first.json).import_id)
    const again = await startImportJob(tenant, peopleFile(3))
    expect(await importEnded(tenant, again.import_id)).toMatchObject({ imported: 3 })
  })

  it("fails with the faults of the header, and goes with its workspace", async () => {
    const tenant = await Tenant.create({}, server)
    const wrong = await startImportJob(tenant, "name\nAda\n")
    expect(await importEnded(tenant, wrong.import_id)).toMatchObject({
      state: "failed",
      failure: "wrong_header",
      rows: 0,
      errors: 1,
    })
    await startImportJob(tenant, peopleFile(40_000))
    const { name } = Object(await tenant.get(""))
    const deleted = await tenant.call("DELETE", tenant.pathOf("", { name }))
    expect(deleted.status).toBe(204)
    await eventually("the file is removed", async () => (filesOf(server).length === 0 ? true : undefined))
  })

  it("ends in a copy or a backup, which have no files, as failed", async () => {
    const tenant = await Tenant.create({}, server)
    const job = await startImportJob(tenant, peopleFile(40_000))
    await importBegun(tenant, job.import_id)
    const [backup, restored] = [join(freshDirectory(), "inlet.backup"), join(freshDirectory(), "data")]
    const command = new CommandLine({})
    await command.lines("backup", backup, "--data-dir", server.dataDir)
    await command.lines("restore", backup, "--data-dir", restored)
    const other = await Inlet.start({ dataDir: restored })
    const failed = await importEnded(tenant.on(other), job.import_id)
    expect(failed).toMatchObject({ state: "failed", failure: "file_missing" })
    expect(failed.imported).toBeGreaterThan(0)
    await other.stop()
    expect(await importEnded(tenant, job.import_id)).toMatchObject({ state: "done", imported: 40_000 })
  })
})
