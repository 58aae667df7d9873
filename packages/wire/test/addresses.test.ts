import { assert, describe, it } from "@effect/vitest"
import type { JsonObject } from "@inlethq/core/values/Json"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { addressIn, keptAddress } from "../src/decoding/ipAddress.ts"
import type { Client } from "../src/decoding/Receipt.ts"
import { decodeBatch, decodeCall } from "../src/pipelines/decode.ts"
import { requestContext, workspace } from "./requests.ts"

describe("addresses", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7", "203.0.113.0"],
    [" 203.0.113.7:4711 ", "203.0.113.7", "203.0.113.0"],
    ["203.0.113.7, 198.51.100.1", "203.0.113.7", "203.0.113.0"],
    ["::ffff:203.0.113.7", "203.0.113.7", "203.0.113.0"],
    ["::FFFF:cb00:7107", "203.0.113.7", "203.0.113.0"],
    ["2001:DB8:1:2:3:4:5:6", "2001:db8:1:2:3:4:5:6", "2001:db8:1::"],
    ["[2001:db8:1:2::1]:443", "2001:db8:1:2::1", "2001:db8:1::"],
    ["2001:db8::1%eth0", "2001:db8::1", "2001:db8::"],
    ["fe80::1", "fe80::1", "fe80::"],
    ["::1", "::1", "::"],
    ["0.0.0.0", "0.0.0.0", "0.0.0.0"],
    ["unknown", undefined, undefined],
    ["", undefined, undefined],
    ["203.0.113", undefined, undefined],
    ["203.0.113.256", undefined, undefined],
    ["0xcb.0.113.7", undefined, undefined],
    ["203.0.0113.7", undefined, undefined],
    ["2001:db8::1::2", undefined, undefined],
    ["1:2:3:4:5:6:7:8:9", undefined, undefined],
    ["x".repeat(10_000), undefined, undefined],
  ])("reads %s as %s in the network %s", (text, address, network) => {
    assert.strictEqual(addressIn(text), address)
    assert.strictEqual(keptAddress("truncate", text), network)
    assert.strictEqual(keptAddress("keep", text), text)
    assert.isUndefined(keptAddress("drop", text))
  })
})

const server: Client = { path: "/v1/track", userAgent: "analytics-node/1", address: "198.51.100.7" }

const contextOf = (context: JsonObject | null, ip: Workspace["ip"], client: Client | undefined = server) => {
  const request = requestContext({ client, open: () => ({ ...workspace, ip }) })
  const body = { userId: "ada", event: "Seen", ...(context !== null && { context }) }
  return decodeCall(request, "track", body).commands[0]?.provenance?.context
}

describe("contract §13 addresses: the address in a context", () => {
  it("is kept as the setting says, and nothing else changes", () => {
    const context = { locale: "de", ip: "203.0.113.7", traits: { ip: "203.0.113.7" } }
    assert.deepStrictEqual(contextOf(context, "keep"), context)
    assert.deepStrictEqual(contextOf(context, "truncate"), { ...context, ip: "203.0.113.0" })
    assert.deepStrictEqual(contextOf(context, "drop"), { locale: "de", traits: context.traits })
  })

  it("is left out if it is none, unless everything is kept", () => {
    for (const ip of ["unknown", "", 7, null, ["203.0.113.7"], { v4: "203.0.113.7" }]) {
      assert.deepStrictEqual(contextOf({ locale: "de", ip }, "keep"), { locale: "de", ip })
      assert.deepStrictEqual(contextOf({ locale: "de", ip }, "truncate"), { locale: "de" })
      assert.isUndefined(contextOf({ ip }, "drop"))
    }
  })

  it.each<readonly [name: string, client: Partial<Client>, context: JsonObject | null]>([
    ["a page of another origin", { hasOrigin: true }, null],
    ["a page whose address is null", { hasOrigin: true }, { ip: null }],
    ["an app on iOS", { userAgent: "analytics-ios/1.7.3" }, {}],
    ["an app on Android", { userAgent: "analytics-kotlin/1.1.0" }, null],
    ["an app that names its SDK", {}, { userAgent: "Customer.io iOS Client/3.0.0" }],
    ["a browser's library through a proxy of the page", {}, { library: { name: "analytics.js" } }],
  ])("is that of the request for %s", (_name, over, context) => {
    const client = { ...server, ...over }
    const told = (ip: string) => ({ ...context, ip })
    assert.deepStrictEqual(contextOf(context, "truncate", client), told("198.51.100.0"))
    assert.deepStrictEqual(contextOf(context, "keep", client), told("198.51.100.7"))
    assert.deepStrictEqual(contextOf({ ...context, ip: "203.0.113.7" }, "keep", client), told("203.0.113.7"))
    assert.isUndefined(contextOf(context, "drop", client)?.["ip"])
  })

  it("is not that of a server, of an unknown client, or of nobody", () => {
    assert.isUndefined(contextOf({ library: { name: "@customerio/cdp-analytics-node" } }, "keep")?.["ip"])
    assert.isUndefined(contextOf(null, "keep", { ...server, userAgent: null }))
    assert.isUndefined(contextOf(null, "keep", { ...server, hasOrigin: true, address: null }))
  })

  it("of a batch belongs to each of its calls", () => {
    const request = requestContext({ client: server, open: () => ({ ...workspace, ip: "truncate" }) })
    const batch = ["a", "b"].map((event) => ({ type: "track", userId: "ada", event }))
    const { commands } = decodeBatch(request, { batch, context: { ip: "203.0.113.7" } })
    const kept = { context: { ip: "203.0.113.0" } }
    assert.deepStrictEqual(
      commands.map(({ provenance }) => provenance),
      [kept, kept],
    )
  })

  it("is not kept by a workspace that keeps no context", () => {
    const request = requestContext({
      client: { ...server, hasOrigin: true },
      open: () => ({ ...workspace, context: "off", ip: "keep" }),
    })
    const [command] = decodeCall(request, "track", { userId: "ada", event: "Seen" }).commands
    assert.isUndefined(command?.provenance)
  })
})

const rejected = (ip: Workspace["ip"]) => {
  const request = requestContext({ client: server, open: () => ({ ...workspace, ip }) })
  const [command] = decodeCall(request, "track", { context: { ip: "203.0.113.7", locale: "de" } }).commands
  const { address, data } = command?.sent?.call ?? {}
  return { address, data }
}

describe("contract §13 addresses: a rejected call", () => {
  it("has as much of both addresses as the setting keeps", () => {
    assert.deepStrictEqual(rejected("keep"), {
      address: "198.51.100.7",
      data: { context: { ip: "203.0.113.7", locale: "de" } },
    })
    assert.deepStrictEqual(rejected("truncate"), {
      address: "198.51.100.0",
      data: { context: { ip: "203.0.113.0", locale: "de" } },
    })
    assert.deepStrictEqual(rejected("drop"), { address: null, data: { context: { locale: "de" } } })
  })
})
