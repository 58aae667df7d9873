import { expect } from "vitest"
import type { Answer } from "./http.ts"

const reasons = [
  "required",
  "invalid",
  "too_long",
  "too_many",
  "too_large",
  "unknown_type",
  "unknown_action",
  "unauthorized",
  "malformed",
]

const text: unknown = expect.any(String)

/** `{"meta":{"error":"…"}}`: merge and single faults of v1. */
export const expectSingleFault = (answer: Answer, message: unknown = text): void => {
  expect(answer.json).toEqual({ meta: { error: message } })
}

/** `{"meta":{"errors":["…"]}}`: identify, device and form faults of v1. */
export const expectFaultList = (answer: Answer, ...messages: ReadonlyArray<unknown>): void => {
  const expected = messages.length === 0 ? expect.arrayContaining([text]) : messages
  expect(answer.json).toEqual({ meta: { errors: expected } })
}

/** Either shape of v1: what is wrong before there is an operation belongs to none. */
export const expectV1Fault = (answer: Answer): void => {
  expect([{ meta: { error: text } }, { meta: { errors: [text] } }]).toContainEqual(answer.json)
}

/** `{"errors":[{"reason","field","message"}]}`: v2, with `batch_index` in a batch. */
export const expectEntityFaults = (
  answer: Answer,
  ...faults: ReadonlyArray<{
    readonly batch_index?: number
    readonly reason?: unknown
    readonly field?: unknown
  }>
): void => {
  const anyReason: unknown = expect.toSatisfy((reason: unknown) => reasons.some((known) => known === reason))
  const anyField: unknown = expect.toSatisfy((field: unknown) => field === null || typeof field === "string")
  const expected = faults.map((fault) => ({ reason: anyReason, field: anyField, message: text, ...fault }))
  expect(answer.json).toEqual({ errors: expected })
}

/** Every shape that a Pipelines client parses. */
export const expectStrictFault = (answer: Answer): void => {
  expect(answer.json).toEqual({
    success: false,
    code: text,
    message: text,
    error: text,
    meta: { error: text },
  })
  expect(answer.headers["access-control-allow-origin"]).toBe("*")
}

/** What Pipelines says to everything in default mode. */
export const expectSuccess = (answer: Answer): void => {
  expect([answer.status, answer.json]).toEqual([200, { success: true }])
  expect(answer.headers["access-control-allow-origin"]).toBe("*")
}

/** Track's success, to the byte. */
export const expectEmptyObject = (answer: Answer): void => {
  expect([answer.status, answer.text]).toEqual([200, "{}\n"])
}
