// Sends a batch without a client library. Inlet applies the valid items. The 207 response lists the invalid items by
// their index.
import { inlet, read, show } from "./inlet.ts"

const response = await fetch(`${inlet.url}/api/v2/batch`, {
  method: "POST",
  headers: {
    authorization: `Basic ${Buffer.from(`${inlet.siteId}:${inlet.apiKey}`).toString("base64")}`,
    "content-type": "application/json",
  },
  body: JSON.stringify({
    batch: [
      { type: "person", action: "identify", identifiers: { id: "lin" }, attributes: { plan: "free" } },
      {
        type: "object",
        action: "identify",
        identifiers: { object_type_id: "1", object_id: "acme" },
        attributes: { name: "Acme" },
        svc_relationships: [{ identifiers: { id: "lin" }, relationship_attributes: { role: "owner" } }],
      },
      { type: "person", action: "event", identifiers: { id: "lin" } },
    ],
  }),
})

show(`The response (${response.status})`, await response.json())
show("The object", await read("/objects/1/acme"))
