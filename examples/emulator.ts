// Tests a program against an Inlet server in the same process. The answer to a call is lost, so the client sends the
// call again.
import { TrackClient } from "customerio-node"
import { Inlet } from "@inlethq/sdk"
import { createInlet } from "@inlethq/testing"
import { show } from "./inlet.ts"

await using emulator = await createInlet({
  seed: [{ type: "identify", userId: "radia", traits: { email: "radia@example.com" } }],
})
const { apiKey, siteId, url, writeKey } = emulator

emulator.fail({ path: "/v1/batch", drop: "after" })
await using client = new Inlet({ url, writeKey })
await client.track({ userId: "radia", event: "Bridged" })
const bridged = await emulator.waitFor(async () => (await emulator.activity({ outcome: "duplicate" }))[0])
console.log(`The server ignored the second copy: ${bridged.reason}`)

const track = new TrackClient(siteId, apiKey, { url: `${url}/api/v1` })
await track.identify("radia", { topic: "networks" })
show("The person", await emulator.people({ id: "radia" }))
