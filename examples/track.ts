// Identifies a person and tracks an event with the unmodified customerio-node library. Only the base URL is set.
import { TrackClient } from "customerio-node"
import { inlet, read, show } from "./inlet.ts"

const client = new TrackClient(inlet.siteId, inlet.apiKey, { url: `${inlet.url}/api/v1` })

await client.identify("ada", { email: "ada@example.com", plan: "pro" })
await client.track("ada", { name: "signed_up", data: { source: "example" } })

show("The person", await read("/people?id=ada"))
