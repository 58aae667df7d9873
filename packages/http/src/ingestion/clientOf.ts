import { passageHeader } from "@inlethq/core/forward/passage"
import type { Client } from "@inlethq/wire/decoding/Receipt"
import type { IncomingMessage } from "node:http"
import type { BlockList } from "node:net"
import { clientAddress } from "../listener/clientAddress.ts"

/** Returns what is known of the client of a call. The path has no query. */
export const clientOf = (
  request: IncomingMessage,
  trustedProxies: BlockList | null,
  locate?: Client["locate"],
): Client => {
  const { headers, url = "" } = request
  const query = url.indexOf("?")
  return {
    path: query < 0 ? url : url.slice(0, query),
    userAgent: headers["user-agent"] ?? null,
    address: clientAddress(request, trustedProxies) ?? null,
    ...(headers.origin !== undefined && { hasOrigin: true }),
    ...(locate !== undefined && { locate }),
    ...(headers["x-strict-mode"] === "1" && { strict: true }),
    ...(headers[passageHeader] !== undefined && { isForwarded: true }),
  }
}
