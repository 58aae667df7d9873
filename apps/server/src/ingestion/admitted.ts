import { Clock, Effect } from "effect"
import type { Workspace } from "@inlet/core/workspace/Workspace"
import { Admission, rateHeaders } from "./Admission.ts"
import { withHeaders, type Answer } from "./Answer.ts"
import type { Services } from "./Call.ts"
import { turnedAway, unrecorded } from "./commit.ts"
import type { forward } from "./forward.ts"

/** How a call is answered that is not answered here, or not now. */
export interface Otherwise {
  readonly unauthorized: Answer
  readonly unavailable: Answer
  readonly throttled: Answer
  /** Has another node answer. */
  readonly send: (peer: URL) => ReturnType<typeof forward>
}

/** Answers a call for a workspace where it lives, and as often as it may call (contract §14, §15). */
export const admitted = (
  workspace: Workspace,
  otherwise: Otherwise,
  here: Effect.Effect<Answer, never, Services>,
): Effect.Effect<Answer, never, Services> =>
  Effect.flatMap(Admission, (admission) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const admitted = admission.admit(workspace, now)
      switch (admitted._tag) {
        case "Here":
          return Effect.map(here, (answer) => withHeaders(answer, rateHeaders(admitted.rate)))
        case "Throttled":
          return Effect.succeed(
            withHeaders(unrecorded(otherwise.throttled), {
              ...rateHeaders(admitted.rate),
              "retry-after": String(admitted.rate.resetSeconds),
            }),
          )
        case "Elsewhere":
          return admitted.peer === null
            ? Effect.succeed(turnedAway(otherwise.unavailable))
            : otherwise
                .send(admitted.peer)
                .pipe(
                  Effect.catch((error) =>
                    Effect.as(
                      Effect.logWarning("the other region does not answer", error),
                      turnedAway(otherwise.unavailable),
                    ),
                  ),
                )
        case "Refused":
          return Effect.succeed(otherwise.unauthorized)
      }
    }),
  )
