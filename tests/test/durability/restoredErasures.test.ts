import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { CommandLine } from "../../src/commandLine.ts"
import { eventually } from "../../src/eventually.ts"
import { filesContaining } from "../../src/files.ts"
import { fresh } from "../../src/fresh.ts"
import { credentials, Inlet } from "../../src/Inlet.ts"
import { launchAs } from "../../src/Launched.ts"
import { Management } from "../../src/Management.ts"
import { cliFile, compileCache } from "../../src/programs.ts"
import { Tenant } from "../../src/Tenant.ts"

const inlet = new CommandLine({})

/**
 * A server with three people, a backup of it, and what happened since: two of them were erased. A fourth was merged into the
 * third when the backup was made, came back and was erased.
 */
const erasedSinceBackup = async () => {
  const server = await Inlet.start()
  const tenant = await Tenant.create({}, server)
  const [deleted, suppressed, kept] = ["deleted", "suppressed", "kept"].map(fresh)
  const everybody = [deleted, suppressed, kept]
  for (const id of everybody) {
    await tenant.identify(id ?? "", { email: `${id}@example.com`, note: `${id} said` })
    await tenant.recordEvent(id ?? "", { name: "bought", data: { by: id } })
  }
  const merged = fresh("merged")
  await tenant.identify(merged, { email: `${merged}@example.com`, secret: `${merged} said` })
  await tenant.merge({ id: kept }, { id: merged })
  const backup = join(freshDirectory(), "inlet.backup")
  await inlet.lines("backup", backup, "--data-dir", server.dataDir)
  const ofTenant = new CommandLine({
    INLET_URL: server.url,
    INLET_MANAGEMENT_TOKEN: credentials.token,
    INLET_WORKSPACE: String(tenant.workspace),
  })
  const { items } = Object(await ofTenant.json("people", "merges", kept ?? ""))
  await ofTenant.lines("people", "unmerge", kept ?? "", items[0].secondary.svc_id, "--yes")
  await tenant.entity({ type: "person", identifiers: { id: merged }, action: "delete" })
  await tenant.entity({ type: "person", identifiers: { id: deleted }, action: "delete" })
  await tenant.entity({ type: "person", identifiers: { id: suppressed }, action: "suppress" })
  return {
    server,
    tenant,
    backup,
    deleted: deleted ?? "",
    suppressed: suppressed ?? "",
    kept: kept ?? "",
    merged,
  }
}

const world = await erasedSinceBackup()
afterAll(() => world.server.stop())

/** The arguments of a restore with the ledger of the running server. */
const restoring = (directory: string) => [
  "restore",
  world.backup,
  "--data-dir",
  directory,
  "--ledger",
  world.server.dataDir,
]

/** Expects that the directory has no byte of the three erased people, all of the third, and ignores the suppressed one. */
const expectErased = async (directory: string) => {
  const { deleted, kept, merged, suppressed, tenant } = world
  expect(filesContaining(directory, deleted, suppressed, merged)).toEqual([])
  expect(filesContaining(directory, kept)).not.toEqual([])
  const again = await Inlet.start({ dataDir: directory })
  const management = new Management(again, tenant.workspace)
  expect(await management.isSuppressed({ id: suppressed })).toBe(true)
  expect(await management.isSuppressed({ id: deleted })).toBe(false)
  await again.stop()
}

