import { env } from "node:process"
import { Effect, Schema } from "effect"
import type { Compared, Comparison } from "./differential.ts"

/** The error for two stores that differ after the same script. */
class StoresDiffer extends Schema.TaggedError<StoresDiffer>()("StoresDiffer", { message: Schema.String }) {}

/**
 * Returns the body of a test that compares stores after `runs` scripts. The seed is fixed unless `INLET_TEST_SEED` is set.
 * `pnpm test:fuzz` sets random seeds and more runs, and reads the number of runs from the task.
 */
export const comparing =
  (
    runs: number,
    compare: (comparison: Comparison) => Effect.Effect<Pick<Compared, "failure"> & Partial<Compared>>,
  ) =>
  (context?: { readonly task: { readonly meta: object } }): Effect.Effect<void, StoresDiffer> =>
    Effect.flatMap(
      compare({
        runs: runs * Number(env["INLET_TEST_RUNS"] ?? 1),
        seed: env["INLET_TEST_SEED"] ?? "inlet",
        replay: env["INLET_TEST_REPLAY"],
      }),
      ({ failure, ...counts }) => {
        Object.assign(context?.task.meta ?? {}, counts)
        return failure === null ? Effect.void : Effect.fail(new StoresDiffer({ message: failure }))
      },
    )
