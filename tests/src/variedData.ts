import type { RunningServer } from "./http.ts"
import { Tenant } from "./Tenant.ts"

/** Each of these texts is too long for an index row of PostgreSQL, so the store shortens it. */
const long = "x".repeat(2000)
export const longId = "\uFFFF".repeat(333)

/** The address of a disabled webhook, to which no event is sent. */
export const webhookUrl = "https://1.1.1.1/hook"

const person = (id: string) => ({ type: "person", identifiers: { id } })

/** Fills a new workspace with data of every kind, some of it deleted, merged and suppressed. */
export const fillWorkspace = async (server: RunningServer): Promise<Tenant> => {
  const tenant = await Tenant.create({}, server)
  await tenant.updateSettings({ limits: { person_id_bytes: 3000 } })
  const names = ["ada", "bob", "cyd", "dan", "eve", "fay"]
  const segment = await tenant.createSegment("testers")
  const answers = [
    await tenant.batch([
      ...names.map((id) => ({
        ...person(id),
        action: "identify",
        attributes: { email: `${id}@example.com`, plan: "pro", nested: { a: [1, "\u0000", "\uD800"] } },
      })),
      ...names.map((id) => ({ ...person(id), action: "event", name: "bought", id: `event of ${id}` })),
      ...names.map((id) => ({ ...person(id), action: "page", name: "https://example.com" })),
      {
        type: "object",
        action: "identify",
        identifiers: { object_type_id: "1", object_id: "acme" },
        attributes: { size: 7 },
        cio_relationships: [{ identifiers: { id: "ada" } }, { identifiers: { id: "bob" } }],
      },
      { ...person("ada"), action: "add_device", device: { token: longId, platform: "ios" } },
      { ...person("bob"), action: "add_device", device: { token: "phone", platform: "android" } },
      { type: "person", action: "event", identifiers: { anonymous_id: long }, name: "seen", id: longId },
      { type: "person", action: "event", identifiers: { anonymous_id: "anon" }, name: "seen" },
      { ...person("cyd"), action: "identify", anonymous_id: "anon" },
    ]),
    await tenant.merge({ id: "ada" }, { id: "cyd" }),
    await tenant.batch([
      { ...person("dan"), action: "delete" },
      { ...person("eve"), action: "suppress" },
    ]),
    await tenant.track("POST", `/api/v1/segments/${segment}/add_customers`, { ids: ["ada", "bob"] }),
    await tenant.track("POST", "/api/v1/forms/contact/submit", {
      data: { email: "fay@example.com", plan: "x" },
    }),
  ]
  await tenant.registerDelivery("mail", {
    channel: "email",
    person: { id: "fay" },
    recipient: "fay@example.com",
  })
  const failed = answers.slice(0, 4).filter(({ status }) => status !== 200 && status !== 204)
  if (failed.length > 0) throw new Error(failed.map(({ text }) => text).join("\n"))
  const webhook = await tenant.call("POST", tenant.pathOf("/webhooks"), { url: webhookUrl, enabled: false })
  if (webhook.status !== 201) throw new Error(webhook.text)
  return tenant
}
