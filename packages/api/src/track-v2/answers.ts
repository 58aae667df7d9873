import type { Fault } from "@inlet/core/log/Outcome"
import type { BatchError } from "./batch.ts"
import { answerTexts } from "../wire/faults.ts"

/** The body of an error response to `/entity` or `/batch` (contract §4). */
export const errorsBody = (faults: ReadonlyArray<Fault | BatchError>) => ({ errors: faults })

/** The body of a 401 response to a request without valid credentials (contract §3). */
export const unauthorizedBody = {
  meta: { error: answerTexts.unauthorized() },
  errors: [{ reason: "unauthorized", field: "", message: answerTexts.unauthorized() }],
} as const
