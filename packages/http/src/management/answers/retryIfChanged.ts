import { Conflict } from "@inlethq/contract/access/Problem"
import { ChangedMeanwhile } from "@inlethq/core/ports/ChangedMeanwhile"
import { Effect, Schema } from "effect"

/** How often a change is decided from newer settings, because somebody else has changed them in between. */
const retriesMax = 5

const isChangedMeanwhile = Schema.is(ChangedMeanwhile)

/** Decides a change of settings again while somebody else changes them at the same time. */
export const retryIfChanged = <A, E, R>(
  change: Effect.Effect<A, E | ChangedMeanwhile, R>,
): Effect.Effect<A, E | Conflict, R> =>
  change.pipe(
    Effect.retry({ times: retriesMax, while: isChangedMeanwhile }),
    Effect.mapError((error) => (isChangedMeanwhile(error) ? new Conflict({ detail: error.message }) : error)),
  )
