import { unauthorizedBody as unauthorizedV1 } from "@inlet/api/track-v1/answers"
import { unauthorizedBody as unauthorizedV2 } from "@inlet/api/track-v2/answers"
import { json } from "./Answer.ts"
import { trackV1, trackV2, type Protocol } from "./Protocol.ts"
import type { Turned } from "./track.ts"
import { requestTexts } from "./failures.ts"

const turned = (protocol: Protocol, unauthorizedBody: unknown): Turned => ({
  unauthorized: json(401, unauthorizedBody),
  unavailable: protocol.failure(503, requestTexts.unavailable()),
  throttled: protocol.failure(429, requestTexts.throttled()),
})

/** How Track v1 answers whom it does not serve. */
export const trackV1Turned = turned(trackV1, unauthorizedV1)

/** How Track v2 answers whom it does not serve. */
export const trackV2Turned = turned(trackV2, unauthorizedV2)
