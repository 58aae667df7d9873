import type { BlockList, Server, Socket } from "node:net"
import { isPublicAddress } from "@inlethq/outbound/addressRules"
import { addressOf, type RemoteEnd } from "./addressOf.ts"
import { isTrustedProxy } from "./clientAddress.ts"

/** The largest number of connections from one public address, or from one /64 network of IPv6. */
const connectionsPerAddressMax = 2000

/** The groups of an IPv6 address that name the network of one customer. */
const networkGroups = 4

/**
 * Returns the address by which a connection is counted, or undefined if it is not limited. Loopback and private
 * addresses are those of proxies and of other services of the operator, through which many clients connect. So are those of
 * trusted proxies.
 */
export const countedAddress = (connection: RemoteEnd, trusted: BlockList | null): string | undefined => {
  const address = addressOf(connection)
  if (address === undefined || !isPublicAddress(address)) return undefined
  if (trusted !== null && isTrustedProxy(address, trusted)) return undefined
  return address.includes(":") ? networkOf(address) : address
}

/** Returns the /64 network of an IPv6 address as Node writes it: without leading zeros, and with `::` for zeros. */
const networkOf = (address: string): string => {
  const [head = "", tail] = address.split("::")
  const first = head.split(":")
  const last = tail === undefined || tail === "" ? [] : tail.split(":")
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => "0")
  return [...first, ...zeros, ...last].slice(0, networkGroups).join(":")
}

/** Closes each new connection of an address that has `max` connections to this server. */
export const limitConnections = (
  server: Server,
  trusted: BlockList | null,
  max: number = connectionsPerAddressMax,
  counted: (connection: RemoteEnd) => string | undefined = (connection) =>
    countedAddress(connection, trusted),
): void => {
  const open = new Map<string, number>()
  server.on("connection", (socket: Socket) => {
    const address = counted(socket)
    if (address === undefined) return
    const connections = open.get(address) ?? 0
    if (connections >= max) return void socket.destroy()
    open.set(address, connections + 1)
    socket.once("close", () => {
      const left = (open.get(address) ?? 1) - 1
      if (left === 0) open.delete(address)
      else open.set(address, left)
    })
  })
}
