import { refusalBody } from "@inlethq/wire/pipelines/answers"
import type { FaultReason } from "@inlethq/core/log/Outcome"
import { json, withHeaders, type Answer } from "./Answer.ts"

/** An ingestion protocol: its error format, and the headers of its responses. */
export interface Protocol {
  readonly name: "track-v1" | "track-v2" | "pipelines"
  /** Returns the response to an error that concerns the whole request or the server. */
  readonly failure: (status: number, message: string) => Answer
  /** Adds the headers that every response of the protocol has. */
  readonly finish: (answer: Answer) => Answer
}

const unchanged = (answer: Answer) => answer

const metaError = (status: number, message: string) => json(status, { meta: { error: message } })

export const trackV1: Protocol = { name: "track-v1", failure: metaError, finish: unchanged }

export const trackV2: Protocol = {
  name: "track-v2",
  failure: (status, message) =>
    status >= 500
      ? metaError(status, message)
      : json(status, { errors: [{ reason: reasonOf(status), field: "", message }] }),
  finish: unchanged,
}

const reasonOf = (status: number): Exclude<FaultReason, "stale"> => {
  switch (status) {
    case 400:
      return "malformed"
    case 429:
      return "too_many"
    default:
      return "unknown_action"
  }
}

const corsHeaders = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "Retry-After",
}

export const pipelines: Protocol = {
  name: "pipelines",
  failure: (status, message) => json(status, refusalBody({ code: codeOf(status), message })),
  finish: (answer) => withHeaders(answer, corsHeaders),
}

const codeOf = (status: number): string => {
  switch (status) {
    case 404:
      return "not_found"
    case 405:
      return "method_not_allowed"
    case 429:
      return "too_many_requests"
    case 503:
      return "unavailable"
    default:
      return status >= 500 ? "internal" : "malformed"
  }
}

/** Returns the ingestion protocol of a raw request target, or undefined if the target is not an ingestion path. */
export const protocolOf = (target: string): Protocol | undefined => {
  if (/^\/(api\/)?v2(\/|$|\?)/.test(target)) return trackV2
  if (/^\/v1(\/|$|\?)/.test(target)) return pipelines
  return /^\/(api|auth|unsubscribe|push)(\/|$|\?)/.test(target) ? trackV1 : undefined
}
