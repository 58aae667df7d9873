import type { Client } from "@inlethq/wire/decoding/Receipt"
import type { IncomingMessage } from "node:http"
import { addressOf } from "../listener/addressOf.ts"

/** Returns what log entries keep of the client of a rejected call. The path has no query. */
export const clientOf = ({ headers, socket, url = "" }: IncomingMessage): Client => {
  const query = url.indexOf("?")
  return {
    path: query < 0 ? url : url.slice(0, query),
    userAgent: headers["user-agent"] ?? null,
    address: addressOf(socket) ?? null,
    ...(headers["x-strict-mode"] === "1" && { strict: true }),
  }
}
