import type { WrittenBrand } from "@inlethq/wire/texts/WrittenBrand"
import type { ServerResponse } from "node:http"
import type { RefusalReason } from "../listener/RefusedCalls.ts"

/** Returns what a JSON body says in a brand. Only refusals have such a body: nothing else names anything of the brand. */
export type BrandedBody = (brand: WrittenBrand) => object

/** The response to an ingestion request. */
export interface Answer {
  readonly status: number
  /** The body as text or by brand, or null for a response without a body. */
  readonly body: string | BrandedBody | null
  readonly contentType: string
  /** The `Cache-Control` header. By default the response must not be cached. */
  readonly cacheControl?: string
  readonly headers?: { readonly [name: string]: string }
  /** True if the connection must be closed because part of the request was left unread. */
  readonly close?: boolean
  /** Why no workspace recorded the call, if the status of the answer does not say so. */
  readonly refusal?: RefusalReason
}

/**
 * The responses of a protocol to three failures: wrong credentials, an unavailable store, and an exceeded rate limit.
 */
export interface ErrorAnswers {
  readonly unauthorized: Answer
  readonly unavailable: Answer
  readonly throttled: Answer
}

const jsonType = "application/json; charset=utf-8"

const jsonLine = (body: unknown): string => `${JSON.stringify(body)}\n`

/** Returns a JSON response. The body ends with a newline, as in the hosted service. */
export const json = (status: number, body: unknown): Answer => ({
  status,
  body: jsonLine(body),
  contentType: jsonType,
})

/** Returns a JSON response that is written in the brand of the deployment. */
export const jsonInBrand = (status: number, body: BrandedBody): Answer => ({
  status,
  body,
  contentType: jsonType,
})

/** The response of the Track API to a successful call. */
export const accepted: Answer = { status: 200, body: "{}\n", contentType: jsonType }

export const withHeaders = (answer: Answer, headers: { readonly [name: string]: string }): Answer => ({
  ...answer,
  headers: { ...answer.headers, ...headers },
})

const notCached = "no-cache, no-store, must-revalidate, max-age=0"

/** Browsers must not guess that a response is of another type, such as a script. */
const notSniffed = ["x-content-type-options", "nosniff"] as const

/** Writes a response, unless the client has disconnected. */
export const send = (response: ServerResponse, brand: WrittenBrand, answer: Answer, close: boolean): void => {
  if (response.destroyed) return
  const body = typeof answer.body === "function" ? jsonLine(answer.body(brand)) : answer.body
  const headers: Array<string> = [...notSniffed, "cache-control", answer.cacheControl ?? notCached]
  if (body !== null) {
    headers.push("content-type", answer.contentType, "content-length", String(Buffer.byteLength(body)))
  }
  for (const name in answer.headers) headers.push(name, answer.headers[name] ?? "")
  if (close || answer.close === true) headers.push("connection", "close")
  response.writeHead(answer.status, headers)
  response.end(body ?? undefined)
}
