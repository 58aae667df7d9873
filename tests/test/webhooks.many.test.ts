import { expect, it } from "vitest"
import { eventually } from "../src/eventually.ts"
import { Inlet } from "../src/Inlet.ts"
import { Tenant } from "../src/Tenant.ts"
import { createWebhook } from "../src/webhookCalls.ts"
import { WebhookReceiver } from "../src/WebhookReceiver.ts"

const webhooks = 1000
const healthy = 100
const events = 20

/** The largest number of attempts that all webhooks without a success may have in progress at the same time. */
const hangingMax = 256

const memoryBytesMax = 600 * 1024 * 1024

it("100 webhooks deliver every event, with bounded connections and memory, while the receivers of 900 other webhooks never answer", async () => {
  const receiver = await WebhookReceiver.start()
  receiver.react = ({ path }) => (path.startsWith("/down") ? "hang" : 200)
  const inlet = await Inlet.start({ env: { INLET_WEBHOOK_ALLOW: "127.0.0.1/32" } })
  const tenant = await Tenant.create({}, inlet)
  const pathOf = (n: number) => (n < healthy ? `/up-${n}` : `/down-${n}`)
  for (let n = 0; n < webhooks; n++) {
    const url = receiver.url(pathOf(n))
    await createWebhook(tenant, { url, kind: "activity", filter: "kind:event", ordering: "none" })
  }
  let connectionsMax = 0
  const received = (count: number) =>
    eventually(`the receivers that answer have ${count} events`, async () => {
      connectionsMax = Math.max(connectionsMax, await receiver.connections())
      const counts = new Map<string, number>()
      for (const { path } of receiver.requests) counts.set(path, (counts.get(path) ?? 0) + 1)
      const isComplete = Array.from({ length: healthy }, (_, n) => counts.get(pathOf(n)) ?? 0)
      return isComplete.every((one) => one === count) ? true : undefined
    })
  await tenant.recordEvent("ada", { name: "first" })
  await received(1)
  for (let n = 1; n < events; n++) await tenant.recordEvent("ada", { name: "later" })
  await received(events)
  // A webhook with a working receiver opens at most one connection for each event.
  expect(connectionsMax).toBeGreaterThan(0)
  expect(connectionsMax).toBeLessThanOrEqual(hangingMax + healthy * events)
  expect(inlet.process.memory().peak).toBeLessThan(memoryBytesMax)
  await inlet.kill()
})
