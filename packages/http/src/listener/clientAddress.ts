import { addressIn } from "@inlethq/wire/decoding/ipAddress"
import type { IncomingMessage } from "node:http"
import type { BlockList } from "node:net"
import { addressOf } from "./addressOf.ts"

/** The largest number of addresses that are read from the end of an `X-Forwarded-For`. With more trusted ones, the peer counts. */
const forwardedAddressesMax = 32

/**
 * Returns the address of the client of a request: the rightmost address of `X-Forwarded-For` that is not that of a trusted
 * proxy. It is the peer's if the peer is not trusted, if all addresses are, or if one of them cannot be read.
 */
export const clientAddress = (
  request: Pick<IncomingMessage, "headers" | "socket">,
  trusted: BlockList | null,
): string | undefined => {
  const peer = addressOf(request.socket)
  if (trusted === null || peer === undefined || !isTrustedProxy(peer, trusted)) return peer
  const forwarded = request.headers["x-forwarded-for"]
  return typeof forwarded === "string" ? (rightmostUntrusted(forwarded, trusted) ?? peer) : peer
}

const rightmostUntrusted = (forwarded: string, trusted: BlockList): string | undefined => {
  let end = forwarded.length
  for (let read = 0; read < forwardedAddressesMax && end >= 0; read++) {
    const comma = end === 0 ? -1 : forwarded.lastIndexOf(",", end - 1)
    const address = addressIn(forwarded.slice(comma + 1, end))
    if (address === undefined || isOutside(address, trusted)) return address
    end = comma
  }
  return undefined
}

/** Returns whether the peer of a connection is a trusted proxy. */
export const isTrustedProxy = (peer: string, trusted: BlockList): boolean => {
  const address = addressIn(peer)
  return address !== undefined && !isOutside(address, trusted)
}

const isOutside = (address: string, trusted: BlockList): boolean =>
  !trusted.check(address, address.includes(":") ? "ipv6" : "ipv4")
