import { connect, type Socket } from "node:net"

const readBytes = 64 * 1024

/** A keep-alive HTTP/1.1 connection with one request in flight. From each answer, only the status is parsed. */
export class Connection {
  /** The time at which the request in flight was due to be sent, in milliseconds of `performance.now()`. */
  dueAt = 0
  private readonly socket: Socket
  private partial: Buffer | undefined

  private constructor(socket: Socket) {
    this.socket = socket
  }

  /**
   * Opens a connection. `onAnswer` is called with the status of each answer, and `onEnd` once the connection fails or
   * closes.
   */
  static open(
    port: number,
    onAnswer: (connection: Connection, status: number) => void,
    onEnd: (connection: Connection, reason: string) => void,
  ): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect({
        host: "127.0.0.1",
        port,
        noDelay: true,
        onread: {
          buffer: Buffer.allocUnsafe(readBytes),
          callback: (length, buffer) => {
            connection.take(Buffer.from(buffer.buffer, buffer.byteOffset, length), onAnswer)
            return true
          },
        },
      })
      const connection = new Connection(socket)
      socket.once("connect", () => resolve(connection))
      socket.on("error", (error) => {
        reject(error)
        onEnd(connection, error.message)
      })
      socket.on("close", () => onEnd(connection, "the server closed a connection"))
    })
  }

  /** Sends a request. The caller must not change the buffer until the answer arrives. */
  send(bytes: Buffer): void {
    this.socket.write(bytes)
  }

  close(): void {
    this.socket.removeAllListeners("close")
    this.socket.destroy()
  }

  private take(bytes: Buffer, onAnswer: (connection: Connection, status: number) => void): void {
    const all = this.partial === undefined ? bytes : Buffer.concat([this.partial, bytes])
    const status = statusOf(all)
    if (status === undefined) {
      // The socket overwrites its read buffer, so the bytes must be copied.
      this.partial = Buffer.from(all)
      return
    }
    this.partial = undefined
    onAnswer(this, status)
  }
}

const headersEnd = Buffer.from("\r\n\r\n")
const lengthHeader = "\r\ncontent-length: "

/** Returns the HTTP status of an answer, or undefined if the answer is incomplete. */
const statusOf = (bytes: Buffer): number | undefined => {
  const end = bytes.indexOf(headersEnd)
  if (end < 0) return undefined
  const head = bytes.toString("latin1", 0, end).toLowerCase()
  const at = head.indexOf(lengthHeader)
  const length = at < 0 ? 0 : Number.parseInt(head.slice(at + lengthHeader.length), 10)
  if (bytes.length < end + headersEnd.length + length) return undefined
  return Number.parseInt(head.slice(9, 12), 10)
}
