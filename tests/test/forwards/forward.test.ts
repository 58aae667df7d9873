import { describe, expect, it } from "vitest"
import { createForward, forwardAttempts, untilDone } from "../../src/forwards/forwardCalls.ts"
import { PipelinesSource } from "../../src/PipelinesSource.ts"
import { Inlet } from "../../src/Inlet.ts"
import { Tenant } from "../../src/Tenant.ts"
import { shownWithout } from "../../src/forwards/shownWithout.ts"

const server = await Inlet.start({ env: { INLET_WEBHOOK_ALLOW: "127.0.0.0/8" } })

const person = (id: string, action: string, rest: object) => ({
  type: "person",
  identifiers: { id },
  action,
  ...rest,
})

/** Sends calls of nearly every kind that a forward can say. */
const fill = async (tenant: Tenant): Promise<void> => {
  await tenant.batch([
    { type: "person", identifiers: { anonymous_id: "a1" }, action: "event", name: "seen before" },
    person("ada", "identify", { attributes: { email: "ada@example.com", plan: "pro", anonymous_id: "a1" } }),
    person("bob", "identify", { attributes: { plan: "free" } }),
    person("eve", "identify", { attributes: { email: "eve@example.com" } }),
    person("gone", "identify", { attributes: { secret: "nobody must see this" } }),
    person("ada", "event", { name: "order placed", attributes: { total: 12 }, timestamp: 1_700_000_000 }),
    person("bob", "add_device", { device: { token: "t1", platform: "ios", attributes: { v: 1 } } }),
    person("eve", "add_device", { device: { token: "t1", platform: "ios" } }),
    person("ada", "add_relationships", {
      svc_relationships: [{ identifiers: { object_type_id: "1", object_id: "acme" } }],
    }),
    {
      type: "object",
      identifiers: { object_type_id: "1", object_id: "acme" },
      action: "identify",
      attributes: { name: "Acme" },
      svc_relationships: [
        { identifiers: { id: "bob" }, relationship_attributes: { role: "boss" } },
        { identifiers: { id: "eve" } },
      ],
    },
    person("eve", "delete_relationships", {
      svc_relationships: [{ identifiers: { object_type_id: "1", object_id: "acme" } }],
    }),
    person("old", "identify", { attributes: { email: "old@example.com", plan: "old", city: "Rome" } }),
    { type: "person", action: "merge", primary: { id: "bob" }, secondary: { id: "old" } },
    person("gone", "delete", {}),
    person("shy", "identify", { attributes: { plan: "none" } }),
    person("shy", "suppress", {}),
  ])
}

describe.each(["segment", "track-v2"] as const)("forwards to %s", (to) => {
  it("keeps a workspace equal to another", async () => {
    const source = await Tenant.create({}, server)
    const target = await Tenant.create({}, server)
    const url = to === "segment" ? server.url : `${server.url}/api`
    const key =
      to === "segment"
        ? (await PipelinesSource.forWorkspace(server, target.workspace)).writeKey
        : `${target.siteId}:${target.apiKey}`
    const { forward_id } = await createForward(source, { name: "next", to, url, key })
    await fill(source)
    await untilDone(source, forward_id)
    const attempts = await forwardAttempts(source, forward_id)
    expect(attempts.filter(({ status }) => status !== "delivered")).toEqual([])
    expect(await shownWithout(target, to)).toEqual(await shownWithout(source, to))
  })
})
