import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"

/** The requests of a connection that have no answer yet, oldest first, and what ends the connection after them. */
interface Connection {
  readonly unanswered: Set<IncomingMessage>
  ending: string | undefined
}

const connections = new WeakMap<Duplex, Connection>()

/** Notes that a request has to be answered before its connection may end. */
export const follow = (request: IncomingMessage, response: ServerResponse): void => {
  const connection = connectionOf(request.socket)
  connection.unanswered.add(request)
  response.once("close", () => {
    connection.unanswered.delete(request)
    if (connection.ending !== undefined) endAfterAnswers(request.socket, connection, connection.ending)
  })
}

/**
 * Ends a connection on which something came that is no HTTP, or came too slowly: the requests before it get their answers
 * first, in their order.
 */
export const answerClientError = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy()
  const connection = connectionOf(socket)
  connection.ending = statusLines.get(error.code ?? "") ?? "400 Bad Request"
  endAfterAnswers(socket, connection, connection.ending)
}

/** A request that did not arrive whole will never be answered: it is the one that went wrong. */
const endAfterAnswers = (socket: Duplex, { unanswered }: Connection, line: string): void => {
  for (const request of unanswered) if (request.complete) return
  end(socket, line)
}

const statusLines: ReadonlyMap<string, string> = new Map([
  ["HPE_HEADER_OVERFLOW", "431 Request Header Fields Too Large"],
  ["HPE_CHUNK_EXTENSIONS_OVERFLOW", "413 Payload Too Large"],
  ["ERR_HTTP_REQUEST_TIMEOUT", "408 Request Timeout"],
])

const connectionOf = (socket: Socket | Duplex): Connection => {
  const known = connections.get(socket)
  if (known !== undefined) return known
  const made: Connection = { unanswered: new Set(), ending: undefined }
  connections.set(socket, made)
  return made
}

const end = (socket: Duplex, line: string): void => {
  if (!socket.writable) return void socket.destroy()
  socket.end(`HTTP/1.1 ${line}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`, () => socket.destroy())
}
