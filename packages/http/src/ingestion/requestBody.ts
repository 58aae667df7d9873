import { Effect, Result } from "effect"
import { tooLarge } from "@inlethq/wire/decoding/reject"
import type { Fault } from "@inlethq/core/log/Outcome"
import type { IncomingMessage } from "node:http"
import { readBody, type ArrivingBodies, type BodyProblem } from "./Body.ts"
import { parseJson } from "./JsonBody.ts"
import { bodyTexts } from "@inlethq/wire/texts/bodyTexts"

/** The body of a request, as parsed JSON and as bytes. */
export interface ParsedBody {
  readonly json: unknown
  /** The bytes of the body after decompression. */
  readonly body: Uint8Array
}

/** The error for a body that could not be read. `close` says whether the connection must be closed. */
export interface RefusedBody {
  readonly status: number
  readonly fault: Fault
  readonly close: boolean
}

/** Reads a body and decompresses it. Fails if the body has more than `bytesMax` decompressed bytes. */
export const readRawBody = (
  request: IncomingMessage,
  bytesMax: number,
): Effect.Effect<Uint8Array, RefusedBody, ArrivingBodies> =>
  Effect.mapError(readBody(request, bytesMax), (problem) => refuse(problem, bytesMax))

/** Reads a body of at most `bytesMax` decompressed bytes and parses it as JSON. */
export const readJsonBody = (
  request: IncomingMessage,
  bytesMax: number,
): Effect.Effect<ParsedBody, RefusedBody, ArrivingBodies> =>
  Effect.flatMap(readRawBody(request, bytesMax), parsed)

/** Reads a JSON body as `readJsonBody` does. The parsed JSON of an empty body is `undefined`. */
export const readOptionalJsonBody = (
  request: IncomingMessage,
  bytesMax: number,
): Effect.Effect<ParsedBody, RefusedBody, ArrivingBodies> =>
  Effect.flatMap(readRawBody(request, bytesMax), (body) =>
    body.length === 0 ? Effect.succeed(emptyBody) : parsed(body),
  )

const emptyBody: ParsedBody = { json: undefined, body: new Uint8Array(0) }

const parsed = (body: Uint8Array): Effect.Effect<ParsedBody, RefusedBody> =>
  Result.match(parseJson(body), {
    onSuccess: (json) => Effect.succeed({ json, body }),
    onFailure: ({ fault }) => Effect.fail(refused(400, fault)),
  })

const refused = (status: number, fault: Fault, close = false): RefusedBody => ({ status, fault, close })

const refuse = (problem: BodyProblem, bytesMax: number): RefusedBody => {
  switch (problem._tag) {
    case "TooLarge":
      return refused(413, tooLarge(bytesMax), problem.close)
    case "TimedOut":
      return refused(408, bodyTexts.timedOut(""), true)
    case "Corrupt":
      return refused(400, bodyTexts.corrupt(""))
    case "UnknownEncoding":
      return refused(415, bodyTexts.unknownEncoding(""))
    case "Busy":
      return refused(503, bodyTexts.busy(""), true)
    case "Aborted":
      return refused(400, bodyTexts.aborted(""), true)
  }
}
