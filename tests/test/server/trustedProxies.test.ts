import { Schema } from "effect"
import { afterAll, expect, it } from "vitest"
import { send } from "../../src/http.ts"
import { base64, identify, pipelines, track } from "../../src/ingestion.ts"
import { credentials, Inlet } from "../../src/Inlet.ts"
import { Management } from "../../src/Management.ts"

const inlet = await Inlet.start({ env: { INLET_TRUSTED_PROXIES: "127.0.0.0/8, ::1" } })
afterAll(() => inlet.stop())
const management = new Management(inlet)

const behind = (...addresses: ReadonlyArray<string>) => ({ "x-forwarded-for": addresses.join(", ") })

const Refused = Schema.Struct({
  refused_calls: Schema.Array(
    Schema.Struct({ reason: Schema.String, address: Schema.NullOr(Schema.String) }),
  ),
})

const Request = Schema.Struct({ address: Schema.String })

const Audited = Schema.Struct({ items: Schema.Array(Schema.Json) })

const refusedFrom = async (reason: string) => {
  const { json } = await management.call("GET", "/server")
  return Schema.decodeUnknownSync(Refused)(json)
    .refused_calls.filter((one) => one.reason === reason)
    .map(({ address }) => address)
}

it("rejected calls of every protocol have the address of their client", async () => {
  await management.call("PATCH", "/workspaces/1", { ip: "keep" })
  const v1 = await track(
    inlet,
    "PUT",
    "/api/v1/customers/ada",
    { id: 1.5, email: {} },
    behind("198.51.100.7"),
  )
  const v2 = await track(inlet, "POST", "/api/v2/entity", { type: "person" }, behind("198.51.100.8"))
  const lost = await track(inlet, "PUT", "/api/v1/nothing", {}, behind("198.51.100.9", "127.0.0.2"))
  const call = await pipelines(inlet, "/v1/track", { userId: "ada" }, behind("8.8.8.8", "198.51.100.10"))
  const found = []
  for (const answer of [v1, v2, lost, call]) {
    const { outcome, request } = await management.operation(answer)
    found.push([outcome, Schema.decodeUnknownSync(Request)(request).address])
  }
  expect(found).toEqual([
    ["rejected", "198.51.100.7"],
    ["rejected", "198.51.100.8"],
    ["rejected", "198.51.100.9"],
    ["rejected", "198.51.100.10"],
  ])
})

it("calls that no workspace records are counted by the address of their client", async () => {
  const wrongKey = { authorization: `Basic ${base64("nobody:")}` }
  await pipelines(inlet, "/v1/track", { event: "a" }, { ...wrongKey, ...behind("198.51.100.11") })
  await pipelines(inlet, "/v1/track", { event: "a" }, { ...wrongKey, ...behind("nonsense") })
  expect(new Set(await refusedFrom("unknown_key"))).toEqual(new Set(["198.51.100.11", "127.0.0.1"]))
})

const guess = (address: string) =>
  send(inlet.url, {
    method: "GET",
    path: "/management/v1/workspaces",
    headers: { authorization: "Bearer wrong", ...behind(address) },
  })

it("wrong tokens and unsubscribes of one address do not delay those of another", async () => {
  const statuses = []
  for (let n = 0; n < 11; n++) statuses.push((await guess("198.51.100.12")).status)
  expect(statuses.at(-1)).toBe(429)
  expect((await guess("198.51.100.13")).status).toBe(401)
})

it("the audit log has the address of the client, and what the proxy said", async () => {
  const { status } = await send(inlet.url, {
    method: "POST",
    path: "/management/v1/workspaces/1/keys",
    headers: {
      authorization: `Bearer ${credentials.token}`,
      "content-type": "application/json",
      ...behind("8.8.8.8", "198.51.100.14"),
    },
    body: JSON.stringify({ kind: "track", name: "web" }),
  })
  expect(status).toBe(201)
  const { json } = await management.call("GET", "/audit?action=key.create")
  expect(Schema.decodeUnknownSync(Audited)(json).items[0]).toMatchObject({
    address: "198.51.100.14",
    forwarded_for: "8.8.8.8, 198.51.100.14",
  })
  expect((await identify(inlet, "ada", {})).status).toBe(200)
})
