import { unauthorizedBody as unauthorizedV1 } from "@inlethq/wire/track-v1/answers"
import { unauthorizedBody as unauthorizedV2 } from "@inlethq/wire/track-v2/answers"
import { json, type ErrorAnswers } from "./Answer.ts"
import { trackV1, trackV2, type Protocol } from "./Protocol.ts"
import { ingestionTexts } from "./ingestionTexts.ts"

const errorAnswers = (protocol: Protocol, unauthorizedBody: unknown): ErrorAnswers => ({
  unauthorized: json(401, unauthorizedBody),
  unavailable: protocol.failure(503, ingestionTexts.unavailable()),
  throttled: protocol.failure(429, ingestionTexts.throttled()),
})

/** The 401, 503 and 429 responses of Track v1. */
export const trackV1Errors = errorAnswers(trackV1, unauthorizedV1)

/** The 401, 503 and 429 responses of Track v2. */
export const trackV2Errors = errorAnswers(trackV2, unauthorizedV2)
