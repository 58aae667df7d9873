import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { afterAll } from "vitest"

/** A request that a receiver got. */
export interface ReceivedRequest {
  readonly path: string
  readonly headers: IncomingMessage["headers"]
  readonly body: string
  readonly json: Readonly<Record<string, unknown>>
}

/** A receiver's reaction to a request: an answer with a status, or one of the ways to fail. */
export type Reaction = number | "reset" | "hang" | "slow-body"

/** Decides the receiver's reaction to a request. */
type React = (request: ReceivedRequest) => Reaction

/** A local server that receives the events of webhooks, and by default records them in the order of arrival. */
export class WebhookReceiver {
  readonly requests: Array<ReceivedRequest> = []
  /** True if requests are added to `requests`. A test with very many requests sets it to false, to save memory. */
  isRecording = true
  react: React = () => 200
  private readonly server: Server

  private constructor(server: Server) {
    this.server = server
  }

  /** Starts a receiver on a free port. The receiver stops after the tests of the file. */
  static async start(): Promise<WebhookReceiver> {
    const server = createServer()
    const receiver = new WebhookReceiver(server)
    server.on("request", (request, response) => receiver.receive(request, response))
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    afterAll(() => {
      server.close()
      server.closeAllConnections()
    })
    return receiver
  }

  url(path: string): string {
    const address = this.server.address()
    if (address === null || typeof address === "string") throw new Error("the receiver does not listen")
    return `http://127.0.0.1:${address.port}${path}`
  }

  /** Returns the number of open connections. */
  connections(): Promise<number> {
    return new Promise((resolve, reject) =>
      this.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
    )
  }

  /** Returns the requests for a path. */
  at(path: string): ReadonlyArray<ReceivedRequest> {
    return this.requests.filter((request) => request.path === path)
  }

  private receive(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8")
      const received = { path: request.url ?? "", headers: request.headers, body, json: JSON.parse(body) }
      if (this.isRecording) this.requests.push(received)
      const reaction = this.react(received)
      switch (reaction) {
        case "reset":
          return request.socket.resetAndDestroy()
        case "hang":
          return
        case "slow-body":
          response.writeHead(200)
          return void response.write("…")
        default:
          return void response.writeHead(reaction).end(`status ${reaction}`)
      }
    })
  }
}
