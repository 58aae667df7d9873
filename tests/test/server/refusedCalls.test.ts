import { afterAll, expect, it } from "vitest"
import { eventually } from "../../src/eventually.ts"
import { send } from "../../src/http.ts"
import { base64, identify, pipelines, track } from "../../src/ingestion.ts"
import { Inlet } from "../../src/Inlet.ts"
import { Management } from "../../src/Management.ts"
import { RawConnection } from "../../src/RawConnection.ts"

const inlet = await Inlet.start()
afterAll(() => inlet.stop())
const management = new Management(inlet)

/** Tells counts of one reason apart. */
const placeOf = ({ reason, route }: Refused): string => `${reason} ${route}`

interface Refused {
  readonly reason: string
  readonly route: string | null
}

const wrongKey = { authorization: `Basic ${base64("nobody:")}` }

it("contract §16 refused calls: calls that no workspace records are counted by reason and address", async () => {
  await identify(inlet, "ada")
  expect((await track(inlet, "PUT", "/api/v1/customers/ada", {}, wrongKey)).status).toBe(401)
  expect((await track(inlet, "PUT", "/api/v1/customers/ada", {}, wrongKey)).status).toBe(401)
  expect((await pipelines(inlet, "/v1/track", { event: "a" }, wrongKey)).status).toBe(200)
  const isStrict = { ...wrongKey, "x-strict-mode": "1" }
  expect((await pipelines(inlet, "/v1/track", { event: "a" }, isStrict)).status).toBe(401)
  expect((await send(inlet.url, { method: "PUT", path: "/api/v1/nothing" })).status).toBe(404)
  expect((await track(inlet, "PUT", "/api/v1/customers/ada", { plan: "x".repeat(1001) })).status).toBe(400)
  const twoHosts = "GET /api/v1/region HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n"
  await (await RawConnection.open(Number(new URL(inlet.url).port), twoHosts)).waitForClose()

  const counts = await eventually("all reasons are counted", async () => {
    const { json } = await management.call("GET", "/server")
    const found = (json as { refused_calls: ReadonlyArray<Refused> }).refused_calls
    return found.length === 4 ? found : undefined
  })
  const nobody = { key: null, route: null, user_agent: null }
  const address = expect.stringMatching(/127\.0\.0\.1$/)
  const last_at = expect.any(String)
  // The newest come first. Calls within one millisecond have no order.
  const byReason = counts.toSorted((a, b) => placeOf(a).localeCompare(placeOf(b)))
  expect(byReason).toStrictEqual([
    { reason: "bad_framing", address, ...nobody, calls: 1, last_at },
    // The user of a Pipelines call is a write key, of which a part would be shown only if it were long enough.
    { reason: "unknown_key", address, ...nobody, route: "POST /v1/track", calls: 2, last_at },
    {
      reason: "unknown_key",
      address,
      key: "nobody",
      route: "PUT /api/v1/customers/:identifier",
      user_agent: null,
      calls: 2,
      last_at,
    },
    { reason: "unknown_path", address, ...nobody, calls: 1, last_at },
  ])
  const { text } = await send(inlet.url, { method: "GET", path: "/metrics" })
  expect(text).toContain('inlet_refused_calls_total{reason="unknown_key"} 4')
})
