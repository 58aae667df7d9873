import { expect, it } from "vitest"
import { eventually } from "../../src/eventually.ts"
import { Inlet } from "../../src/Inlet.ts"
import { Tenant } from "../../src/Tenant.ts"
import { createWebhook } from "../../src/webhookCalls.ts"
import { WebhookReceiver } from "../../src/WebhookReceiver.ts"

const receiver = await WebhookReceiver.start()

it("contract §17 segment events: webhooks tell who enters and leaves, and no step of a build that tells nothing", async () => {
  const server = await Inlet.start({ env: { INLET_WEBHOOK_ALLOW: "127.0.0.0/8" } })
  const tenant = await Tenant.create({}, server)
  await createWebhook(tenant, { kind: "activity", url: receiver.url("/activity") })
  const events = ["segment_entered", "segment_left"]
  await createWebhook(tenant, { kind: "reporting", url: receiver.url("/reporting"), events })
  await tenant.identify("ada", { plan: "free" })
  const rule = { attribute: { field: "plan", operator: "eq", value: "pro" } }
  await tenant.call("POST", tenant.pathOf("/segments"), { name: "Pro", rule })
  const sentBy = (path: string) => receiver.at(path).map(({ json }) => json)
  await eventually("the rule is in force", () =>
    sentBy("/activity").some(({ kind }) => kind === "segment_change") ? true : undefined,
  )
  await tenant.identify("ada", { plan: "pro" })
  await tenant.identify("ada", { plan: "free" })
  const [entered, left] = await eventually("both events are sent", () => {
    const sent = sentBy("/reporting")
    return sent.length === 2 ? sent : undefined
  })
  expect([entered?.["metric"], left?.["metric"]].toSorted()).toEqual(["entered", "left"])
  expect(entered).toMatchObject({ object_type: "segment", data: { members: [{ version: 1 }] } })
  const steps = sentBy("/activity").filter(({ kind }) => kind === "segment_change")
  expect(steps).toMatchObject([{ data: { segments: [{ version: 1, entered: 0, left: 0 }] } }])
  await server.kill()
})
