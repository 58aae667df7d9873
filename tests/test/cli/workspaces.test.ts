import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { CommandLine } from "../../src/commandLine.ts"
import { credentials } from "../../src/Inlet.ts"
import { PipelinesSource } from "../../src/PipelinesSource.ts"
import { sharedServer, Tenant } from "../../src/Tenant.ts"

/** Returns the environment of docs/start.md: the address, the token and the keys of one workspace. */
const environmentOf = async (tenant: Tenant) => ({
  INLET_URL: sharedServer.url,
  INLET_MANAGEMENT_TOKEN: credentials.token,
  INLET_SITE_ID: tenant.siteId,
  INLET_API_KEY: tenant.apiKey,
  INLET_WRITE_KEY: (await PipelinesSource.forWorkspace(sharedServer, tenant.workspace)).writeKey,
})

const ids = async (tenant: Tenant) => (await tenant.people({ order: "asc" })).map(({ id }) => id)

const item = { type: "person", action: "identify", identifiers: { id: "ada" } }

describe("a workspace that is not the workspace of the environment's keys", () => {
  it("inlet people and segments change the selected workspace", async () => {
    const [first, second] = [await Tenant.create(), await Tenant.create()]
    const inlet = new CommandLine(await environmentOf(first))
    for (const tenant of [first, second]) {
      for (const id of ["victim", "bob", "eve", "ada"]) await tenant.identify(id)
    }
    const [other, segment] = [await first.createSegment("beta"), await second.createSegment("beta")]
    expect(other).toBe(segment)
    const selected = ["--workspace", String(second.workspace)]
    await inlet.lines("people", "delete", "victim", "--yes", ...selected)
    await inlet.lines("people", "suppress", "eve", "--yes", ...selected)
    await inlet.lines("people", "merge", "ada", "bob", "--yes", ...selected)
    await inlet.lines("segments", "add", String(segment), "ada", ...selected)
    expect([await ids(first), await ids(second)]).toEqual([["victim", "bob", "eve", "ada"], ["ada"]])
    expect([await first.isSuppressed({ id: "eve" }), await second.isSuppressed({ id: "eve" })]).toEqual([
      false,
      true,
    ])
    expect([await first.segmentMembers(segment), await second.segmentMembers(segment)]).toEqual([[], ["ada"]])
    await inlet.lines("people", "unsuppress", "eve", ...selected)
    expect(await second.isSuppressed({ id: "eve" })).toBe(false)
  })

  it("inlet send sends nothing, and names the workspace of the key and the selected workspace", async () => {
    const [first, second] = [await Tenant.create(), await Tenant.create()]
    const environment = await environmentOf(first)
    const file = join(freshDirectory(), "items.ndjson")
    writeFileSync(file, `${JSON.stringify(item)}\n`)
    const calls = [
      [["send", "identify", "ada"], "INLET_WRITE_KEY"],
      [["send", "track", "ada", "signed_up"], "INLET_WRITE_KEY"],
      [["send", "batch", file], "INLET_SITE_ID and INLET_API_KEY"],
    ] as const
    for (const [args, variables] of calls) {
      const text = (option: string) =>
        `inlet: the key in ${variables} belongs to workspace ${first.workspace}, but ${option} selects workspace ${second.workspace}, so nothing was sent: set a key of workspace ${second.workspace}, or remove ${variables} so that the command makes its own key\n`
      const byFlag = await new CommandLine(environment).run([
        ...args,
        "--workspace",
        String(second.workspace),
      ])
      expect(byFlag).toEqual({ code: 2, stdout: "", stderr: text("--workspace") })
      const byVariable = await new CommandLine({
        ...environment,
        INLET_WORKSPACE: String(second.workspace),
      }).run(args)
      expect(byVariable).toEqual({ code: 2, stdout: "", stderr: text("INLET_WORKSPACE") })
    }
    for (const tenant of [first, second]) expect(await tenant.activity({})).toEqual([])
  })

  it("inlet send prints the workspace that it writes to, and no note with --json", async () => {
    const tenant = await Tenant.create()
    const note = `Sending to workspace ${tenant.workspace} at ${sharedServer.url}\n`
    const inlet = new CommandLine(await environmentOf(tenant))
    expect((await inlet.run(["send", "identify", "ada"])).stderr).toBe(note)
    expect((await inlet.run(["send", "identify", "ada", "--json"])).stderr).toBe("")
    const selected = ["--workspace", String(tenant.workspace)]
    expect((await inlet.run(["send", "identify", "ada", ...selected])).stderr).toBe(note)
    const { INLET_MANAGEMENT_TOKEN, INLET_URL } = await environmentOf(tenant)
    const another = await Tenant.create()
    const withOwnKey = new CommandLine({
      INLET_MANAGEMENT_TOKEN,
      INLET_URL,
      INLET_WORKSPACE: String(another.workspace),
    })
    expect((await withOwnKey.run(["send", "identify", "ada"])).stderr).toBe(
      `Sending to workspace ${another.workspace} at ${sharedServer.url}\n`,
    )
  })

  it("inlet import writes exported objects to the selected workspace", async () => {
    const [first, second] = [await Tenant.create(), await Tenant.create()]
    const inlet = new CommandLine(await environmentOf(first))
    await second.entity({
      type: "object",
      action: "identify",
      identifiers: { object_type_id: "1", object_id: "acme" },
    })
    const file = join(freshDirectory(), "objects.ndjson")
    const selected = ["--workspace", String(second.workspace)]
    await inlet.lines("export", "objects", "--output", file, ...selected)
    await inlet.lines("import", "objects", file, ...selected)
    expect(await first.objects()).toEqual([])
  })
})
