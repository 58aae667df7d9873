import { expect, it } from "vitest"
import { eventually } from "../../src/eventually.ts"
import { event } from "../../src/ingestion.ts"
import { Inlet } from "../../src/Inlet.ts"
import { Management } from "../../src/Management.ts"
import { createWebhook } from "../../src/webhookCalls.ts"
import { WebhookReceiver } from "../../src/WebhookReceiver.ts"

const webhooks = 1000
const healthy = 100
const events = 20

/**
 * The number of webhooks that are created at the same time. It divides `webhooks` and `healthy`, so webhooks with
 * hanging receivers and webhooks with answering receivers are never created together.
 */
const createdAtOnce = 20

/** All webhooks that have not delivered an event yet may together have at most this many attempts in progress. */
const hangingMax = 256

const memoryBytesMax = 600 * 1024 * 1024

it("100 webhooks deliver every event, with bounded connections and memory, while the receivers of 900 other webhooks never answer, also after a restart", async () => {
  const receiver = await WebhookReceiver.start()
  receiver.react = ({ path }) => (path.startsWith("/down") ? "hang" : 200)
  const env = { INLET_WEBHOOK_ALLOW: "127.0.0.1/32" }
  let inlet = await Inlet.start({ env })
  // Webhooks with hanging receivers are created first, so the server starts their attempts first.
  const pathOf = (n: number) => (n < webhooks - healthy ? `/down-${n}` : `/up-${n}`)
  const create = (n: number) =>
    createWebhook(new Management(inlet), {
      url: receiver.url(pathOf(n)),
      kind: "activity",
      filter: "kind:event",
      ordering: "none",
    })
  for (let from = 0; from < webhooks; from += createdAtOnce) {
    await Promise.all(Array.from({ length: createdAtOnce }, (_, n) => create(from + n)))
  }
  let connectionsMax = 0
  const paths = Array.from({ length: healthy }, (_, n) => pathOf(webhooks - 1 - n))
  /** Waits as long as events go on to arrive, however slow the machine is. */
  const received = async (name: string, count: number) => {
    for (let before = -1; before < healthy * count;) {
      const known = before
      before = await eventually(`another event named ${name} arrives after ${known}`, async () => {
        connectionsMax = Math.max(connectionsMax, await receiver.connections())
        const counts = new Map<string, number>()
        for (const { json, path } of receiver.requests) {
          if (json["name"] === name) counts.set(path, (counts.get(path) ?? 0) + 1)
        }
        const total = paths.reduce((sum, path) => sum + Math.min(count, counts.get(path) ?? 0), 0)
        return total > known ? total : undefined
      })
    }
  }
  await event(inlet, "ada", { name: "first" })
  await received("first", 1)
  for (let n = 1; n < events; n++) await event(inlet, "ada", { name: "later" })
  await received("later", events - 1)
  // The server may open at most `hangingMax` connections to hanging receivers. Each event of each other webhook may
  // open one more connection.
  expect(connectionsMax).toBeGreaterThan(0)
  expect(connectionsMax).toBeLessThanOrEqual(hangingMax + healthy * events)
  expect(inlet.process.memory().peak).toBeLessThan(memoryBytesMax)
  await inlet.kill()

  inlet = await Inlet.start({ dataDir: inlet.dataDir, env })
  await event(inlet, "ada", { name: "after the restart" })
  await received("after the restart", 1)
  await inlet.kill()
})
