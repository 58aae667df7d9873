import { NodeFitness } from "@inlethq/core/ports/NodeFitness"
import { Effect } from "effect"

/** Runs work in the background, unless this node is unfit: it has said so once, and the work would fail each time. */
export const whileFit = <E, R>(work: Effect.Effect<void, E, R>): Effect.Effect<void, E, R> =>
  Effect.flatMap(NodeFitness, ({ unfit }) => (unfit() === null ? work : Effect.void))
