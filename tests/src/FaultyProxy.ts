import { createServer, request as requestHttp, type IncomingMessage, type ServerResponse } from "node:http"
import { onTestFinished } from "vitest"
import type { RunningServer } from "./http.ts"

/** The fault that a proxy injects into one request. */
export type Fault =
  /** Forwards the request and waits for the answer, but closes the client's connection without sending the answer. */
  | { readonly _tag: "DropAnswer" }
  /** Closes the client's connection without forwarding the request. */
  | { readonly _tag: "Refuse" }
  /** Sends the first byte of an answer and closes the client's connection. The request is not forwarded. */
  | { readonly _tag: "CutAnswer" }
  /** Holds the request until `release` is called, and then forwards it. */
  | { readonly _tag: "Hold" }
  | {
      readonly _tag: "Answer"
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string
    }

export interface ProxiedRequest {
  readonly path: string
  readonly headers: IncomingMessage["headers"]
  readonly body: string
  /** The length of the body in bytes, before it is decompressed. */
  readonly bytes: number
}

/**
 * An HTTP proxy in front of a server. The n-th request gets the n-th fault. Requests after the last fault are forwarded
 * unchanged.
 */
export class FaultyProxy {
  readonly requests: Array<ProxiedRequest> = []
  readonly url: string
  readonly #target: RunningServer
  readonly #faults: Array<Fault>
  #held: Array<() => void> = []
  #isReleased = false

  private constructor(target: RunningServer, faults: ReadonlyArray<Fault>, port: number) {
    this.#target = target
    this.#faults = [...faults]
    this.url = `http://127.0.0.1:${port}`
  }

  /** Starts a proxy that stops at the end of the test. */
  static async start(target: RunningServer, ...faults: ReadonlyArray<Fault>): Promise<FaultyProxy> {
    const server = createServer((request, response) => void proxy.#receive(request, response))
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const address = server.address()
    if (typeof address !== "object" || address === null) throw new Error("the proxy does not listen")
    const proxy = new FaultyProxy(target, faults, address.port)
    return proxy
  }

  /** Forwards all held requests. From now on, the fault `Hold` no longer delays requests. */
  release(): void {
    this.#isReleased = true
    for (const pass of this.#held.splice(0)) pass()
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray())
    const { headers, url: path = "" } = request
    this.requests.push({ path, headers, body: body.toString("utf8"), bytes: body.length })
    const fault = this.#faults.shift()
    switch (fault?._tag) {
      case undefined:
        return this.#pass(request, body, response)
      case "DropAnswer":
        return this.#pass(request, body, undefined, () => request.socket.destroy())
      case "Refuse":
        request.socket.destroy()
        return
      case "CutAnswer":
        response.writeHead(200, { "content-type": "application/json", "content-length": "100" })
        response.write("{", () => response.destroy())
        return
      case "Hold":
        if (!this.#isReleased) await new Promise<void>((pass) => this.#held.push(pass))
        return this.#pass(request, body, response)
      case "Answer":
        response.writeHead(fault.status, fault.headers).end(fault.body ?? "")
    }
  }

  #pass(
    { headers, method, url }: IncomingMessage,
    body: Buffer,
    response: ServerResponse | undefined,
    answered = () => {},
  ): void {
    const outgoing = requestHttp(new URL(url ?? "/", this.#target.url), { method, headers }, (incoming) => {
      if (response === undefined) incoming.resume().once("end", answered)
      else incoming.pipe(response.writeHead(incoming.statusCode ?? 502, incoming.headers))
    })
    outgoing.on("error", () => response?.destroy())
    outgoing.end(body)
  }
}
