import { managementPath } from "@inlethq/contract/values/managementPath"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { framingFault } from "./framing.ts"
import type { RefusalReason } from "./RefusedCalls.ts"
import { connectionTexts } from "./connectionTexts.ts"

/** The largest total size of a request's headers. A request with larger headers gets a 431 response. */
export const headersBytesMax = 16 * 1024

/**
 * For each connection with unfinished responses, the latest response. Responses are sent in order, so when the latest
 * response is finished, all earlier responses are finished too.
 */
const latestResponse = new WeakMap<Duplex, ServerResponse>()

/** Remembers the latest response of a connection until it is finished, so that `answerClientError` can wait for it. */
export const trackResponse = (request: IncomingMessage, response: ServerResponse): void => {
  latestResponse.set(request.socket, response)
  response.on("close", forgetResponse)
}

/**
 * Removes a finished response from `latestResponse`. Otherwise, every idle connection would keep its last request and
 * response in memory, about 12 KB.
 */
function forgetResponse(this: ServerResponse): void {
  const { socket } = this.req
  if (latestResponse.get(socket) === this) latestResponse.delete(socket)
}

/** Connections that must be closed because a request on them was badly framed. */
const closing = new WeakSet<Duplex>()

/**
 * Responds with 400 to a badly framed request and closes its connection. Returns true for a badly framed request and
 * for every later request on its connection. Such later requests must not be processed, because they may be part of the
 * first request's body.
 */
export const refuseBadFraming = (request: IncomingMessage, response: ServerResponse): boolean => {
  if (closing.has(request.socket)) return true
  const fault = framingFault(request)
  if (fault === undefined) return false
  closing.add(request.socket)
  const body = bodyOf(fault)
  const headers = {
    "content-type": jsonType,
    "content-length": body.length,
    "x-content-type-options": "nosniff",
    connection: "close",
  }
  response.writeHead(400, headers).end(body)
  return true
}

/**
 * Responds with an error to invalid HTTP or to a request that arrives too slowly, then closes the connection. If an
 * earlier request on the connection still waits for its response, that response is sent first.
 */
export const answerClientError = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  if (unanswerable.test(error.code ?? "") || !socket.writable) return void socket.destroy()
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") return answerLater(socket)
  answerProblem(error, socket)
}

/** Returns why `answerClientError` refuses a request, or undefined if it gives no answer. */
export const clientRefusal = ({ code = "" }: NodeJS.ErrnoException): RefusalReason | undefined => {
  if (unanswerable.test(code)) return undefined
  return code === "ERR_HTTP_REQUEST_TIMEOUT" ? "timed_out" : "bad_framing"
}

/** The largest number of expired connections that are closed in one turn of the event loop. */
export const expiredPerTurnMax = 50

/** Connections with a request that arrived too slowly, in the order of their expiry. */
const expired = new Set<Duplex>()

/** Thousands of silent connections can expire at one check. Closing them all at once would delay other requests. */
const answerLater = (socket: Duplex): void => {
  if (expired.size === 0) setImmediate(answerExpired)
  expired.add(socket)
}

const answerExpired = (): void => {
  let left = expiredPerTurnMax
  for (const socket of expired) {
    if (left-- === 0) return void setImmediate(answerExpired)
    expired.delete(socket)
    if (!isUploading(latestResponse.get(socket))) answerProblem({ code: "ERR_HTTP_REQUEST_TIMEOUT" }, socket)
  }
}

const answerProblem = (error: Pick<NodeJS.ErrnoException, "code">, socket: Duplex): void => {
  const problem = problems.get(error.code ?? "") ?? notHttp
  const response = latestResponse.get(socket)
  if (response === undefined || response.writableFinished || !response.req.complete) end(socket, problem)
  else response.once("close", () => end(socket, problem))
}

/** Codes of errors after which no response can be sent, because the connection is gone or its TLS handshake failed. */
const unanswerable = /^(ECONNRESET|EPROTO|ERR_SSL_|ERR_TLS_)/

const uploadPath = new RegExp(`^${managementPath}/workspaces/\\d+/imports/`)

/**
 * Returns true if a response belongs to a running import. An upload may take longer than the request timeout, so the
 * timeout must not end it. The import itself fails if the client stops sending.
 */
const isUploading = (response: ServerResponse | undefined): boolean =>
  response !== undefined && !response.writableFinished && uploadPath.test(response.req.url ?? "")

interface Problem {
  readonly status: string
  readonly message: string
}

const notHttp: Problem = { status: "400 Bad Request", message: connectionTexts.notHttp() }

/** The responses to the errors of Node's HTTP parser, by error code. */
const problems: ReadonlyMap<string, Problem> = new Map([
  [
    "HPE_INVALID_URL",
    {
      status: "400 Bad Request",
      message: connectionTexts.unencodedPath(),
    },
  ],
  [
    "HPE_HEADER_OVERFLOW",
    {
      status: "431 Request Header Fields Too Large",
      message: connectionTexts.headersTooLarge({ bytes: headersBytesMax }),
    },
  ],
  [
    "HPE_CHUNK_EXTENSIONS_OVERFLOW",
    { status: "413 Payload Too Large", message: connectionTexts.chunkExtensionsTooLarge() },
  ],
  ["ERR_HTTP_REQUEST_TIMEOUT", { status: "408 Request Timeout", message: connectionTexts.requestTimedOut() }],
])

const jsonType = "application/json; charset=utf-8"

/**
 * Returns an error body in the format of Track v1. The protocol of the request is not known, so one format is used for
 * all.
 */
const bodyOf = (message: string): string => `${JSON.stringify({ meta: { error: message } })}\n`

const end = (socket: Duplex, { message, status }: Problem): void => {
  if (!socket.writable) return void socket.destroy()
  const body = bodyOf(message)
  const headers = `connection: close\r\nx-content-type-options: nosniff\r\ncontent-type: ${jsonType}\r\ncontent-length: ${body.length}`
  socket.end(`HTTP/1.1 ${status}\r\n${headers}\r\n\r\n${body}`, () => socket.destroy())
}
