import type { RefusedCalls } from "../listener/RefusedCalls.ts"
import { refuse } from "./AppAnswer.ts"
import { appTexts } from "./appTexts.ts"

/** The first segments of the paths of calls that send messages, or read what only a sender of messages has. */
export const sendingRoots: ReadonlySet<string> = new Set([
  "send",
  "campaigns",
  "newsletters",
  "broadcasts",
  "transactional",
])

/** The most characters of a user agent that are kept. */
const userAgentLengthMax = 256

/** Refuses a call that asks to send messages, and counts it, so that `inlet doctor` tells of it. */
export const refuseToSend = (
  refused: RefusedCalls["Service"],
  call: { readonly route: string; readonly address: string | null; readonly userAgent: string | undefined },
) => {
  const userAgent = call.userAgent?.slice(0, userAgentLengthMax) ?? null
  refused.count("sends_messages", call.address, { key: null, route: call.route, userAgent })
  return refuse(400, appTexts.sendsNothing())
}
