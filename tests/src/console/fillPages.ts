import { join } from "node:path"
import { Schema } from "effect"
import { freshDirectory } from "../cleanup.ts"
import { eventually } from "../eventually.ts"
import type { RunningServer } from "../http.ts"
import { batch, identified, pipelines, track } from "../ingestion.ts"
import { Management, read } from "../Management.ts"
import { sendVisits } from "./sampleVisits.ts"
import { sendSamples } from "./sampleData.ts"

const Webhook = Schema.Struct({ webhook_id: Schema.String })
const Forward = Schema.Struct({ forward_id: Schema.String })
const Erasures = Schema.Struct({ items: Schema.Array(Schema.Struct({ erasure_id: Schema.String })) })

/** Puts at least one item on every page of workspace 1. Returns the paths of details, by name. */
export const fillPages = async (inlet: RunningServer): Promise<Readonly<Record<string, string>>> => {
  const management = new Management(inlet)
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await management.call(method, path, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
    return answer.text === "" ? null : answer.json
  }
  const of = (path: string): string => management.pathOf(path)
  const webhook = read(
    Webhook,
    await call("POST", of("/webhooks"), {
      name: "Warehouse",
      url: "http://127.0.0.1:9/hook",
      kind: "activity",
    }),
  )
  const forward = read(
    Forward,
    await call("POST", of("/forwards"), {
      name: "hosted",
      to: "track-v2",
      url: "http://127.0.0.1:9",
      key: "site:key",
    }),
  )
  await sendSamples(inlet)
  await batch(inlet, [
    identified("eve", { email: "eve@example.com", first_name: "Eve", last_name: "Holt", plan: "pro" }),
    identified("gone", { email: "gone@example.com" }),
    { type: "person", action: "fly", identifiers: { id: "ada" }, name: "checkout_started" },
  ])
  await sendVisits(inlet)
  await pipelines(inlet, "/v1/track", { userId: "", event: "", properties: { total: 12 } })
  const ada = await management.person({ id: "ada" })
  const ruled = await management.createSegment("Pro people", { event: { name: "signed_up" } })
  const segment = await management.createSegment("Trial users")
  await call("PUT", of(`/segments/${segment}/people/${ada.svc_id}`))
  await track(inlet, "POST", "/api/v1/forms/newsletter/submit", { data: { id: "ada", plan: "team" } })
  await management.registerDelivery("welcome-1", {
    channel: "email",
    person: { id: "ada" },
    recipient: "ada@example.com",
    subject: "Welcome to Acme",
  })
  for (const metric of ["delivered", "opened"]) {
    await track(inlet, "POST", "/api/v1/metrics", { delivery_id: "welcome-1", metric })
  }
  await call("PATCH", of(""), { lake: { target: "folder", url: join(freshDirectory(), "lake") } })
  await call("POST", of("/keys"), { kind: "track", name: "checkout" })
  await call("POST", "/tokens", { name: "dashboard", scope: "read", workspaces: [1] })
  await track(inlet, "DELETE", "/api/v1/customers/gone")
  const [erasure] = await eventually("the deletion is listed", async () => {
    const { items } = read(Erasures, await management.get("/erasures"))
    return items.length > 0 ? items : undefined
  })
  const visits = await management.activityPage({ filter: "campaign:spring", limit: "1" })
  const rejected = await management.activityPage({ outcome: "rejected", limit: "1" })
  return {
    "person-detail": `/w/1/people/${ada.svc_id}`,
    "object-detail": "/w/1/objects/1/acme",
    "segment-detail": `/w/1/segments/${segment}`,
    "segment-new": "/w/1/segments/new",
    "segment-edit": `/w/1/segments/${ruled}/edit`,
    "form-detail": "/w/1/forms/newsletter",
    "delivery-detail": "/w/1/deliveries/welcome-1",
    "forward-detail": `/w/1/destinations/${forward.forward_id}`,
    "webhook-detail": `/w/1/webhooks/${webhook.webhook_id}`,
    "erasure-detail": `/w/1/erasures/${erasure?.erasure_id}`,
    "visit-detail": `/w/1/live/${visits.items[0]?.operation_id}`,
    "rejected-detail": `/w/1/operations/${rejected.items[0]?.operation_id}`,
  }
}
