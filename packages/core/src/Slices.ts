import { Effect } from "effect"

/** A computation that yields after each slice, a bounded part of its work, so that other work can run. */
export type Slices<A> = Generator<void, A, void>

/**
 * Counts the steps of a long computation and reports when the computation should yield. All loops of one computation
 * share a counter.
 */
export class SliceCounter {
  private readonly stepsMax: number
  private steps = 0

  constructor(stepsMax: number) {
    this.stepsMax = stepsMax
  }

  /** Counts steps. Returns true if the caller should yield now. */
  isFull(steps = 1): boolean {
    this.steps += steps
    if (this.steps < this.stepsMax) return false
    this.steps = 0
    return true
  }
}

/** Runs a computation to its end without a pause. */
export const toEnd = <A>(slices: Slices<A>): A => {
  let result = slices.next()
  while (result.done !== true) result = slices.next()
  return result.value
}

/**
 * Runs a computation in slices, and wraps each slice with `around`. Sockets and timers are served between two slices.
 */
export const inSlices = <A, E>(
  slices: Slices<A>,
  around: <B>(slice: () => B) => Effect.Effect<B, E>,
): Effect.Effect<A, E> =>
  Effect.flatMap(
    around(() => slices.next()),
    (result) =>
      result.done === true
        ? Effect.succeed(result.value)
        : Effect.andThen(
            Effect.yieldNow,
            Effect.suspend(() => inSlices(slices, around)),
          ),
  )
