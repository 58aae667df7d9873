import { expect, it } from "vitest"
import { eventually } from "../../src/eventually.ts"
import { Inlet } from "../../src/Inlet.ts"
import { Tenant } from "../../src/Tenant.ts"
import { createWebhook } from "../../src/webhookCalls.ts"
import { WebhookReceiver } from "../../src/WebhookReceiver.ts"

const receiver = await WebhookReceiver.start()
const env = { INLET_WEBHOOK_ALLOW: "127.0.0.1/32" }

const changesAt = (path: string): ReadonlyArray<ReadonlyArray<string>> =>
  receiver.at(path).map(({ json }) => {
    const changes: unknown = json["changes"]
    if (!Array.isArray(changes)) return []
    return changes.map(({ change, name, path: at }) => [change, name, at].filter(Boolean).join(" "))
  })

const bought = (tenant: Tenant, person: string, data: object, name = "bought") =>
  tenant.recordEvent(person, { name, data })

const received = (path: string, count: number) =>
  eventually(`${count} requests for ${path}`, () => {
    const changes = changesAt(path)
    return changes.length >= count ? changes : undefined
  })

it("types §1: a webhook of kind types sends what each operation changed", async () => {
  const server = await Inlet.start({ env })
  const tenant = await Tenant.create({}, server)
  await bought(tenant, "ada", { total: 1 })
  await bought(tenant, "bob", { total: 2 })
  await createWebhook(tenant, { kind: "types", url: receiver.url("/all") })
  await createWebhook(tenant, { kind: "types", url: receiver.url("/some"), events: ["widened_type"] })
  await bought(tenant, "ada", { total: 1 })
  await bought(tenant, "ada", { total: "1" })
  await bought(tenant, "ada", {}, "Bought")
  const changes = await received("/all", 2)
  expect(changes.slice(0, 2)).toEqual([
    ["widened_type bought total"],
    ["new_name Bought", "similar_name Bought"],
  ])
  expect(await received("/some", 1)).toEqual([["widened_type bought total"]])
  expect(receiver.at("/all")[0]?.headers["webhook-id"]).toBe(receiver.at("/all")[0]?.json["event_id"])
  const refused = { kind: "types", url: receiver.url("/none"), events: ["email_opened"] }
  expect((await tenant.call("POST", tenant.pathOf("/webhooks"), refused)).status).toBe(400)
})
