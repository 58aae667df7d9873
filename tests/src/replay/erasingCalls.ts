import type { numbers } from "../../../tools/testing/randomNumbers.ts"
import { wireCall, type Api, type SentCall } from "./wireCalls.ts"

const ids = ["ada", "bob%20o'neill%2F%C3%A9", "c%2525", "eve%40example.com", "bob%40example.com"]

/** Returns a random call, which sometimes deletes, suppresses or releases a person. */
export const erasingCall = (
  random: ReturnType<typeof numbers>,
  apis: readonly [Api, ...ReadonlyArray<Api>],
): SentCall => {
  const customer = `/api/v1/customers/${ids[random(ids.length)]}`
  switch (random(24)) {
    case 0:
      return { method: "DELETE", path: customer, body: null }
    case 1:
      return { method: "POST", path: `${customer}/suppress`, body: null }
    case 2:
      return { method: "POST", path: `${customer}/unsuppress`, body: null }
    default:
      return wireCall(random, apis)
  }
}
