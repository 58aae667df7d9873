import { describe, expect, it } from "vitest"
import { createForward, forwardAttempts, untilDone } from "../../src/forwards/forwardCalls.ts"
import { shownWithout } from "../../src/forwards/shownWithout.ts"
import { Inlet } from "../../src/Inlet.ts"
import { PipelinesSource } from "../../src/PipelinesSource.ts"
import { Tenant } from "../../src/Tenant.ts"

const server = await Inlet.start({ env: { INLET_WEBHOOK_ALLOW: "127.0.0.0/8" } })

const masked = "maskedvalue5d2e"
const omit = ["traits.ssn", "properties.card"]

const person = (id: string, action: string, rest: object = {}) => ({
  type: "person",
  identifiers: { id },
  action,
  ...rest,
})

/** Calls with values that are refused, read otherwise or omitted. */
const calls = [
  person("ada", "identify", {
    attributes: { email: "ada@example.com", ssn: masked, plan: "pro" },
  }),
  person("bob", "identify", { attributes: { email: "ada@example.com", ssn: masked, city: "Rome" } }),
  person("bob", "identify", { attributes: { unsubscribed: "perhaps", plan: "free" } }),
  person("ada", "event", { name: "bought", attributes: { card: masked, total: 12 } }),
  person("bob", "add_device", { device: { token: "t1", platform: "ios", attributes: { v: 1 } } }),
  {
    type: "object",
    identifiers: { object_type_id: "1", object_id: "acme" },
    action: "identify",
    attributes: { name: "Acme" },
  },
]

const forwardBetween = async (
  source: Tenant,
  target: Tenant,
  to: "segment" | "track-v2",
  as: "decided" | "sent",
): Promise<string> => {
  const isSegment = to === "segment"
  const key = isSegment
    ? (await PipelinesSource.forWorkspace(server, target.workspace)).writeKey
    : `${target.siteId}:${target.apiKey}`
  const url = isSegment ? server.url : `${server.url}/api`
  return (await createForward(source, { name: `${to} ${as}`, to, url, key, as })).forward_id
}

describe.each(["segment", "track-v2"] as const)("a forward of what was sent to %s", (to) => {
  it("leaves both equal, and gives the receiver nothing of what is omitted", async () => {
    const source = await Tenant.create({ omit }, server)
    // The receiver omits nothing, so that it would show what it got.
    const target = await Tenant.create({}, server)
    const forward = await forwardBetween(source, target, to, "sent")
    expect([200, 207]).toContain((await source.batch(calls)).status)
    await source.identify("bob", { city: "Paris" })
    await untilDone(source, forward)
    const attempts = await forwardAttempts(source, forward)
    const entries = await source.activity({})
    expect(entries.filter(({ refused }) => refused.length > 0).length).toBeGreaterThan(0)
    expect(attempts.map(({ status }) => status)).toEqual(entries.map(() => "delivered"))
    const shown = await shownWithout(target, to)
    expect(shown).toEqual(await shownWithout(source, to))
    const everything = [shown, await target.activity({}), await target.people({})]
    expect(JSON.stringify(everything)).not.toContain(masked)
    expect(JSON.stringify(everything)).toContain("Paris")
  })

  it("lets the receiver decide again by its own settings, which one of what was decided does not", async () => {
    const source = await Tenant.create({}, server)
    const emails: Array<string | null> = []
    for (const as of ["sent", "decided"] as const) {
      const target = await Tenant.create({ email_update_by_id: true }, server)
      const forward = await forwardBetween(source, target, to, as)
      const id = `ada of ${as}`
      await source.identify(id, { email: `first-${as}@example.com` })
      await source.identify(id, { email: `second-${as}@example.com`, plan: "pro" })
      await untilDone(source, forward)
      const found = await target.person({ id })
      expect(found.attributes).toMatchObject({ plan: "pro" })
      emails.push(found.email)
      expect((await source.person({ id })).email).toBe(`first-${as}@example.com`)
    }
    expect(emails).toEqual(["second-sent@example.com", "first-decided@example.com"])
  })
})
