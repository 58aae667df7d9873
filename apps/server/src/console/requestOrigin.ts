import type { HttpServerRequest } from "effect/http"

const reading = new Set(["GET", "HEAD"])

/** The content types that a page of another site can send without a preflight request. */
const formTypes = /^\s*(application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\s*(;|$)/i

/**
 * Returns true if a request may use the session cookie, because the console itself sent the request. Browsers also
 * attach the cookie to requests of other pages, such as a page on another port of the same host. A request without a
 * header that names its origin may only read data.
 */
export const isFromConsole = ({
  headers,
  method,
}: Pick<HttpServerRequest.HttpServerRequest, "headers" | "method">): boolean => {
  const reads = reading.has(method)
  if (!reads && formTypes.test(headers["content-type"] ?? "")) return false
  const site = headers["sec-fetch-site"]
  if (site !== undefined) return site === "same-origin" || (site === "none" && reads)
  const origin = headers["origin"]
  return origin === undefined ? reads : hostOf(origin) === headers["host"]
}

const hostOf = (origin: string): string | undefined =>
  URL.canParse(origin) ? new URL(origin).host : undefined
