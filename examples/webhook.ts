// Creates a webhook, receives an event, and verifies its signature with the unmodified customerio-node library. Inlet
// must run with INLET_WEBHOOK_ALLOW=127.0.0.1, because the receiver is on the same machine.
import { TrackClient, verifyRequestSignature } from "customerio-node"
import { createServer } from "node:http"
import { text } from "node:stream/consumers"
import { inlet, manage, show } from "./inlet.ts"

const receiver = createServer()
await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve))
const address = receiver.address()
if (address === null || typeof address === "string") throw new Error("the receiver does not listen")

const webhook = await manage("POST", "/webhooks", {
  url: `http://127.0.0.1:${address.port}/`,
  events: ["customer_unsubscribed"],
})

receiver.on("request", async (request, response) => {
  const body = await text(request)
  const isValid = verifyRequestSignature({
    signingSecret: String(webhook["signing_secret"]),
    timestamp: Number(request.headers["x-cio-timestamp"]),
    signature: String(request.headers["x-cio-signature"]),
    body,
  })
  // Answer first, and process the event afterwards.
  response.writeHead(isValid ? 200 : 401).end()
  if (!isValid) return
  show("A verified event", JSON.parse(body))
  await manage("DELETE", `/webhooks/${String(webhook["webhook_id"])}`)
  receiver.close()
  receiver.closeAllConnections()
})

const client = new TrackClient(inlet.siteId, inlet.apiKey, { url: `${inlet.url}/api/v1` })
await client.identify("edith", { unsubscribed: true })
