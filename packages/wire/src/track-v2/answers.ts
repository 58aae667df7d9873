import type { Fault } from "@inlethq/core/log/Outcome"
import type { WrittenBrand } from "../texts/WrittenBrand.ts"
import type { BatchError } from "./batch.ts"
import { listedFault } from "../decoding/Findings.ts"
import { answerTexts } from "../texts/wireTexts.ts"

/** The body of an error response to `/entity` (contract §4). */
export const errorsBody = (brand: WrittenBrand, faults: ReadonlyArray<Fault>) => ({
  errors: faults.map((fault) => listedFault(brand, fault)),
})

/** The body of an error response to `/batch` (contract §4). */
export const batchErrorsBody = (brand: WrittenBrand, errors: ReadonlyArray<BatchError>) => ({
  errors: errors.map(({ batchIndex, fault }) => ({ batch_index: batchIndex, ...listedFault(brand, fault) })),
})

/** The body of a 401 response to a request without valid credentials (contract §3). */
export const unauthorizedBody = {
  meta: { error: answerTexts.unauthorized() },
  errors: [{ reason: "unauthorized", field: "", message: answerTexts.unauthorized() }],
} as const
