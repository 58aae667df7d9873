import { expect, it } from "vitest"
import { CommandLine } from "../../src/commandLine.ts"
import { credentials, Inlet } from "../../src/Inlet.ts"
import { changedBuild } from "../../src/changedBuild.ts"
import { cliFile } from "../../src/programs.ts"
import { Tenant } from "../../src/Tenant.ts"

const server = await Inlet.start({})

it("types §3 what if: the version check finds a decision that another build changes, and nothing in the same build", async () => {
  const tenant = await Tenant.create({}, server)
  const inlet = new CommandLine({
    INLET_URL: server.url,
    INLET_MANAGEMENT_TOKEN: credentials.token,
    INLET_WORKSPACE: String(tenant.workspace),
  })
  await tenant.identify("ada", { email: "ada@example.com", plan: "pro" })
  await tenant.recordEvent("ada", { name: "bought", data: { total: 1 } })
  await tenant.entity({
    type: "object",
    action: "identify",
    identifiers: { object_type_id: "1", object_id: "acme" },
    attributes: { size: 3 },
  })
  expect(await inlet.json("what-if", "--with", cliFile)).toMatchObject({
    entries: 3,
    differing: { operations: 0, items: [], complete: true },
  })
  expect(await inlet.json("what-if", "--with", changedBuild(cliFile))).toMatchObject({
    differing: { operations: 1, items: [{ position: 1, kind: "identify", tried: { rule: "another rule" } }] },
  })
  expect((await inlet.run(["what-if", "--with", "/no/such/build"])).code).toBe(1)
})
