import { passageHeader } from "@inlethq/core/forward/passage"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Effect } from "effect"
import { Senders } from "../credentials/Senders.ts"
import type { Answer } from "./Answer.ts"
import type { Call, Services } from "./Call.ts"

/** The status of the answer to a call that the workspace itself has forwarded, directly or through others. */
export const loopDetected = 508

/** Runs `here`, or answers with `looped` if the workspace itself has forwarded the call. Such calls are not recorded. */
export const unlessLooped = (
  { request }: Pick<Call, "request">,
  workspace: Workspace,
  looped: () => Answer,
  here: Effect.Effect<Answer, never, Services>,
): Effect.Effect<Answer, never, Services> =>
  request.headers[passageHeader] === undefined
    ? here
    : Effect.flatMap(Senders, (senders) =>
        senders.hasSent({ request }, workspace) ? Effect.succeed(looped()) : here,
      )
