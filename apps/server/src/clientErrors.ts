import type { IncomingMessage, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"

/** The newest answer that a connection is to give: once it is given, so are those before it. */
const newest = new WeakMap<Duplex, ServerResponse>()

/** Notes that a request has to be answered before its connection may end. */
export const follow = (request: IncomingMessage, response: ServerResponse): void => {
  newest.set(request.socket, response)
}

/**
 * Ends a connection on which something came that is no HTTP, or came too slowly: the requests before it get their answers
 * first, in their order. A request that did not arrive whole will never be answered: it is the one that went wrong.
 */
export const answerClientError = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy()
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT" && isUploading(newest.get(socket))) return
  const line = statusLines.get(error.code ?? "") ?? "400 Bad Request"
  const response = newest.get(socket)
  if (response === undefined || response.writableFinished || !response.req.complete) end(socket, line)
  else response.once("close", () => end(socket, line))
}

const uploadPath = /^\/management\/v1\/workspaces\/\d+\/imports\//

/**
 * Whether a file is being imported: however long it takes, it is answered while it arrives, and whoever imports it ends it
 * where nothing arrives any more.
 */
const isUploading = (response: ServerResponse | undefined): boolean =>
  response !== undefined && !response.writableFinished && uploadPath.test(response.req.url ?? "")

const statusLines: ReadonlyMap<string, string> = new Map([
  ["HPE_HEADER_OVERFLOW", "431 Request Header Fields Too Large"],
  ["HPE_CHUNK_EXTENSIONS_OVERFLOW", "413 Payload Too Large"],
  ["ERR_HTTP_REQUEST_TIMEOUT", "408 Request Timeout"],
])

const end = (socket: Duplex, line: string): void => {
  if (!socket.writable) return void socket.destroy()
  socket.end(`HTTP/1.1 ${line}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`, () => socket.destroy())
}
