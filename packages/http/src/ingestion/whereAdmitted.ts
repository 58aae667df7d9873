import { Clock, Effect } from "effect"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Admission, rateHeaders } from "./Admission.ts"
import { withHeaders, type Answer, type ErrorAnswers } from "./Answer.ts"
import type { Services } from "./Call.ts"
import { withRetryAfter } from "./commit.ts"
import type { forwardWithBody } from "./forward.ts"

/** The responses to a call that this node does not process. */
export interface Fallbacks extends ErrorAnswers {
  /** Forwards the call to the node of the other region and returns its response. */
  readonly send: (peer: URL) => ReturnType<typeof forwardWithBody>
}

/**
 * Runs `here` if the workspace belongs to this region and is within its rate limit. If not, forwards the call to the
 * other region, or returns an error response (contract §14, §15).
 */
export const whereAdmitted = (
  workspace: Workspace,
  otherwise: Fallbacks,
  here: Effect.Effect<Answer, never, Services>,
): Effect.Effect<Answer, never, Services> =>
  Admission.use((admission) =>
    Clock.clockWith((clock) => {
      const admitted = admission.admit(workspace, clock.currentTimeMillisUnsafe())
      switch (admitted._tag) {
        case "Here":
          return Effect.map(here, (answer) => withHeaders(answer, rateHeaders(admitted.rate)))
        case "Throttled":
          return Effect.succeed(
            withHeaders(otherwise.throttled, {
              ...rateHeaders(admitted.rate),
              "retry-after": String(admitted.rate.resetSeconds),
            }),
          )
        case "Elsewhere":
          return admitted.peer === null
            ? Effect.succeed(withRetryAfter(otherwise.unavailable))
            : otherwise
                .send(admitted.peer)
                .pipe(
                  Effect.catch((error) =>
                    Effect.as(
                      Effect.logWarning("forwarding to the other region failed", error),
                      withRetryAfter(otherwise.unavailable),
                    ),
                  ),
                )
        case "Refused":
          return Effect.succeed(otherwise.unauthorized)
      }
    }),
  )
