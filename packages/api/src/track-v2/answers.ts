import type { Fault } from "@inlet/core/log/Outcome"
import type { BatchError } from "./batch.ts"
import { answerTexts } from "../wire/faults.ts"

/** What was refused and why: of an entity, of an envelope, or of the items of a batch (contract §4). */
export const errorsBody = (faults: ReadonlyArray<Fault | BatchError>) => ({ errors: faults })

/** What a request without valid credentials is answered, with status 401 (contract §3). */
export const unauthorizedBody = {
  meta: { error: answerTexts.unauthorized() },
  errors: [{ reason: "unauthorized", field: "", message: answerTexts.unauthorized() }],
} as const
