import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import type { HttpServerRequest } from "effect/http"
import { TLSSocket } from "node:tls"

const reading = new Set(["GET", "HEAD"])

/** The content types that a page of another site can send without a preflight request. */
const formTypes = /^\s*(application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\s*(;|$)/i

/** Returns true if a request may use the session cookie, because the console itself sent the request. */
export const isFromConsole = (request: HttpServerRequest.HttpServerRequest): boolean =>
  isOfConsole({
    headers: request.headers,
    method: request.method,
    isEncrypted: NodeHttpServerRequest.toIncomingMessage(request).socket instanceof TLSSocket,
  })

/** What `isOfConsole` looks at. */
export interface OriginFacts extends Pick<HttpServerRequest.HttpServerRequest, "headers" | "method"> {
  /** True if the connection to this server uses TLS. */
  readonly isEncrypted: boolean
}

/**
 * Browsers also attach the cookie to requests of other pages, such as a page on another port of the same host. A request
 * without a header that names its origin may only read data.
 */
export const isOfConsole = ({ headers, isEncrypted, method }: OriginFacts): boolean => {
  const reads = reading.has(method)
  if (!reads && formTypes.test(headers["content-type"] ?? "")) return false
  const site = headers["sec-fetch-site"]
  if (site !== undefined) return site === "same-origin" || (site === "none" && reads)
  const origin = headers["origin"]
  if (origin === undefined) return reads
  if (!URL.canParse(origin)) return false
  const { host, protocol } = new URL(origin)
  return host === headers["host"] && protocol === schemeOf(headers, isEncrypted)
}

/**
 * Returns the scheme that the browser uses. Behind a proxy that terminates TLS without telling this server, it is taken for `http:`. Pages
 * that were loaded over TLS have `sec-fetch-site` in every current browser.
 */
const schemeOf = (headers: OriginFacts["headers"], isEncrypted: boolean): string => {
  if (isEncrypted) return "https:"
  const forwarded = /^\s*(https?)\s*(,|$)/i.exec(headers["x-forwarded-proto"] ?? "")?.[1]
  return `${(forwarded ?? "http").toLowerCase()}:`
}
