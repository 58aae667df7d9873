import type { Fault } from "@inlet/core/log/Outcome"
import { answerTexts, resourceTexts } from "../wire/wireTexts.ts"

/** The body of a 400 response to an event, a merge, a metric, an unsubscribe or a segment call (contract §4). */
export const errorBody = (faults: ReadonlyArray<Pick<Fault, "message">>) => ({
  meta: { error: faults.map((fault) => fault.message).join("; ") },
})

/** The body of a 400 response to an identify, a device or a form (contract §4). */
export const errorsBody = (faults: ReadonlyArray<Pick<Fault, "message">>) => ({
  meta: { errors: faults.map((fault) => fault.message) },
})

/** The body of a 401 response to a request without valid credentials (contract §3). */
export const unauthorizedBody = { meta: { error: answerTexts.unauthorized() } }

/** The `text/plain` body of a 404 response to a call for a segment that does not exist (contract §4). */
export const segmentNotFound = `${answerTexts.segmentNotFound()}\n`

/**
 * The body of a 400 response to a form submission in which no field identifies the respondent (track-api §4.3 rule 3).
 */
export const nobodyRespondedBody = errorsBody([resourceTexts.noRespondent("data")])
