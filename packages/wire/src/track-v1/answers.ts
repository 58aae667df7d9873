import type { Fault } from "@inlethq/core/log/Outcome"
import { messageOf } from "../texts/sentences.ts"
import type { WrittenBrand } from "../texts/WrittenBrand.ts"
import { answerTexts, resourceTexts } from "../texts/wireTexts.ts"

/** The body of a 400 response to an event, a merge, a metric, an unsubscribe or a segment call (contract §4). */
export const errorBody = (brand: WrittenBrand, faults: ReadonlyArray<Fault>) => ({
  meta: { error: faults.map((fault) => messageOf(brand, fault)).join("; ") },
})

/** The body of a 400 response to an identify, a device or a form (contract §4). */
export const errorsBody = (brand: WrittenBrand, faults: ReadonlyArray<Fault>) => ({
  meta: { errors: faults.map((fault) => messageOf(brand, fault)) },
})

/** The body of a 401 response to a request without valid credentials (contract §3). */
export const unauthorizedBody = { meta: { error: answerTexts.unauthorized() } }

/** The `text/plain` body of a 404 response to a call for a segment that does not exist (contract §4). */
export const segmentNotFound = `${answerTexts.segmentNotFound()}\n`

/** The fault of a form submission in which no field identifies the respondent (track-api §4.3 rule 3). */
export const nobodyResponded = resourceTexts.noRespondent("data")
