import { once } from "node:events"
import { connect, createServer, type Server, type Socket } from "node:net"

/**
 * When a connection is cut:
 * - `before`: the server never receives the statement.
 * - `after`: the server executes the statement, and the client never receives the answer.
 * - `silent`: like `before`, but the connections of the client and of the server stay open.
 */
export type CutMoment = "before" | "after" | "silent"

interface Cut {
  readonly text: string
  readonly moment: CutMoment
  readonly done: () => void
}

/** A TCP proxy in front of a PostgreSQL server that cuts a connection exactly at a statement. Does not work with TLS. */
export class CutProxy {
  readonly port: number
  private readonly server: Server
  private readonly sockets = new Set<Socket>()
  private planned: Cut | undefined

  private constructor(server: Server, port: number) {
    this.server = server
    this.port = port
  }

  static async start(targetPort: number): Promise<CutProxy> {
    const server = createServer().listen(0, "127.0.0.1")
    await once(server, "listening")
    const address = server.address()
    if (address === null || typeof address === "string") throw new Error("a TCP listener must have a port")
    const proxy = new CutProxy(server, address.port)
    server.on("connection", (client) => proxy.join(client, connect({ port: targetPort, host: "127.0.0.1" })))
    return proxy
  }

  /**
   * Waits until a connection sends a statement that ends with `text`, and cuts this connection. Resolves after the cut.
   */
  cut(text: string, moment: CutMoment): Promise<void> {
    // In the protocol of PostgreSQL, a statement ends with a zero byte.
    return new Promise((done) => (this.planned = { text: `${text}\0`, moment, done }))
  }

  /** Cuts all open connections. New connections are accepted. */
  cutAll(): void {
    for (const socket of this.sockets) socket.destroy()
  }

  async close(): Promise<void> {
    this.cutAll()
    this.server.close()
    await once(this.server, "close")
  }

  private join(client: Socket, server: Socket): void {
    let isCut = false
    for (const socket of [client, server]) {
      this.sockets.add(socket)
      socket.on("error", () => socket.destroy())
      socket.on("close", () => {
        this.sockets.delete(socket)
        client.destroy()
        server.destroy()
      })
    }
    client.on("data", (chunk) => {
      const planned = this.planned
      if (isCut || planned === undefined || !chunk.includes(planned.text)) {
        if (!isCut) server.write(chunk)
        return
      }
      this.planned = undefined
      isCut = true
      if (planned.moment === "after") {
        server.write(chunk)
        server.once("data", () => {
          client.destroy()
          planned.done()
        })
        return
      }
      if (planned.moment === "before") client.destroy()
      planned.done()
    })
    server.on("data", (chunk) => {
      if (!isCut) client.write(chunk)
    })
  }
}
