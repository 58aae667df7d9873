import { Agent, request, type IncomingHttpHeaders } from "node:http"

/** The base URL of a running server. */
export interface RunningServer {
  readonly url: string
}

export interface Call {
  readonly method: string
  /** The path, which is sent as UTF-8 without escaping or normalisation. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** The body. A list is sent with chunked transfer encoding, one chunk for each element. */
  readonly body?: string | Uint8Array | ReadonlyArray<string | Uint8Array>
  readonly agent?: Agent
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly json: unknown
  readonly operationId: string
}

const sharedAgent = new Agent({ keepAlive: true, maxSockets: 64 })

/** Sends a request and returns the answer with any status. Rejects only if the connection fails. */
export const send = (base: string, call: Call): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(base)
    const body = call.body
    const chunked = Array.isArray(body)
    const length =
      body === undefined || chunked ? {} : { "content-length": String(Buffer.byteLength(one(body))) }
    const outgoing = request(
      {
        agent: call.agent ?? sharedAgent,
        hostname,
        port,
        method: call.method,
        path: Buffer.from(call.path, "utf8").toString("latin1"),
        headers: { ...length, ...call.headers },
      },
      (incoming) => {
        const parts: Array<Buffer> = []
        incoming.on("data", (part: Buffer) => parts.push(part))
        incoming.once("error", reject)
        incoming.once("end", () =>
          resolve(answer(incoming.statusCode ?? 0, incoming.headers, Buffer.concat(parts).toString("utf8"))),
        )
      },
    )
    outgoing.once("error", reject)
    for (const part of body === undefined ? [] : many(body)) outgoing.write(part)
    outgoing.end()
  })

const one = (body: NonNullable<Call["body"]>): string | Uint8Array =>
  typeof body === "string" || body instanceof Uint8Array ? body : ""

const many = (body: NonNullable<Call["body"]>): ReadonlyArray<string | Uint8Array> =>
  typeof body === "string" || body instanceof Uint8Array ? [body] : body

const answer = (status: number, headers: IncomingHttpHeaders, text: string): Answer => {
  const operationId = headers["inlet-operation-id"]
  return {
    status,
    headers,
    text,
    operationId: typeof operationId === "string" ? operationId : "",
    get json(): unknown {
      return JSON.parse(text)
    },
  }
}
