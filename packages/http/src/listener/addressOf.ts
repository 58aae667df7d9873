import type { Socket } from "node:net"

/** The other end of a connection. */
export type RemoteEnd = Pick<Socket, "remoteAddress">

const mappedPrefix = "::ffff:"

/**
 * Returns the address at the other end of a connection, or undefined once the connection has ended. An IPv4 address looks
 * the same whether its client connected to an IPv4 or an IPv6 socket.
 */
export const addressOf = ({ remoteAddress }: RemoteEnd): string | undefined =>
  remoteAddress?.startsWith(mappedPrefix) === true && remoteAddress.includes(".")
    ? remoteAddress.slice(mappedPrefix.length)
    : remoteAddress
