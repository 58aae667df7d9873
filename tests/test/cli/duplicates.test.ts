import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { CommandLine } from "../../src/commandLine.ts"
import { credentials } from "../../src/Inlet.ts"
import { sharedServer, Tenant } from "../../src/Tenant.ts"

describe("inlet duplicates", () => {
  it("inlet duplicates lists pairs, dismisses one and restores it, and a merge takes it away", async () => {
    const tenant = await Tenant.create()
    const inlet = new CommandLine({
      INLET_URL: sharedServer.url,
      INLET_MANAGEMENT_TOKEN: credentials.token,
      INLET_WORKSPACE: String(tenant.workspace),
    })
    await tenant.identify("ada", { email: "ada@example.com" })
    await tenant.identify("bob", { email: "ada@example.com" })
    const [line = ""] = await inlet.lines("duplicates", "list")
    expect(await inlet.lines("duplicates")).toEqual([line])
    const [, , reasons, operation = ""] = line.split("\t")
    expect(line.split("\t").slice(0, 3)).toEqual(["ada", "bob", "identifier"])
    expect(reasons).toBe("identifier")
    expect((await inlet.lines("why", operation)).join("\n")).toContain(
      "ada@example.com  belongs to another person",
    )
    expect(await inlet.lines("duplicates", "list", "--reason", "device")).toEqual([])
    await inlet.lines("duplicates", "dismiss", "bob", "ada")
    expect(await inlet.lines("duplicates", "list")).toEqual([])
    expect(await inlet.lines("duplicates", "dismissed")).toHaveLength(1)
    await inlet.lines("duplicates", "restore", "ada", "bob")
    expect(await inlet.json("duplicates", "list")).toMatchObject({ items: [{ reasons: ["identifier"] }] })
    await inlet.lines("people", "merge", "ada", "bob", "--yes")
    expect(await inlet.json("duplicates", "list")).toEqual({ items: [], next: null, searched_to: null })
  })

  it("inlet people merge --file previews and merges pairs, and says which failed", async () => {
    const tenant = await Tenant.create()
    const inlet = new CommandLine({
      INLET_URL: sharedServer.url,
      INLET_MANAGEMENT_TOKEN: credentials.token,
      INLET_WORKSPACE: String(tenant.workspace),
    })
    for (const id of ["ada", "bob", "eve", "fay"]) await tenant.identify(id, { plan: id })
    const file = join(freshDirectory(), "pairs.csv")
    writeFileSync(file, 'primary,secondary\nada,bob\n"ada",nobody\neve,fay\n')
    const preview = await inlet.run(["people", "merge", "--file", file, "--preview"])
    expect(preview.stdout.split("\n").filter((line) => line !== "")).toEqual([
      "ada\tbob\tapplied\t\tid, attributes.plan",
      "eve\tfay\tapplied\t\tid, attributes.plan",
    ])
    expect(preview.code).toBe(1)
    expect((await tenant.person({ id: "bob" })).attributes).toEqual({ plan: "bob" })
    const merged = await inlet.run(["people", "merge", "--file", file, "--yes"])
    expect([merged.code, merged.stdout.split("\n").length]).toEqual([1, 3])
    expect(merged.stderr).toContain("ada,nobody: ")
    expect(merged.stderr).toContain("1 of 3 pairs failed")
    expect(await inlet.lines("people", "list")).toHaveLength(2)
    writeFileSync(file, "ada,eve,fay\n")
    const wrong = await inlet.run(["people", "merge", "--file", file])
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("line 1: a line is two people")])
    expect((await inlet.run(["people", "merge", "ada"])).code).toBe(2)
  })
})
