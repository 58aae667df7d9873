import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"

/** The answers under way on a connection, and what ends it after them. */
interface Connection {
  unanswered: number
  ending: string | undefined
}

const connections = new WeakMap<Duplex, Connection>()

/** Notes that a request has to be answered before its connection may end. */
export const follow = (request: IncomingMessage, response: ServerResponse): void => {
  const connection = connectionOf(request.socket)
  connection.unanswered++
  response.once("close", () => {
    connection.unanswered--
    if (connection.ending !== undefined && connection.unanswered === 0) end(request.socket, connection.ending)
  })
}

/**
 * Ends a connection on which something came that is no HTTP, or came too slowly: the requests before it get their answers
 * first, in their order.
 */
export const answerClientError = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy()
  const line = statusLines.get(error.code ?? "") ?? "400 Bad Request"
  const connection = connectionOf(socket)
  if (connection.unanswered === 0) return end(socket, line)
  connection.ending = line
}

const statusLines: ReadonlyMap<string, string> = new Map([
  ["HPE_HEADER_OVERFLOW", "431 Request Header Fields Too Large"],
  ["HPE_CHUNK_EXTENSIONS_OVERFLOW", "413 Payload Too Large"],
  ["ERR_HTTP_REQUEST_TIMEOUT", "408 Request Timeout"],
])

const connectionOf = (socket: Socket | Duplex): Connection => {
  const known = connections.get(socket)
  if (known !== undefined) return known
  const made: Connection = { unanswered: 0, ending: undefined }
  connections.set(socket, made)
  return made
}

const end = (socket: Duplex, line: string): void => {
  if (!socket.writable) return void socket.destroy()
  socket.end(`HTTP/1.1 ${line}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`, () => socket.destroy())
}
