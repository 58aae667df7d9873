import { env } from "node:process"

/**
 * Returns the options of a property. The same seed gives the same cases, and a failure prints a token that replays it.
 * `INLET_TEST_SEED` changes the seed, `INLET_TEST_RUNS` multiplies the cases, and `INLET_TEST_REPLAY` replays a token.
 */
export const propertyOptions = (runs: number) => ({
  arbitrary: {
    runs: runs * Number(env["INLET_TEST_RUNS"] ?? 1),
    seed: env["INLET_TEST_SEED"] ?? "inlet",
    size: 30,
    maxShrinks: 2000,
    replay: env["INLET_TEST_REPLAY"],
  },
})
