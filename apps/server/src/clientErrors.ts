import type { IncomingMessage, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { framingFault } from "./framing.ts"
import { connectionTexts } from "./ingestion/failures.ts"

/** Bytes of all headers of a request; more is answered 431. */
export const headersBytesMax = 16 * 1024

/** The newest answer that a connection is to give: once it is given, so are those before it. */
const newest = new WeakMap<Duplex, ServerResponse>()

/** Notes that a request has to be answered before its connection may end. */
export const follow = (request: IncomingMessage, response: ServerResponse): void => {
  newest.set(request.socket, response)
}

/** Connections that end with an answer to a request that is framed badly. */
const ending = new WeakSet<Duplex>()

/**
 * Answers 400 to a request that is framed badly and ends its connection. Returns true for such a request, and for every
 * later one on its connection: those may be the body of the first, so nothing of them is applied.
 */
export const refuseBadFraming = (request: IncomingMessage, response: ServerResponse): boolean => {
  if (ending.has(request.socket)) return true
  const fault = framingFault(request)
  if (fault === undefined) return false
  ending.add(request.socket)
  const body = bodyOf(fault)
  const headers = { "content-type": jsonType, "content-length": body.length, connection: "close" }
  response.writeHead(400, headers).end(body)
  return true
}

/** Forgets an answer that was given, so that an idle connection does not hold its body. */
export const forgetAnswer = (response: ServerResponse): void => {
  const { socket } = response.req
  if (newest.get(socket) === response) newest.delete(socket)
}

/**
 * Ends a connection on which something came that is no HTTP, or came too slowly: the requests before it get their answers
 * first, in their order. A request that did not arrive whole will never be answered: it is the one that went wrong.
 */
export const answerClientError = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  if (unanswerable.test(error.code ?? "") || !socket.writable) return void socket.destroy()
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT" && isUploading(newest.get(socket))) return
  const problem = problems.get(error.code ?? "") ?? notHttp
  const response = newest.get(socket)
  if (response === undefined || response.writableFinished || !response.req.complete) end(socket, problem)
  else response.once("close", () => end(socket, problem))
}

/** Errors of a connection that is gone, or whose TLS handshake failed: nothing can be answered on it. */
const unanswerable = /^(ECONNRESET|EPROTO|ERR_SSL_|ERR_TLS_)/

const uploadPath = /^\/management\/v1\/workspaces\/\d+\/imports\//

/**
 * Whether a file is being imported: however long it takes, it is answered while it arrives, and whoever imports it ends it
 * where nothing arrives any more.
 */
const isUploading = (response: ServerResponse | undefined): boolean =>
  response !== undefined && !response.writableFinished && uploadPath.test(response.req.url ?? "")

interface Problem {
  readonly status: string
  readonly message: string
}

const notHttp: Problem = { status: "400 Bad Request", message: connectionTexts.notHttp() }

/** What is answered to errors of the HTTP parser, by their code. */
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

/** The body that clients of Track read errors from; which protocol was meant is unknown here. */
const bodyOf = (message: string): string => `${JSON.stringify({ meta: { error: message } })}\n`

const end = (socket: Duplex, { message, status }: Problem): void => {
  if (!socket.writable) return void socket.destroy()
  const body = bodyOf(message)
  const headers = `connection: close\r\ncontent-type: ${jsonType}\r\ncontent-length: ${body.length}`
  socket.end(`HTTP/1.1 ${status}\r\n${headers}\r\n\r\n${body}`, () => socket.destroy())
}
