import { connect, type Socket } from "node:net"
import { within } from "./eventually.ts"

/** A TCP connection for sending arbitrary bytes and reading the answers as Latin-1 text. */
export class RawConnection {
  readonly socket: Socket
  readonly closed: Promise<void>
  text = ""
  closedAt: number | undefined

  private constructor(socket: Socket) {
    this.socket = socket
    socket.on("error", () => undefined)
    socket.setEncoding("latin1")
    socket.on("data", (text) => (this.text += String(text)))
    this.closed = new Promise((resolve) =>
      socket.once("close", () => {
        this.closedAt = performance.now()
        resolve()
      }),
    )
  }

  static open(port: number, bytes = ""): Promise<RawConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: "127.0.0.1", port })
      socket.once("error", reject)
      socket.once("connect", () => {
        socket.removeListener("error", reject)
        const raw = new RawConnection(socket)
        if (bytes !== "") socket.write(bytes, "latin1")
        resolve(raw)
      })
    })
  }

  /** Returns the statuses of the answers received so far. */
  statuses(): ReadonlyArray<number> {
    return [...this.text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status))
  }

  /** Waits until the server closes the connection. */
  async waitForClose(): Promise<void> {
    await within("the server closes the connection", this.closed)
  }

  destroy(): void {
    this.socket.destroy()
  }
}

/** Returns the request line and headers of an HTTP request. */
export const head = (method: string, path: string, headers: Readonly<Record<string, string>>): string =>
  [
    `${method} ${path} HTTP/1.1`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "",
    "",
  ].join("\r\n")
