import { once } from "node:events"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"
import { gunzipSync } from "node:zlib"
import { Effect, type Scope } from "effect"

/** An item of a batch, in either shape. */
export interface Item {
  /** Its id: `messageId` in the shape of Segment, `id` in the Track API v2. */
  readonly id: string
  readonly person: string
  readonly name: string
}

/** A request with its items, and the response, which the reaction to it ends. */
export interface Received {
  readonly items: ReadonlyArray<Item>
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** Answers that it took everything. */
export const takeAll = ({ response }: Received): void => void response.end("{}")

/** A server on the loopback address that reacts to each request as a test says. */
export class HttpReceiver {
  /** The items of each request, taken or not. */
  readonly requests: Array<ReadonlyArray<Item>> = []
  /** Reacts to a request whose body has arrived. */
  react: (received: Received) => void = takeAll
  /** Reacts to a request before its body is read. Returns whether it should be read. */
  reactEarly: (request: IncomingMessage) => boolean = () => true
  private readonly server: Server = createServer((request, response) => void this.receive(request, response))
  private port = 0

  static readonly start: Effect.Effect<HttpReceiver, never, Scope.Scope> = Effect.acquireRelease(
    Effect.promise(async () => {
      const receiver = new HttpReceiver()
      await receiver.listen()
      return receiver
    }),
    (receiver) => Effect.promise(() => receiver.close()),
  )

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** Listens at the same port as before. */
  async listen(): Promise<void> {
    this.server.listen(this.port, "127.0.0.1")
    await once(this.server, "listening")
    this.port = (this.server.address() as AddressInfo).port
  }

  /** Refuses connections until it listens again. */
  async close(): Promise<void> {
    if (!this.server.listening) return
    const closed = once(this.server, "close")
    this.server.close()
    this.server.closeAllConnections()
    await closed
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!this.reactEarly(request)) return
    const body = await buffer(request)
    const { batch } = JSON.parse(gunzipSync(body).toString()) as { batch: ReadonlyArray<RawItem> }
    const items = batch.map(itemOf)
    this.requests.push(items)
    this.react({ items, request, response })
  }
}

interface RawItem {
  readonly messageId?: string
  readonly id?: string
  readonly userId?: string
  readonly identifiers?: { readonly id?: string }
  readonly event?: string
  readonly name?: string
}

const itemOf = ({ event, id, identifiers, messageId, name, userId }: RawItem): Item => ({
  id: messageId ?? id ?? "",
  person: userId ?? identifiers?.id ?? "",
  name: event ?? name ?? "",
})
