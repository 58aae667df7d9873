import { DatabaseSync } from "node:sqlite"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { CommandLine, hasTerminals } from "../../src/commandLine.ts"
import { eventually, within } from "../../src/eventually.ts"
import { expectTrackSuccess } from "../../src/expectAnswer.ts"
import { filesContaining } from "../../src/files.ts"
import { fresh } from "../../src/fresh.ts"
import { credentials, Inlet } from "../../src/Inlet.ts"
import { Launched } from "../../src/Launched.ts"
import { Management } from "../../src/Management.ts"
import { sharedServer, Tenant } from "../../src/Tenant.ts"

const running: Array<Inlet> = []
afterAll(() => Promise.all(running.map((inlet) => inlet.stop())))

const deleted = async (tenant: Tenant, name: string): Promise<void> => {
  const answer = await tenant.call("DELETE", `${tenant.pathOf("")}?name=${name}`)
  expect([answer.status, answer.text]).toEqual([204, ""])
}

describe("a deleted workspace", () => {
  it("keys of a deleted workspace are unknown, and its id is not used again", async () => {
    const name = fresh("shop")
    const [tenant, other] = [await Tenant.create({ name }), await Tenant.create()]
    expectTrackSuccess(await tenant.identify("ada", { plan: "pro" }))
    await deleted(tenant, name)
    expect((await tenant.identify("bob")).status).toBe(401)
    expect((await tenant.call("GET", tenant.pathOf("/people"))).status).toBe(404)
    expect((await tenant.call("GET", "/workspaces?limit=1000")).text).not.toContain(name)
    expectTrackSuccess(await other.identify("ada"))
    expect(await new Management(sharedServer).createWorkspace()).toBeGreaterThan(tenant.workspace)
  })

  it("of the requests in flight when their workspace is deleted, each is applied or refused as with an unknown key", async () => {
    const name = fresh("shop")
    const tenant = await Tenant.create({ name })
    const calls = Array.from({ length: 60 }, (_, n) => tenant.identify(`person ${n}`))
    const [answers] = await Promise.all([Promise.all(calls), deleted(tenant, name)])
    for (const { status } of answers) expect([200, 401]).toContain(status)
    expect((await tenant.identify("late")).status).toBe(401)
  })

  it("inlet workspaces delete shows what will be lost, and deletes only with the name of the workspace", async () => {
    const name = fresh("shop")
    const tenant = await Tenant.create({ name })
    const inlet = new CommandLine({
      INLET_URL: sharedServer.url,
      INLET_MANAGEMENT_TOKEN: credentials.token,
    })
    await tenant.identify("ada")
    const id = String(tenant.workspace)
    const unconfirmed = await inlet.run(["workspaces", "delete", id])
    expect([unconfirmed.code, unconfirmed.stderr]).toEqual([2, expect.stringContaining("--yes and --name")])
    const wrong = await inlet.run(["workspaces", "delete", id, "--yes", "--name", "other"])
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining("not the name")])
    expect(await tenant.people({ id: "ada" })).toHaveLength(1)
    const { code, stderr } = await inlet.run(["workspaces", "delete", id, "--yes", "--name", name])
    expect(code).toBe(0)
    expect(stderr).toContain(`Workspace ${id}, ${name}, has 1 person, 0 objects, 1 entry of the activity log`)
    expect((await inlet.run(["workspaces", "get", id])).code).toBe(1)
  })

  it.runIf(hasTerminals).each([
    ["Ctrl-C", () => "\u0003", 130, "nothing was changed", 200],
    ["another name", () => "other\r", 1, "this is not the name of the workspace", 200],
    ["its name", (name: string) => `${name}\r`, 0, "the server now erases its data", 404],
  ] as const)(
    "%s to the question of inlet workspaces delete ends the command as expected",
    async (_, keysFor, code, said, status) => {
      const name = fresh("shop")
      const tenant = await Tenant.create({ name })
      const inlet = new CommandLine({
        INLET_URL: sharedServer.url,
        INLET_MANAGEMENT_TOKEN: credentials.token,
      })
      const command = new Launched(inlet.startOnTerminal(["workspaces", "delete", String(tenant.workspace)]))
      await eventually("the question is shown", () =>
        command.printed.includes("Type the name") ? true : undefined,
      )
      command.child.stdin?.write(keysFor(name))
      expect(await within("the command ends", command.exit)).toEqual({ code, signal: null })
      expect(command.printed).toContain(said)
      expect((await tenant.call("GET", tenant.pathOf(""))).status).toBe(status)
    },
  )

  it("a server that is killed while it erases a workspace continues after it starts again", async () => {
    const dataDir = join(freshDirectory(), "data")
    const start = async () => {
      const inlet = await Inlet.start({ dataDir })
      running.push(inlet)
      return inlet
    }
    const inlet = await start()
    const name = fresh("shop")
    const tenant = await Tenant.create({ name }, inlet)
    const kept = await Tenant.create({}, inlet)
    const mark = fresh("mark")
    for (const owner of [tenant, kept]) {
      const items = Array.from({ length: 800 }, (_, n) => ({
        type: "person",
        action: "identify",
        identifiers: { id: `${owner === tenant ? mark : "kept"} ${n}` },
      }))
      for (let from = 0; from < items.length; from += 400) {
        expectTrackSuccess(await owner.batch(items.slice(from, from + 400)))
      }
    }
    expect(filesContaining(dataDir, mark)).not.toEqual([])
    await deleted(tenant, name)
    await inlet.kill()
    await (await start()).kill()
    const again = await start()
    await eventually("no row of the workspace is left", () =>
      rowsOf(dataDir, tenant.workspace) === 0 ? true : undefined,
    )
    await eventually("no byte of its people is left", () =>
      filesContaining(dataDir, mark).length === 0 ? true : undefined,
    )
    const rest = new Management(again, kept.workspace)
    expect(await rest.person({ id: "kept 799" })).toMatchObject({ id: "kept 799" })
    expect((await rest.call("GET", tenant.pathOf(""))).status).toBe(404)
    expect(await again.stop()).toEqual({ code: 0, signal: null })
  })
})

/** Returns the number of people and log entries of a workspace in a data directory. */
const rowsOf = (dataDir: string, workspace: number): number => {
  const file = new DatabaseSync(join(dataDir, "inlet.db"), { readOnly: true })
  const rows = ["subjects", "activity"].map(
    (table) =>
      file.prepare(`SELECT count(*) AS rows FROM ${table} WHERE id >> 38 = ?`).get(workspace)?.["rows"] ?? 0,
  )
  file.close()
  return rows.reduce<number>((sum, count) => sum + Number(count), 0)
}
