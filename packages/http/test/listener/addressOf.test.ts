import { assert, it } from "@effect/vitest"
import { IncomingMessage } from "node:http"
import { Socket } from "node:net"
import { clientOf } from "../../src/ingestion/clientOf.ts"
import { addressGroupOf } from "../../src/listener/addressGroup.ts"

const requestFrom = (remoteAddress: string) =>
  new IncomingMessage(Object.defineProperty(new Socket(), "remoteAddress", { value: remoteAddress }))

it.each([
  ["::ffff:203.0.113.1", "203.0.113.1"],
  ["203.0.113.1", "203.0.113.1"],
  ["::ffff:0:1", "::ffff:0:1"],
  ["2a00:1450:4001:80b::200e", "2a00:1450:4001:80b::200e"],
])("the log has one form of the address %s", (remoteAddress, expected) => {
  assert.strictEqual(clientOf(requestFrom(remoteAddress)).address, expected)
})

it("an IPv4 address belongs to one group, on IPv4 and on IPv6 sockets", () => {
  assert.strictEqual(
    addressGroupOf({ remoteAddress: "::ffff:203.0.113.1" }),
    addressGroupOf({ remoteAddress: "203.0.113.1" }),
  )
})
