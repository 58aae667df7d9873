import { NodeFitness } from "@inlethq/core/ports/NodeFitness"
import { Cause, Effect } from "effect"

/**
 * Runs work in the background, unless this node is unfit: it has said so once, and the work would fail each time. If it becomes unfit
 * while the work is under way, nothing is said of a failure either.
 */
export const whileFit = <E, R>(work: Effect.Effect<void, E, R>): Effect.Effect<void, E, R> =>
  Effect.flatMap(NodeFitness, ({ unfit }) =>
    unfit() === null
      ? Effect.catchCause(work, (cause) =>
          unfit() === null || Cause.hasInterrupts(cause) ? Effect.failCause(cause) : Effect.void,
        )
      : Effect.void,
  )
