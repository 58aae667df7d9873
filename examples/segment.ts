// Identifies a person and tracks an event with Segment's own library.
import { Analytics } from "@segment/analytics-node"
import { inlet, read, show } from "./inlet.ts"

const analytics = new Analytics({ writeKey: inlet.writeKey, host: inlet.url })

analytics.identify({ userId: "katherine", traits: { email: "katherine@example.com" } })
analytics.track({ userId: "katherine", event: "Computed", properties: { orbit: "Friendship 7" } })
await analytics.closeAndFlush()

show("The person", await read("/people?id=katherine"))
