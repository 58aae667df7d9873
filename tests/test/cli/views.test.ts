import { describe, expect, it } from "vitest"
import { CommandLine } from "../../src/commandLine.ts"
import { credentials } from "../../src/Inlet.ts"
import { sharedServer, Tenant } from "../../src/Tenant.ts"

describe("inlet views", () => {
  it("inlet views saves a view, lists it by page and deletes it", async () => {
    const tenant = await Tenant.create()
    const inlet = new CommandLine({
      INLET_URL: sharedServer.url,
      INLET_MANAGEMENT_TOKEN: credentials.token,
      INLET_WORKSPACE: String(tenant.workspace),
    })
    const query = "filter=outcome:rejected&last=24h"
    expect(await inlet.json("views", "create", "live", "Refused today", query)).toMatchObject({
      page: "live",
      query: { filter: "outcome:rejected", last: "24h" },
    })
    const [line = ""] = await inlet.lines("views", "list", "--page", "live")
    const [id = "", page, name] = line.split("\t")
    expect([page, name]).toEqual(["live", "Refused today"])
    expect(await inlet.lines("views", "list", "--page", "people")).toEqual([])
    await inlet.lines("views", "delete", id, "--yes")
    expect(await inlet.lines("views", "list")).toEqual([])
  })
})
