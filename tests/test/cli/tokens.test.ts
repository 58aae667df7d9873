import { expect, it } from "vitest"
import { CommandLine } from "../../src/commandLine.ts"
import { credentials } from "../../src/Inlet.ts"
import { sharedServer, Tenant } from "../../src/Tenant.ts"

const withToken = (token: string, workspace: number) =>
  new CommandLine({
    INLET_URL: sharedServer.url,
    INLET_MANAGEMENT_TOKEN: token,
    INLET_WORKSPACE: String(workspace),
  })

it("inlet tokens creates, lists and revokes management tokens with a scope", async () => {
  const { workspace } = await Tenant.create()
  const inlet = withToken(credentials.token, workspace)
  const made = Object(await inlet.json("tokens", "create", "a dashboard", "--only", String(workspace)))
  const limited = withToken(String(made["token"]), workspace)
  expect((await limited.run(["people", "list"])).code).toBe(0)
  const refused = await limited.run(["keys", "create", "web"])
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining("this needs a token with the scope `admin`; the scope of a dashboard is `read`"),
  ])
  const listed = (await inlet.lines("tokens", "list")).map((line) => line.split("\t"))
  expect(listed.find(([id]) => id === made["token_id"])?.slice(1, 5)).toEqual([
    "a dashboard",
    "read",
    String(workspace),
    String(made["token"]).slice(0, 12),
  ])
  await inlet.lines("tokens", "revoke", String(made["token_id"]))
  expect((await limited.run(["people", "list"])).code).toBe(1)
  expect((await inlet.run(["tokens", "revoke", String(made["token_id"])])).code).toBe(1)
})
