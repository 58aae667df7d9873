import { expect, it } from "vitest"
import { CommandLine } from "../../src/commandLine.ts"
import { credentials } from "../../src/Inlet.ts"
import { sharedServer, Tenant } from "../../src/Tenant.ts"

it("inlet objects get shows an object as it was before it was deleted, with its people", async () => {
  const tenant = await Tenant.create()
  const inlet = new CommandLine({
    INLET_URL: sharedServer.url,
    INLET_MANAGEMENT_TOKEN: credentials.token,
    INLET_WORKSPACE: String(tenant.workspace),
  })
  await tenant.entity({
    type: "object",
    action: "identify",
    identifiers: { object_type_id: "1", object_id: "acme" },
    attributes: { plan: "team" },
    svc_relationships: [{ identifiers: { id: "ada" }, relationship_attributes: { role: "ceo" } }],
  })
  await inlet.lines("objects", "delete", "1/acme", "--yes")
  const then = (await inlet.lines("objects", "get", "1/acme", "--position", "1")).join("\n")
  expect(then).toMatch(/as of +position 1/)
  expect(then).toMatch(/people +1/)
  expect(then).toMatch(/plan +team/)
  expect(then).toContain("PEOPLE\n  ada  role=ceo")
  expect(await inlet.json("objects", "get", "1/acme", "--position", "1")).toMatchObject({
    people_total: 1,
    as_of: { position: 1, at: null },
  })
  expect((await inlet.run(["objects", "get", "1/acme", "--position", "2"])).stderr).toContain(
    "there was no such object at that moment",
  )
})
