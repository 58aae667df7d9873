import { afterAll, describe, expect, it } from "vitest"
import { eventually } from "../../src/eventually.ts"
import { filesContaining } from "../../src/files.ts"
import { fresh } from "../../src/fresh.ts"
import { customerPath } from "../../src/ingestion.ts"
import { Inlet } from "../../src/Inlet.ts"
import { PipelinesSource } from "../../src/PipelinesSource.ts"
import { Tenant } from "../../src/Tenant.ts"

const inlet = await Inlet.start()
afterAll(() => inlet.stop())
const tenant = await Tenant.create({}, inlet)

/** Creates a person with data of every kind. Returns a random text that every piece of the person's data contains. */
const createPersonWithEverything = async () => {
  const mark = fresh("mark")
  const [id, email] = [`${mark}-id`, `${mark}@example.com`]
  const delivery = fresh("delivery")
  const own = { type: "person", identifiers: { id } }
  const relationship = {
    identifiers: { object_id: "acme" },
    relationship_attributes: { role: `${mark}-role` },
  }
  const secondary = { type: "person", identifiers: { id: `${mark}-second` } }
  await tenant.track("POST", "/api/v1/events", { name: `${mark}-seen`, anonymous_id: `${mark}-visitor` })
  await tenant.recordEvent(id, { name: `${mark}-waited`, data: { a: `${mark}-data` } })
  await tenant.batch([
    {
      ...own,
      action: "identify",
      attributes: { email, anonymous_id: `${mark}-visitor`, plan: `${mark}-plan` },
    },
    { ...own, action: "identify", attributes: { plan: `${mark}-later`, [`${mark}-name`]: 1 } },
    { ...own, action: "event", name: `${mark}-did`, id: `${mark}-key`, attributes: { recipient: email } },
    { ...own, action: "event", name: `${mark}-did`, id: `${mark}-key` },
    { ...own, action: "add_device", device: { token: `${mark}-token`, platform: "ios", of: `${mark}-os` } },
    { ...own, action: "add_relationships", svc_relationships: [relationship] },
    {
      type: "object",
      action: "identify",
      identifiers: { object_id: "acme" },
      svc_relationships: [{ ...relationship, identifiers: { email } }],
    },
    { ...secondary, action: "identify", attributes: { city: `${mark}-city` } },
    { ...secondary, action: "event", name: `${mark}-other` },
    { type: "person", action: "merge", primary: { id }, secondary: secondary.identifiers },
    { ...own, action: "identify", attributes: { plan: "x".repeat(1001), email: `${mark}@refused.example` } },
  ])
  await tenant.registerDelivery(delivery, {
    channel: "email",
    person: { id },
    recipient: email,
    subject: `Dear ${mark}`,
  })
  const metric = {
    delivery_id: delivery,
    metric: "clicked",
    recipient: email,
    href: `http://x/${mark}`,
  }
  await tenant.track("POST", "/api/v1/metrics", metric)
  await tenant.track("POST", "/api/v1/metrics", {
    ...metric,
    delivery_id: fresh("unregistered"),
    recipient: email.toUpperCase().replace(mark.toUpperCase(), mark),
  })
  await tenant.track("POST", `/unsubscribe/${delivery}`, {})
  await tenant.track("POST", "/api/v1/forms/contact/submit", { data: { email, text: `${mark}-text` } })
  return { mark, id, email }
}

/** Returns calls of different kinds that all contain an identifier of the suppressed person. */
const callsFor = (mark: string, id: string, email: string) => [
  () => tenant.identify(id, { plan: `${mark}-plan` }),
  () => tenant.identify(`${mark}-new`, { email, plan: `${mark}-plan` }),
  () => tenant.recordEvent(email, { name: "e", data: { a: mark } }),
  () =>
    tenant.track("PUT", `${customerPath(id)}/devices`, { device: { id: `${mark}-token`, platform: "ios" } }),
  () => tenant.track("POST", "/api/v1/forms/contact/submit", { data: { email, text: mark } }),
  () => tenant.merge({ id }, { email }),
]

const expectErased = (mark: string) =>
  eventually("no file contains the mark", () =>
    filesContaining(inlet.dataDir, mark).length === 0 ? true : undefined,
  )

describe("the files of the data directory", () => {
  it.each(["delete", "suppress"])(
    "contract §6 erasure: the files contain no data about a person after %s",
    async (action) => {
      const { email, id, mark } = await createPersonWithEverything()
      expect(filesContaining(inlet.dataDir, mark)).not.toEqual([])
      await tenant.entity({ type: "person", identifiers: { id }, action })
      await expectErased(mark)
      if (action === "delete") return
      for (const call of callsFor(mark, id, email)) {
        const { outcome, data } = await tenant.operation(await call())
        expect([outcome, data]).toEqual(["ignored", { identifier_digest: expect.any(String) }])
      }
      await expectErased(mark)
    },
  )
})

describe("housekeeping after a deletion", () => {
  it("contract §16: a delivery report that arrives after the event User Deleted of its person stays in the log and keeps its deduplication key", async () => {
    const source = await PipelinesSource.create({}, inlet)
    const mark = fresh("mark")
    const deliveryId = fresh("delivery")
    const report = {
      userId: "ada",
      event: "Report Delivery Event",
      messageId: fresh("report"),
      properties: { deliveryId, metric: "opened" },
    }
    await source.post("identify", { userId: "ada", traits: { plan: mark } })
    await source.registerDelivery(deliveryId, { channel: "email", person: { id: "ada" } })
    await source.post("track", { userId: "ada", event: "User Deleted" })
    const answer = await source.post("track", report)
    const before = await source.operation(answer)
    expect(before).toMatchObject({ kind: "delivery_metric", outcome: "applied" })
    await expectErased(mark)
    expect(await source.operation(answer)).toEqual(before)
    expect(await source.operation(await source.post("track", report))).toMatchObject({ outcome: "duplicate" })
  })
})
