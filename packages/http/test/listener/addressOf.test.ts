import { assert, it } from "@effect/vitest"
import { IncomingMessage } from "node:http"
import { BlockList, Socket } from "node:net"
import { addressGroupOf } from "../../src/listener/addressGroup.ts"
import { addressOf } from "../../src/listener/addressOf.ts"
import { clientAddress } from "../../src/listener/clientAddress.ts"

const requestFrom = (remoteAddress: string, forwarded?: string) => {
  const request = new IncomingMessage(
    Object.defineProperty(new Socket(), "remoteAddress", { value: remoteAddress }),
  )
  if (forwarded !== undefined) request.headers["x-forwarded-for"] = forwarded
  return request
}

it.each([
  ["::ffff:203.0.113.1", "203.0.113.1"],
  ["203.0.113.1", "203.0.113.1"],
  ["::ffff:0:1", "::ffff:0:1"],
  ["2a00:1450:4001:80b::200e", "2a00:1450:4001:80b::200e"],
])("the log has one form of the address %s", (remoteAddress, expected) => {
  assert.strictEqual(clientAddress(requestFrom(remoteAddress), null), expected)
})

it("an IPv4 address belongs to one group, on IPv4 and on IPv6 sockets", () => {
  assert.strictEqual(
    addressGroupOf(addressOf({ remoteAddress: "::ffff:203.0.113.1" }) ?? null),
    addressGroupOf(addressOf({ remoteAddress: "203.0.113.1" }) ?? null),
  )
})

const proxies = new BlockList()
proxies.addSubnet("10.0.0.0", 8, "ipv4")
proxies.addSubnet("fd00::", 8, "ipv6")

it.each<readonly [peer: string, forwarded: string | undefined, expected: string]>([
  ["10.0.0.1", "203.0.113.7", "203.0.113.7"],
  ["::ffff:10.0.0.1", "203.0.113.7", "203.0.113.7"],
  ["fd00::1", "2001:DB8:0:0::7", "2001:db8::7"],
  ["10.0.0.1", "198.51.100.1, 203.0.113.7", "203.0.113.7"],
  ["10.0.0.1", "198.51.100.1,203.0.113.7 , 10.9.9.9,::ffff:10.2.3.4", "203.0.113.7"],
  ["10.0.0.1", "203.0.113.7:4711", "203.0.113.7"],
  ["10.0.0.1", "[2001:db8::7]:4711", "2001:db8::7"],
  ["10.0.0.1", undefined, "10.0.0.1"],
  ["10.0.0.1", "", "10.0.0.1"],
  ["10.0.0.1", "10.1.1.1, 10.2.2.2", "10.0.0.1"],
  ["10.0.0.1", "203.0.113.7, unknown", "10.0.0.1"],
  ["10.0.0.1", "203.0.113.7,", "10.0.0.1"],
  ["10.0.0.1", ",", "10.0.0.1"],
  ["10.0.0.1", `203.0.113.7${",10.1.1.1".repeat(40)}`, "10.0.0.1"],
  ["203.0.113.9", "198.51.100.1", "203.0.113.9"],
  ["fe80::1%eth0", "198.51.100.1", "fe80::1%eth0"],
])("behind a trusted proxy, %s with X-Forwarded-For %s is %s", (peer, forwarded, expected) => {
  assert.strictEqual(clientAddress(requestFrom(peer, forwarded), proxies), expected)
})

it("nobody's X-Forwarded-For counts without trusted proxies", () => {
  assert.strictEqual(clientAddress(requestFrom("10.0.0.1", "203.0.113.7"), null), "10.0.0.1")
})
