import { describe, expect, it } from "vitest"
import { CommandLine } from "../../src/commandLine.ts"
import { credentials } from "../../src/Inlet.ts"
import { sharedServer, Tenant } from "../../src/Tenant.ts"

const inletFor = ({ workspace }: Tenant) =>
  new CommandLine({
    INLET_URL: sharedServer.url,
    INLET_MANAGEMENT_TOKEN: credentials.token,
    INLET_WORKSPACE: String(workspace),
  })

/** Sends the same calls to a workspace: Ada, Bob with a device, and a company to which Ada is related. */
const fill = async (tenant: Tenant) => {
  await tenant.identify("ada", { email: "ada@example.com", plan: "pro" })
  await tenant.identify("bob", { name: "Bob" })
  await tenant.track("PUT", "/api/v1/customers/bob/devices", { device: { id: "phone", platform: "ios" } })
  await tenant.entity({
    type: "object",
    action: "identify",
    identifiers: { object_type_id: "1", object_id: "acme" },
    attributes: { size: 3 },
    cio_relationships: [{ identifiers: { id: "ada" } }],
  })
  await inletFor(tenant).lines("segments", "create", "Buyers")
}

describe("inlet diff", () => {
  it("inlet diff finds two workspaces equal that received the same calls, also in another order", async () => {
    const one = await Tenant.create()
    const other = await Tenant.create()
    await other.identify("bob", {})
    await fill(one)
    await fill(other)
    const { code, stdout } = await inletFor(one).run(["diff", "--with", `#${other.workspace}`])
    expect([stdout, code]).toEqual(["", 0])
  })

  it("inlet diff prints every person, object and segment that differs, and exits with 1", async () => {
    const one = await Tenant.create()
    const other = await Tenant.create()
    await fill(one)
    await fill(other)
    await one.identify("ada", { plan: "free" })
    await one.identify("eve", {})
    await other.identify("fay", { email: "fay@example.com" })
    await other.entity({
      type: "object",
      action: "identify",
      identifiers: { object_type_id: "1", object_id: "acme" },
      attributes: { size: 4 },
    })
    await inletFor(other).lines("segments", "create", "Testers")
    const { code, stderr, stdout } = await inletFor(one).run([
      "diff",
      "--json",
      "--with",
      `${sharedServer.url}#${other.workspace}`,
    ])
    const found = stdout
      .trim()
      .split("\n")
      .map((line): unknown => JSON.parse(line))
    expect(found).toEqual([
      { kind: "segment", id: "Testers", path: null, here: false, there: true },
      { kind: "person", id: "ada", path: "attributes.plan", here: "free", there: "pro" },
      { kind: "person", id: "eve", path: null, here: true, there: false },
      { kind: "person", id: "fay", path: null, here: false, there: true },
      { kind: "object", id: "1/acme", path: "attributes.size", here: 3, there: 4 },
    ])
    expect(stderr).toContain("differ in 5 places")
    expect(code).toBe(1)
  })
})
