import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { runSql } from "@inlethq/postgres-server/runSql"
import { PostgresServer } from "@inlethq/postgres-server/PostgresServer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { CommandLine } from "../../src/commandLine.ts"
import { eventually } from "../../src/eventually.ts"
import { exportsOf } from "../../src/exported.ts"
import { Inlet } from "../../src/Inlet.ts"
import { Management, read, Workspace } from "../../src/Management.ts"
import type { Tenant } from "../../src/Tenant.ts"
import { fillWorkspace } from "../../src/variedData.ts"

const secret = "s".repeat(32)
const command = new CommandLine({ INLET_SECRET: secret })

interface Target {
  readonly name: string
  readonly start: () => Promise<Inlet>
  /** Returns how many rows mark the workspace. None is left when a deleted workspace is erased. */
  readonly marks: (workspace: number) => Promise<number>
}

const inDirectory = (): Target => {
  const name = join(freshDirectory(), "data")
  return {
    name,
    start: () => Inlet.start({ dataDir: name }),
    marks: async (workspace) => {
      const file = new DatabaseSync(join(name, "inlet.db"), { readOnly: true })
      const rows = file.prepare("SELECT 1 FROM heads WHERE workspace = ?").all(workspace)
      file.close()
      return rows.length
    },
  }
}

const inPostgres = async (server: PostgresServer): Promise<Target> => {
  const name = server.url(await server.createDatabase())
  return {
    name,
    start: () => Inlet.start({ env: { INLET_STORE: name, INLET_SECRET: secret } }),
    marks: async (workspace) =>
      (await runSql(name, [`SELECT 1 FROM heads WHERE workspace = ${workspace}`])).length,
  }
}

describe("inlet copy of a workspace that the target had before", () => {
  let database: PostgresServer
  const older = join(freshDirectory(), "data")
  let tenant: Tenant

  beforeAll(async () => {
    database = await PostgresServer.start()
    const source = await Inlet.start({ dataDir: older })
    tenant = await fillWorkspace(source)
    await source.stop()
  })
  afterAll(() => database.remove())

  const copyTo = async (target: Target, ...args: ReadonlyArray<string>): Promise<string> =>
    (await command.lines("copy", "--from", older, "--to", target.name, ...args)).join("\n")

  /** Deletes one person, suppresses another, and then deletes the whole workspace. */
  const eraseIn = async (target: Target): Promise<void> => {
    const server = await target.start()
    const there = new Management(server, tenant.workspace)
    for (const [id, action] of [
      ["bob", "delete"],
      ["fay", "suppress"],
    ]) {
      const { svc_id } = await there.person({ id: String(id) })
      const answer = await there.call("POST", there.pathOf("/operations"), {
        type: "person",
        action,
        identifiers: { svc_id },
      })
      expect(answer.status, answer.text).toBe(200)
    }
    const { name } = read(Workspace, await there.get(""))
    const deleted = await there.call("DELETE", there.pathOf("", { name }))
    expect(deleted.status, deleted.text).toBe(204)
    await eventually("the workspace is erased", async () =>
      (await target.marks(tenant.workspace)) === 0 ? true : undefined,
    )
    await server.stop()
  }

  const bringsNobodyBack = async (target: Target): Promise<void> => {
    await copyTo(target)
    await eraseIn(target)
    const lines = await copyTo(target, "--workspace", String(tenant.workspace))
    expect(lines).toMatch(/^Copied in .*\nErased again what 2 newer records of the target's ledger named$/)
    const server = await target.start()
    const there = new Management(server, tenant.workspace)
    expect(await there.people({ id: "bob" })).toEqual([])
    expect(await there.people({ id: "fay" })).toEqual([])
    expect(await there.isSuppressed({ id: "fay" })).toBe(true)
    expect((await there.person({ id: "ada" })).id).toBe("ada")
    expect(JSON.stringify(await exportsOf(server, [tenant.workspace]))).not.toMatch(/bob@|fay@/)
    await server.stop()
  }

  it("contract §16 erasure ledger: a copy into a data directory brings nobody back", () =>
    bringsNobodyBack(inDirectory()))

  it("contract §16 erasure ledger: a copy into PostgreSQL brings nobody back", async () => {
    await bringsNobodyBack(await inPostgres(database))
  })
})
