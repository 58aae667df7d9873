import { describe, expect, it } from "vitest"
import { CommandLine } from "../../src/commandLine.ts"
import { credentials } from "../../src/Inlet.ts"
import { importEnded, peopleFile, startImportJob } from "../../src/importJobs.ts"
import { sharedServer, Tenant } from "../../src/Tenant.ts"

const start = async () => {
  const tenant = await Tenant.create()
  const inlet = new CommandLine({
    INLET_URL: sharedServer.url,
    INLET_MANAGEMENT_TOKEN: credentials.token,
    INLET_WORKSPACE: String(tenant.workspace),
  })
  return { inlet, tenant }
}

describe("inlet imports", () => {
  it("inlet imports list and get show the progress, the result and the errors of imports", async () => {
    const { inlet, tenant } = await start()
    const { import_id } = await startImportJob(tenant, `${peopleFile(3)}one-cell\n`, "&name=people.csv")
    await importEnded(tenant, import_id)
    const [line = ""] = await inlet.lines("imports", "list")
    expect(line.split("\t").slice(0, 7)).toEqual([
      import_id,
      "people.csv",
      "people",
      "done",
      "100 %",
      "3",
      "1",
    ])
    const shown = (await inlet.lines("imports", "get", import_id)).join("\n")
    expect(shown).toContain("people.csv")
    expect(shown).toMatch(/5\s+.*expected 3 cells, got 1/)
    expect(await inlet.json("imports", "get", import_id)).toMatchObject({ import_id, imported: 3, failed: 1 })
  })

  it("inlet imports cancel stops an import, and says that one that has ended cannot be cancelled", async () => {
    const { inlet, tenant } = await start()
    await startImportJob(tenant, peopleFile(40_000))
    const { import_id } = await startImportJob(tenant, peopleFile(10, "w"))
    const [line] = await inlet.lines("imports", "cancel", import_id)
    expect(line).toMatch(new RegExp(`^${import_id} is cancell(ing|ed)$`))
    expect(await importEnded(tenant, import_id)).toMatchObject({ state: "cancelled", imported: 0 })
    const { code, stderr } = await inlet.run(["imports", "cancel", import_id])
    expect(code).toBe(1)
    expect(stderr).toMatch(/ended/)
  })
})
