// Asks Inlet what it did with a call. Two people claim one email address, and the second person does not get the
// address.
import { inlet, read, show } from "./inlet.ts"

const identify = (id: string, attributes: object) =>
  fetch(`${inlet.url}/api/v1/customers/${id}`, {
    method: "PUT",
    headers: {
      authorization: `Basic ${Buffer.from(`${inlet.siteId}:${inlet.apiKey}`).toString("base64")}`,
    },
    body: JSON.stringify(attributes),
  })

await identify("bob", { email: "shared@example.com" })
const response = await identify("eve", { email: "shared@example.com", plan: "pro" })
const operation = response.headers.get("inlet-operation-id")

show(`Operation ${operation}, answered ${response.status}`, await read(`/operations/${operation}`))
