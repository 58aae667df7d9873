import type { BatchError } from "./batch.ts"
import type { ListedFault } from "../wire/Findings.ts"
import { answerTexts } from "../wire/wireTexts.ts"

/** The body of an error response to `/entity` (contract §4). */
export const errorsBody = (faults: ReadonlyArray<ListedFault>) => ({
  errors: faults.map(({ field, message, reason }): ListedFault => ({ reason, field, message })),
})

/** The body of an error response to `/batch` (contract §4). */
export const batchErrorsBody = (errors: ReadonlyArray<BatchError>) => ({ errors })

/** The body of a 401 response to a request without valid credentials (contract §3). */
export const unauthorizedBody = {
  meta: { error: answerTexts.unauthorized() },
  errors: [{ reason: "unauthorized", field: "", message: answerTexts.unauthorized() }],
} as const
