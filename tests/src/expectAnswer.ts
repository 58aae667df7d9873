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

/** Expects the v1 error format with one message, `{"meta":{"error":"…"}}`. */
export const expectSingleFault = (answer: Answer, message: unknown = text): void => {
  expect(answer.json).toEqual({ meta: { error: message } })
}

/** Expects the v1 error format of identify, devices and forms, `{"meta":{"errors":["…"]}}`. */
export const expectFaultList = (answer: Answer, ...messages: ReadonlyArray<unknown>): void => {
  const expected = messages.length === 0 ? expect.arrayContaining([text]) : messages
  expect(answer.json).toEqual({ meta: { errors: expected } })
}

/**
 * Expects an error in either of the two v1 formats. If the server found the fault before it knew the operation, it may
 * use either format.
 */
export const expectV1Fault = (answer: Answer): void => {
  expect([{ meta: { error: text } }, { meta: { errors: [text] } }]).toContainEqual(answer.json)
}

/** Expects the v2 error format, `{"errors":[{"reason","field","message"}]}`, with `batch_index` in a batch. */
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

/** Expects an error answer in Pipelines strict mode. Its body states the error in every format that clients parse. */
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

/** Expects the success answer of Pipelines. */
export const expectPipelinesSuccess = (answer: Answer): void => {
  expect([answer.status, answer.json]).toEqual([200, { success: true }])
  expect(answer.headers["access-control-allow-origin"]).toBe("*")
}

/** Expects the success answer of Track, which is an empty object. */
export const expectTrackSuccess = (answer: Answer): void => {
  expect([answer.status, answer.text]).toEqual([200, "{}\n"])
}
