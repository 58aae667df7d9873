import type { IncomingMessage } from "node:http"

/**
 * Says why a proxy in front of the server could read a request differently than we do, so that one request could be taken
 * for two (RFC 9112, sections 3.2 and 6.1; contract §16). Returns undefined for a request that is framed well.
 */
export const framingFault = (request: IncomingMessage): string | undefined => {
  const isHttp10 = request.httpVersionMajor === 1 && request.httpVersionMinor === 0
  if (isHttp10 && request.headers["transfer-encoding"] !== undefined) {
    return "HTTP/1.0 has no Transfer-Encoding; send Content-Length, or use HTTP/1.1"
  }
  const hosts = countHosts(request.rawHeaders)
  if (hosts > 1) return `the request has ${hosts} Host headers; it must have one`
  return hosts === 0 && !isHttp10 ? "the Host header is missing" : undefined
}

const countHosts = (rawHeaders: ReadonlyArray<string>): number => {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ""
    if (name.length === 4 && name.toLowerCase() === "host") hosts++
  }
  return hosts
}
