// Identifies a person, tracks an event and relates the person to a company with @customerio/cdp-analytics-node.
import { Analytics } from "@customerio/cdp-analytics-node"
import { inlet, read, show } from "./inlet.ts"

const analytics = new Analytics({ writeKey: inlet.writeKey, host: inlet.url })

analytics.identify({ userId: "grace", traits: { email: "grace@example.com" } })
analytics.track({ userId: "grace", event: "Compiled", properties: { errors: 0 } })
analytics.group({ userId: "grace", groupId: "navy", traits: { objectTypeId: "1", name: "Navy" } })
await analytics.closeAndFlush()

show("The person", await read("/people?id=grace"))
show("The company", await read("/objects/1/navy"))
