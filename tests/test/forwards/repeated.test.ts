import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { Inlet } from "../../src/Inlet.ts"
import { send } from "../../src/http.ts"
import { read } from "../../src/Management.ts"
import { Tenant } from "../../src/Tenant.ts"

const server = await Inlet.start()

const Outcomes = Schema.Array(Schema.Struct({ outcome: Schema.String }))

/** Sends a batch as a forward does, or as any other client. */
const sendBatch = async (tenant: Tenant, items: ReadonlyArray<object>, headers: Record<string, string>) => {
  const answer = await send(server.url, {
    method: "POST",
    path: "/api/v2/batch",
    headers: { ...tenant.authorization, "content-type": "application/json", ...headers },
    body: JSON.stringify({ batch: items }),
  })
  expect(answer.status, answer.text).toBe(200)
}

const forwarded = { "inlet-forwarded": "00112233445566aa/7" }
const person = (action: string, id: string, rest: object = {}) => ({
  type: "person",
  action,
  identifiers: { id },
  ...rest,
})
const merge = {
  type: "person",
  action: "merge",
  primary: { id: "ada" },
  secondary: { id: "bob" },
  id: "00112233445566aa:op_1",
}

const outcomesOf = async (tenant: Tenant, filter: string) =>
  read(Outcomes, await tenant.activity({ filter })).map(({ outcome }) => outcome)

describe("a call that a forward sends twice, because its answer was lost", () => {
  it("merges nobody who has come back in between", async () => {
    const tenant = await Tenant.create({}, server)
    await sendBatch(tenant, [person("identify", "ada"), person("identify", "bob"), merge], forwarded)
    await tenant.identify("bob", { is: "somebody else" })
    await sendBatch(tenant, [merge], forwarded)
    expect((await tenant.person({ id: "bob" })).attributes).toMatchObject({ is: "somebody else" })
    expect(await outcomesOf(tenant, "kind:merge")).toEqual(["duplicate", "applied"])
  })

  it.each([
    ["identify", person("identify", "ada", { attributes: { plan: "pro" } })],
    ["delete", person("delete", "ada")],
    ["suppress", person("suppress", "ada")],
    ["device", person("add_device", "ada", { device: { token: "d1", platform: "ios" } })],
    [
      "object",
      { type: "object", action: "identify", identifiers: { object_type_id: "1", object_id: "acme" } },
    ],
  ])("applies it once: %s", async (name, call) => {
    const tenant = await Tenant.create({}, server)
    await tenant.identify("ada", {})
    const item = { ...call, id: `00112233445566aa:${name}` }
    await sendBatch(tenant, [item], forwarded)
    await sendBatch(tenant, [item], forwarded)
    const [second, first] = await outcomesOf(tenant, "source:track-v2")
    expect(first).not.toBe("duplicate")
    expect(second).toBe("duplicate")
  })

  it("is known by its id only if a workspace has sent it on", async () => {
    const tenant = await Tenant.create({}, server)
    const call = person("identify", "ada", { id: "same", attributes: { plan: "pro" } })
    await sendBatch(tenant, [call], {})
    await sendBatch(tenant, [call], {})
    expect(await outcomesOf(tenant, "kind:identify")).not.toContain("duplicate")
  })
})
