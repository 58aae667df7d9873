import type { ServerResponse } from "node:http"

/** What goes back to a client. */
export interface Answer {
  readonly status: number
  /** Text of the body; null for none. */
  readonly body: string | null
  readonly contentType: string
  /** How long it may be kept; not at all where it does not say. */
  readonly cacheControl?: string
  readonly headers?: { readonly [name: string]: string }
  /** Whether the connection ends here, since the request was not read to its end. */
  readonly close?: boolean
}

const jsonType = "application/json; charset=utf-8"

/** An answer in JSON, with the newline that the real service ends its bodies with. */
export const json = (status: number, body: unknown): Answer => ({
  status,
  body: `${JSON.stringify(body)}\n`,
  contentType: jsonType,
})

/** Track's answer to everything that went well. */
export const accepted: Answer = { status: 200, body: "{}\n", contentType: jsonType }

/** Seconds after which a client that was turned away should come again. */
export const retryAfterSeconds = 1

export const withHeaders = (answer: Answer, headers: { readonly [name: string]: string }): Answer => ({
  ...answer,
  headers: { ...answer.headers, ...headers },
})

const notKept = "no-cache, no-store, must-revalidate, max-age=0"

/** Writes an answer; nothing where the client has gone. */
export const send = (response: ServerResponse, answer: Answer, close: boolean): void => {
  if (response.destroyed) return
  const headers: Array<string> = ["cache-control", answer.cacheControl ?? notKept]
  if (answer.body !== null) {
    headers.push("content-type", answer.contentType, "content-length", String(Buffer.byteLength(answer.body)))
  }
  for (const name in answer.headers) headers.push(name, answer.headers[name] ?? "")
  if (close || answer.close === true) headers.push("connection", "close")
  response.writeHead(answer.status, headers)
  response.end(answer.body ?? undefined)
}
