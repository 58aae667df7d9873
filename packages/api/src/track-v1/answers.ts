import type { Fault } from "@inlet/core/log/Outcome"
import { answerTexts, resourceFaults } from "../wire/faults.ts"

/** Why an event, a merge, a metric, an unsubscribe or a segment call was refused (contract §4). */
export const errorBody = (faults: ReadonlyArray<Pick<Fault, "message">>) => ({
  meta: { error: faults.map((fault) => fault.message).join("; ") },
})

/** Why an identify, a device or a form was refused (contract §4). */
export const errorsBody = (faults: ReadonlyArray<Pick<Fault, "message">>) => ({
  meta: { errors: faults.map((fault) => fault.message) },
})

/** What a request without valid credentials is answered, with status 401 (contract §3). */
export const unauthorizedBody = { meta: { error: answerTexts.unauthorized() } }

/** What a segment call is answered, with status 404 as `text/plain`, where no such segment exists (contract §4). */
export const segmentNotFound = `${answerTexts.segmentNotFound()}\n`

/** What a form submission is answered, with status 400, where no field names the respondent (track-api §4.3 rule 3). */
export const nobodyRespondedBody = errorsBody([resourceFaults.noRespondent("data")])
