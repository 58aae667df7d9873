import { mkdtemp, readFile, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { CommandLine } from "../../src/commandLine.ts"
import { credentials } from "../../src/Inlet.ts"
import { sharedServer, Tenant } from "../../src/Tenant.ts"

const commandLine = (token: string, workspace: number) =>
  new CommandLine({
    INLET_URL: sharedServer.url,
    INLET_MANAGEMENT_TOKEN: token,
    INLET_WORKSPACE: String(workspace),
  })

it("inlet audit shows who did what, filters it, and exports it to a file", async () => {
  const { workspace } = await Tenant.create()
  const inlet = commandLine(credentials.token, workspace)
  const name = `audited ${workspace}`
  const made = Object(
    await inlet.json("tokens", "create", name, "--scope", "admin", "--only", String(workspace)),
  )
  const limited = commandLine(String(made["token"]), workspace)
  const key = Object(await limited.json("keys", "create", "web"))
  await limited.lines("keys", "revoke", String(key["key_id"]), "--yes")
  await limited.lines("workspaces", "update", String(workspace), "--retention-days", "90")

  const rows = (await inlet.lines("audit", "--actor", name)).map((line) => line.split("\t"))
  expect(rows.map(([, who, action, outcome, on, what]) => [who, action, outcome, on, what])).toEqual([
    [name, "workspace.update", "done", String(workspace), expect.stringMatching(/: retention_days$/)],
    [name, "key.revoke", "done", String(workspace), "web"],
    [name, "key.create", "done", String(workspace), "web"],
  ])
  const only = ["--only", String(workspace), "--action", "key"]
  const filtered = Object(await inlet.json("audit", ...only, "--limit", "1"))
  expect(filtered["items"]).toHaveLength(1)
  expect((await inlet.lines("audit", ...only, "--limit", "1", "--all")).length).toBeGreaterThan(1)
  expect(await limited.run(["audit", "--only", "0"])).toMatchObject({ code: 1 })
  expect(await inlet.run(["audit", "--since", "2027-02-01", "--until", "2027-01-01"])).toMatchObject({
    code: 2,
  })

  const folder = await mkdtemp(join(tmpdir(), "inlet-"))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, "audit.ndjson")
  expect(await limited.json("audit", "--export", file, "--actor", name)).toEqual({ file, count: 3 })
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const actions = (await readFile(file, "utf8"))
    .trim()
    .split("\n")
    .map((line) => String(Object(JSON.parse(line))["action"]))
  expect(actions).toEqual(["key.create", "key.revoke", "workspace.update", "undefined"])
})
