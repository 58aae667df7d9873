import { createServer, type IncomingHttpHeaders, type Server } from "node:http"
import { gunzipSync } from "node:zlib"
import { afterAll } from "vitest"

/** An item of a batch, as a receiver in the shape of Segment gets it. */
export interface Item {
  readonly type: string
  readonly messageId: string
  readonly userId?: string
  readonly event?: string
  readonly properties?: Readonly<Record<string, unknown>>
}

/** An answer to a request, a broken connection, or `lost`: it takes the items and never answers. */
type Reaction =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  | "reset"
  | "lost"

/** A local server that takes batches as a whole, in the shape of Segment. Items that it took before count once. */
export class BatchReceiver {
  readonly taken = new Map<string, Item>()
  readonly headers: Array<IncomingHttpHeaders> = []
  readonly sizes: Array<number> = []
  /** The number of items that it took once more. */
  again = 0
  /** The most requests that were open at the same time. */
  atOnceMax = 0
  react: (items: ReadonlyArray<Item>) => Reaction = () => ({ status: 200 })
  private readonly server: Server
  private atOnce = 0

  private constructor(server: Server) {
    this.server = server
  }

  /** Starts a receiver on a free port. It stops after the tests of the file. */
  static async start(): Promise<BatchReceiver> {
    const server = createServer()
    const receiver = new BatchReceiver(server)
    server.on("request", (request, response) => {
      const chunks: Array<Buffer> = []
      receiver.atOnceMax = Math.max(receiver.atOnceMax, ++receiver.atOnce)
      response.on("close", () => receiver.atOnce--)
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        const { batch } = JSON.parse(gunzipSync(Buffer.concat(chunks)).toString()) as { batch: Array<Item> }
        receiver.headers.push(request.headers)
        receiver.sizes.push(batch.length)
        const reaction = receiver.react(batch)
        if (reaction === "reset") {
          request.socket.destroy()
          return
        }
        if (reaction === "lost" || reaction.status < 300) receiver.take(batch)
        if (reaction === "lost") return
        response.writeHead(reaction.status, reaction.headers).end(reaction.body ?? "{}")
      })
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    afterAll(() => {
      server.close()
      server.closeAllConnections()
    })
    return receiver
  }

  private take(batch: ReadonlyArray<Item>): void {
    for (const item of batch) {
      if (this.taken.has(item.messageId)) this.again++
      else this.taken.set(item.messageId, item)
    }
  }

  get url(): string {
    const address = this.server.address()
    if (address === null || typeof address === "string") throw new Error("the receiver does not listen")
    return `http://127.0.0.1:${address.port}`
  }

  /** The properties `n` of the events that were taken, in the order in which they were taken first. */
  get numbers(): ReadonlyArray<unknown> {
    return [...this.taken.values()].flatMap(({ properties }) => properties?.["n"] ?? [])
  }
}