describe("inlet restore --ledger", () => {
  it("contract §16 erasure ledger: without a ledger the erased people are back, and the command says so", async () => {
    const directory = join(freshDirectory(), "restored")
    const { stderr } = await inlet.run(["restore", world.backup, "--data-dir", directory])
    expect(stderr).toMatch(/Whoever was deleted or suppressed after \S+Z is back\. Restore with --ledger/)
    expect(filesContaining(directory, world.deleted)).not.toEqual([])
  })

  it("contract §16 erasure ledger: with the data directory of the running server, no byte of them is restored", async () => {
    const directory = join(freshDirectory(), "restored")
    const lines = await inlet.lines(
      "restore",
      world.backup,
      "--data-dir",
      directory,
      "--ledger",
      world.server.dataDir,
    )
    expect(lines[1]).toBe("Erased again what 3 newer records of the ledger named")
    expect(readdirSync(directory).toSorted()).toEqual(["digest-key", "inlet.db", "lock"])
    await expectErased(directory)
  })

  it("contract §16 erasure ledger: a ledger in a file does the same, and a backup of the result has its own ledger", async () => {
    const folder = freshDirectory()
    const ledger = join(folder, "ledger.ndjson")
    const ofServer = new CommandLine({
      INLET_URL: world.server.url,
      INLET_MANAGEMENT_TOKEN: credentials.token,
    })
    await ofServer.lines("erasure", "ledger", ledger)
    expect(filesContaining(folder, world.deleted, world.suppressed)).toEqual([])
    const restored = join(folder, "restored")
    await inlet.lines("restore", world.backup, "--data-dir", restored, "--ledger", ledger)
    await expectErased(restored)
    const second = join(folder, "second.backup")
    await inlet.lines("backup", second, "--data-dir", restored)
    const twice = join(folder, "twice")
    const lines = await inlet.lines("restore", second, "--data-dir", twice, "--ledger", ledger)
    expect(lines[1]).toBe("Erased again what 0 newer records of the ledger named")
    await expectErased(twice)
  })

  it("contract §16 erasure ledger: a restore that is killed leaves nothing that a server opens, and can be repeated", async () => {
    const folder = freshDirectory()
    // The restore is killed at the first file of its draft, and once the draft is opened as a database.
    for (const name of ["inlet.db.part", "inlet.db-wal"]) {
      const directory = join(folder, name)
      const killed = launchAs([process.execPath, cliFile, ...restoring(directory)], compileCache)
      await eventually("the draft appears", () =>
        existsSync(join(directory, "restoring", name)) || existsSync(join(directory, "inlet.db"))
          ? true
          : undefined,
      )
      await killed.signal("SIGKILL")
      if (existsSync(join(directory, "inlet.db"))) rmSync(directory, { recursive: true })
      await inlet.lines(...restoring(directory))
      await expectErased(directory)
    }
  })

  it("contract §16 erasure ledger: back from an older backup to a newer one, the ledger from before erases whom it names, and nobody else", async () => {
    const folder = freshDirectory()
    const backupOf = async (name: string, dataDir: string) => {
      await inlet.lines("backup", join(folder, name), "--data-dir", dataDir)
      return join(folder, name)
    }
    const server = await Inlet.start()
    const tenant = await Tenant.create({}, server)
    const [first, later, other, between] = ["first", "later", "other", "between"].map(fresh)
    if (first === undefined || later === undefined || other === undefined || between === undefined) return
    await tenant.identify(first, { email: `${first}@example.com` })
    const older = await backupOf("older", server.dataDir)
    await tenant.identify(later, { email: `${later}@example.com` })
    await tenant.identify(other, { email: `${other}@example.com` })
    const newer = await backupOf("newer", server.dataDir)
    await tenant.entity({ type: "person", identifiers: { id: later }, action: "delete" })
    const ledger = join(folder, "ledger.ndjson")
    const ofServer = new CommandLine({ INLET_URL: server.url, INLET_MANAGEMENT_TOKEN: credentials.token })
    await ofServer.lines("erasure", "ledger", ledger)
    await server.stop()

    // The older backup is used for a while. Somebody else gets the key that `later` has in the newer one, and is erased.
    const olderData = join(folder, "from older")
    await inlet.lines("restore", older, "--data-dir", olderData, "--ledger", ledger)
    const meanwhile = await Inlet.start({ dataDir: olderData })
    const then = tenant.on(meanwhile)
    await then.identify(between, {})
    await then.entity({ type: "person", identifiers: { id: between }, action: "delete" })
    await meanwhile.stop()

    const newerData = join(folder, "from newer")
    const lines = await inlet.lines("restore", newer, "--data-dir", newerData, "--ledger", ledger)
    expect(lines[1]).toBe("Erased again what 1 newer record of the ledger named")
    expect(filesContaining(newerData, later, between)).toEqual([])
    const again = await Inlet.start({ dataDir: newerData })
    const now = tenant.on(again)
    expect((await now.person({ id: first })).email).toBe(`${first}@example.com`)
    expect((await now.person({ id: other })).email).toBe(`${other}@example.com`)
    await again.stop()
  })

  it("refuses the ledger of another installation, and a ledger that was cut short", async () => {
    const other = await Inlet.start()
    const directory = join(freshDirectory(), "restored")
    const { code, stderr } = await inlet.run([
      "restore",
      world.backup,
      "--data-dir",
      directory,
      "--ledger",
      other.dataDir,
    ])
    await other.stop()
    expect([code, stderr.trim()]).toEqual([
      1,
      `inlet: cannot use the erasure ledger ${other.dataDir}: it is the ledger of another installation`,
    ])
    const cut = join(freshDirectory(), "cut.ndjson")
    writeFileSync(cut, "")
    const refused = await inlet.run(["restore", world.backup, "--data-dir", directory, "--ledger", cut])
    expect([refused.code, refused.stderr.trim()]).toEqual([
      1,
      `inlet: cannot use the erasure ledger ${cut}: its last line is missing, so it is not the whole ledger`,
    ])
    expect(existsSync(directory)).toBe(false)
  })
})
