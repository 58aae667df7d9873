import type { RunningServer } from "../http.ts"
import { batch, entity, identify, track } from "../ingestion.ts"

/** Sends calls so that the activity log contains an operation with every outcome. */
export const sendSamples = async (inlet: RunningServer): Promise<void> => {
  await batch(inlet, [
    person("identify", "ada", {
      attributes: { email: "ada@example.com", plan: "pro", name: "Ada Lovelace" },
    }),
    person("identify", "bob", { attributes: { email: "bob@example.com", plan: "free" } }),
    person("event", "ada", { name: "signed_up", attributes: { source: "web" } }),
    person("page", "ada", { name: "/pricing" }),
    person("identify", "", {}),
    {
      type: "object",
      action: "identify",
      identifiers: { object_type_id: "1", object_id: "acme" },
      attributes: { name: "Acme", seats: 12 },
      svc_relationships: [{ identifiers: { id: "ada" } }],
    },
  ])
  await identify(inlet, "bob", { email: "ada@example.com", plan: "team" })
  await track(inlet, "POST", "/api/v1/events", { name: "seen", anonymous_id: "visitor-1" })
  await entity(inlet, person("event", "ada", { id: "01J0000000000000000000000A", name: "order_placed" }))
  await entity(inlet, person("event", "ada", { id: "01J0000000000000000000000A", name: "order_placed" }))
  await entity(inlet, {
    type: "person",
    action: "event",
    identifiers: { svc_id: "svc_p11000000099" },
    name: "order_placed",
  })
}

const person = (action: string, id: string, rest: object): object => ({
  type: "person",
  action,
  identifiers: { id },
  ...rest,
})
