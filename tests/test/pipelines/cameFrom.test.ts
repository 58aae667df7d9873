import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { eventually } from "../../src/eventually.ts"
import { Inlet } from "../../src/Inlet.ts"
import { read } from "../../src/Management.ts"
import { PipelinesSource } from "../../src/PipelinesSource.ts"
import { createWebhook } from "../../src/webhookCalls.ts"
import { WebhookReceiver } from "../../src/WebhookReceiver.ts"

const Line = Schema.Struct({ entry: Schema.optionalKey(Schema.Record(Schema.String, Schema.Json)) })

describe("contract §13 context: whatever leaves with an entry", () => {
  it("webhooks and the export of a person have where calls came from, without what the workspace omits", async () => {
    const receiver = await WebhookReceiver.start()
    const inlet = await Inlet.start({ env: { INLET_WEBHOOK_ALLOW: "127.0.0.1/32" } })
    const source = await PipelinesSource.create({ ip: "truncate", omit: ["context.page.search"] }, inlet)
    await createWebhook(source, { name: "w", kind: "activity", url: receiver.url("/hook") })
    const page = { path: "/pricing", url: "https://shop.example/pricing" }
    const sent = { page: { ...page, search: "?card=4111" }, ip: "203.0.113.7", locale: "en" }
    const answer = await source.post("track", { userId: "ada", event: "looked", context: sent })
    expect(answer.status, answer.text).toBe(200)
    await source.post("identify", { userId: "ada", context: sent })
    const came = { context: { page, ip: "203.0.113.0", locale: "en" }, omitted: ["page.search"] }

    const [hook] = await eventually("the webhook arrives", () => {
      const requests = receiver.at("/hook")
      return requests.length > 1 ? requests : undefined
    })
    expect(hook?.json).toMatchObject(came)

    const { svc_id } = await source.person({ id: "ada" })
    const exported = await source.call("GET", source.pathOf(`/people/${svc_id}/export`))
    const entries = exported.text
      .split("\n")
      .filter((line) => line !== "")
      .flatMap((line) => read(Line, JSON.parse(line)).entry ?? [])
    expect(entries.length).toBe(2)
    for (const entry of entries) expect(entry).toMatchObject(came)
    expect(exported.text).not.toContain("4111")
    await inlet.stop()
  })
})
