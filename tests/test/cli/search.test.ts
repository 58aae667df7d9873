import { describe, expect, it } from "vitest"
import { CommandLine } from "../../src/commandLine.ts"
import { fresh } from "../../src/fresh.ts"
import { credentials } from "../../src/Inlet.ts"
import { sharedServer, Tenant } from "../../src/Tenant.ts"

const start = async () => {
  const tenant = await Tenant.create()
  const inlet = new CommandLine({
    INLET_URL: sharedServer.url,
    INLET_MANAGEMENT_TOKEN: credentials.token,
    INLET_WORKSPACE: String(tenant.workspace),
  })
  return { tenant, inlet }
}

describe("inlet search", () => {
  it("inlet search finds everything by identifier and people by name, exact matches first", async () => {
    const { inlet, tenant } = await start()
    await tenant.identify("king", { name: "Ada King" })
    await tenant.identify("kingsley", { email: "k@example.com" })
    await tenant.entity({
      type: "object",
      action: "identify",
      identifiers: { object_type_id: "1", object_id: "king" },
    })
    const { svc_id } = await tenant.person({ id: "king" })
    const lines = await inlet.lines("search", "king")
    expect(lines.map((line) => line.split("\t").slice(0, 4))).toEqual([
      ["object", "1/king", "", "exact"],
      ["person", "king", "Ada King", "exact"],
      ["person", "k@example.com", "", "begins"],
    ])
    expect(lines[1]).toContain(`inlet people get ${svc_id}`)
    expect(await inlet.lines("search", "ada", "--kind", "person")).toHaveLength(1)
    expect(await inlet.lines("people", "list", "--search", "ada")).toEqual([expect.stringContaining(svc_id)])
    expect(await inlet.json("search", "nobody")).toEqual({ items: [], partly_searched: [] })
  })

  it("inlet search --all-workspaces says in which workspace somebody is", async () => {
    const { inlet, tenant } = await start()
    const other = await Tenant.create({ name: "staging" })
    const id = fresh("wanderer")
    await other.identify(id, {})
    const { svc_id } = await other.person({ id })
    expect(await inlet.lines("search", id)).toEqual([])
    const only = [tenant.workspace, other.workspace].flatMap((one) => ["--only", String(one)])
    const { token } = Object(await inlet.json("tokens", "create", id, ...only))
    const reader = new CommandLine({ INLET_URL: sharedServer.url, INLET_MANAGEMENT_TOKEN: token })
    const [line = "", ...others] = await reader.lines("search", id, "--all-workspaces")
    expect(others).toEqual([])
    expect(line.split("\t")).toEqual([
      `${other.workspace} staging`,
      "person",
      id,
      "",
      `inlet people get ${svc_id} --workspace ${other.workspace}`,
    ])
    const both = await inlet.run(["search", id, "--all-workspaces", "--kind", "person"])
    expect([both.code, both.stderr.trim()]).toEqual([
      2,
      "inlet: --all-workspaces does not go together with --kind and --limit",
    ])
    expect(other.workspace).not.toBe(tenant.workspace)
  })

  it("inlet people list takes conditions with --filter, and says so where they stand in --search", async () => {
    const { inlet, tenant } = await start()
    await tenant.identify("ada", { plan: "pro" })
    await tenant.identify("bob", { plan: "free" })
    expect(await inlet.lines("people", "list", "--filter", "plan:pro")).toEqual([
      expect.stringContaining("ada"),
    ])
    const searched = await inlet.run(["people", "list", "--search", "plan:pro"])
    expect([searched.code, searched.stdout]).toEqual([0, ""])
    expect(searched.stderr).toContain("For conditions use --filter")
    expect((await inlet.run(["people", "list", "--search", "nobody"])).stderr).toBe("")
    const both = await inlet.run(["people", "list", "--search", "a", "--filter", "plan:pro"])
    expect([both.code, both.stderr.trim()]).toEqual([2, "inlet: --search and --filter do not go together"])
  })

  it("the former id or email of a merged person leads to the person who remains, and says so", async () => {
    const { inlet, tenant } = await start()
    await tenant.identify("ada", { email: "ada@example.com" })
    await tenant.identify("bob", { email: "bob@example.com" })
    const [ada, bob] = [await tenant.person({ id: "ada" }), await tenant.person({ id: "bob" })]
    await tenant.merge({ id: "ada" }, { id: "bob" })
    for (const text of ["bob", "bob@example.com", bob.svc_id]) {
      const found = await inlet.run(["search", text])
      expect(found.stdout.split("\t").slice(0, 4)).toEqual(["person", "ada@example.com", "", "merged"])
      expect(found.stderr).toContain(`${text} was merged into ada@example.com`)
      const got = await inlet.run(["people", "get", text])
      expect(got.code).toBe(1)
      expect(got.stderr).toContain(`${text} was merged into ada@example.com in workspace`)
      expect(got.stderr).toContain(ada.svc_id)
    }
    await inlet.lines("people", "unmerge", "bob", "--yes")
    expect((await tenant.person({ id: "bob" })).svc_id).toBe(bob.svc_id)
    expect((await inlet.lines("search", "bob", "--kind", "person")).join("\n")).not.toContain("merged")
  })
})
