import { describe, expect, it } from "vitest"
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
    const [, , reasons, operation = ""] = line.split("\t")
    expect(line.split("\t").slice(0, 3)).toEqual(["ada", "bob", "identifier"])
    expect(reasons).toBe("identifier")
    expect((await inlet.lines("why", operation)).join("\n")).toContain("email belongs to another person")
    expect(await inlet.lines("duplicates", "list", "--reason", "device")).toEqual([])
    await inlet.lines("duplicates", "dismiss", "bob", "ada")
    expect(await inlet.lines("duplicates", "list")).toEqual([])
    expect(await inlet.lines("duplicates", "dismissed")).toHaveLength(1)
    await inlet.lines("duplicates", "restore", "ada", "bob")
    expect(await inlet.json("duplicates", "list")).toMatchObject({ items: [{ reasons: ["identifier"] }] })
    await inlet.lines("people", "merge", "ada", "bob", "--yes")
    expect(await inlet.json("duplicates", "list")).toEqual({ items: [], next: null, searched_to: null })
  })
})
