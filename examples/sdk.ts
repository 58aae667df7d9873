// Sends a person and events with @inlethq/sdk, and prints what became of each call.
import { Inlet } from "@inlethq/sdk"
import { inlet, read, show } from "./inlet.ts"

interface Events {
  "Signed Up": { readonly plan: "free" | "pro" }
  "Signed Out": undefined
}

await using client = new Inlet<Events>({ url: inlet.url, writeKey: inlet.writeKey })

const sendings = [
  client.identify({ userId: "hedy", traits: { email: "hedy@example.com" } }),
  client.track({ userId: "hedy", event: "Signed Up", properties: { plan: "pro" } }),
  client.identify({ userId: "george", traits: { email: "hedy@example.com" } }),
]
await client.flush()

for (const sending of sendings) {
  const { operationId, reason, status } = await sending.outcome()
  console.log(`${operationId} ${status}${reason === null ? "" : `: ${reason}`}`)
}
show("The person", await read("/people?id=hedy"))
