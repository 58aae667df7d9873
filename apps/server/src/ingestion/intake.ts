import { Effect, Result } from "effect"
import { tooLarge } from "@inlet/api/wire/reject"
import type { Fault } from "@inlet/core/log/Outcome"
import type { IncomingMessage } from "node:http"
import { readBody, type BodyProblem } from "./Body.ts"
import { parseJson } from "./JsonBody.ts"
import { bodyFaults } from "./failures.ts"

/** A body that was read and parsed. */
export interface Intake {
  readonly json: unknown
  /** As it came, inflated. */
  readonly body: Uint8Array
}

/** Why a body could not be taken in: what the client is told, and whether the connection has to end. */
export interface Refused {
  readonly status: number
  readonly fault: Fault
  readonly close: boolean
}

/** Reads the body of a request of at most `bytesMax` bytes, inflated. */
export const takeInRaw = (request: IncomingMessage, bytesMax: number): Effect.Effect<Uint8Array, Refused> =>
  Effect.mapError(readBody(request, bytesMax), (problem) => refuse(problem, bytesMax))

/** Reads the body of a request as JSON, of at most `bytesMax` bytes. */
export const takeIn = (request: IncomingMessage, bytesMax: number): Effect.Effect<Intake, Refused> =>
  Effect.flatMap(takeInRaw(request, bytesMax), parsed)

/** The same where a body may be left out: then there is nothing. */
export const takeInOptional = (request: IncomingMessage, bytesMax: number): Effect.Effect<Intake, Refused> =>
  Effect.flatMap(takeInRaw(request, bytesMax), (body) =>
    body.length === 0 ? Effect.succeed(nothing) : parsed(body),
  )

const nothing: Intake = { json: undefined, body: new Uint8Array(0) }

const parsed = (body: Uint8Array): Effect.Effect<Intake, Refused> =>
  Result.match(parseJson(body), {
    onSuccess: (json) => Effect.succeed({ json, body }),
    onFailure: (fault) => Effect.fail(refused(400, fault)),
  })

const refused = (status: number, fault: Fault, close = false): Refused => ({ status, fault, close })

const refuse = (problem: BodyProblem, bytesMax: number): Refused => {
  switch (problem._tag) {
    case "TooLarge":
      return refused(413, tooLarge(bytesMax), problem.close)
    case "TimedOut":
      return refused(408, bodyFaults.timedOut(""), true)
    case "Corrupt":
      return refused(400, bodyFaults.corrupt(""))
    case "UnknownEncoding":
      return refused(415, bodyFaults.unknownEncoding(""))
    case "Busy":
      return refused(503, bodyFaults.busy(""), true)
    case "Aborted":
      return refused(400, bodyFaults.aborted(""), true)
  }
}
