import { expect, it } from "vitest"
import { CommandLine } from "../../src/commandLine.ts"
import { send } from "../../src/http.ts"
import { credentials } from "../../src/Inlet.ts"
import { sharedServer, Tenant } from "../../src/Tenant.ts"

const commandLine = async () => {
  const { workspace } = await Tenant.create()
  return new CommandLine({
    INLET_URL: sharedServer.url,
    INLET_MANAGEMENT_TOKEN: credentials.token,
    INLET_WORKSPACE: String(workspace),
  })
}

/** Returns the status of a call that reads segments with a key, or of one that creates a segment. */
const segmentsStatus = async (key: string, method: "GET" | "POST"): Promise<number> => {
  const asked = { method, path: "/v1/segments", headers: { authorization: `Bearer ${key}` } }
  const body = JSON.stringify({ segment: { name: "vip" } })
  return (await send(sharedServer.url, method === "GET" ? asked : { ...asked, body })).status
}

it("inlet keys create --kind app makes a key that may do what its scope says", async () => {
  const inlet = await commandLine()
  const reader = Object(await inlet.json("keys", "create", "crm", "--kind", "app"))
  expect(reader).toMatchObject({
    kind: "app",
    scope: "read",
    app_key: expect.stringMatching(/^[0-9a-f]{32}$/),
  })
  expect([await segmentsStatus(reader.app_key, "GET"), await segmentsStatus(reader.app_key, "POST")]).toEqual(
    [200, 403],
  )
  const scoped = ["keys", "create", "lists", "--kind", "app", "--scope", "read+segments"]
  const printed = (await inlet.lines(...scoped)).join("\n")
  expect(printed).toMatch(/scope +read\+segments/)
  const [, key = ""] = /app key +([0-9a-f]{32})/.exec(printed) ?? []
  expect([await segmentsStatus(key, "GET"), await segmentsStatus(key, "POST")]).toEqual([200, 200])
  const listed = (await inlet.lines("keys", "list")).join("\n")
  expect(listed).toMatch(/\tapp\tlists\t.*\tread\+segments/)
  expect(listed).not.toContain(key)
})

it("inlet keys create refuses a scope that no key has, or for a key of another kind", async () => {
  const inlet = await commandLine()
  const unknown = await inlet.run(["keys", "create", "crm", "--kind", "app", "--scope", "write"])
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("read+segments")])
  const other = await inlet.run(["keys", "create", "web", "--scope", "read"])
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("only keys of the kind `app`")])
  expect((await inlet.lines("keys", "list")).join()).not.toMatch(/crm|web/)
})
