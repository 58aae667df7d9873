import type { IncomingMessage } from "node:http"
import { connectionTexts } from "./connectionTexts.ts"

/**
 * Returns a fault if a request allows request smuggling. In request smuggling, a proxy in front of the server and the
 * server disagree on where a request ends (RFC 9112, sections 3.2 and 6.1; contract §4). Returns undefined for a
 * well-framed request.
 */
export const framingFault = (request: IncomingMessage): string | undefined => {
  const isHttp10 = request.httpVersionMajor === 1 && request.httpVersionMinor === 0
  if (isHttp10 && request.headers["transfer-encoding"] !== undefined) {
    return connectionTexts.transferEncoding()
  }
  const hosts = countHosts(request.rawHeaders)
  if (hosts > 1) return connectionTexts.manyHosts({ count: hosts })
  return hosts === 0 && !isHttp10 ? connectionTexts.noHost() : undefined
}

const countHosts = (rawHeaders: ReadonlyArray<string>): number => {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ""
    if (name.length === 4 && name.toLowerCase() === "host") hosts++
  }
  return hosts
}
