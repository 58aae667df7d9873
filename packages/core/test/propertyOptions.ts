import { env } from "node:process"

/**
 * Returns the options of a property test. The same seed gives the same cases. A failed test prints a token. Set
 * `INLET_TEST_REPLAY` to the token to run the failed case again. `INLET_TEST_SEED` changes the seed, and
 * `INLET_TEST_RUNS` multiplies the number of cases. `size` bounds the length of lists and texts.
 */
export const propertyOptions = (runs: number, size = 30) => ({
  arbitrary: {
    runs: runs * Number(env["INLET_TEST_RUNS"] ?? 1),
    seed: env["INLET_TEST_SEED"] ?? "inlet",
    size,
    maxShrinks: 2000,
    replay: env["INLET_TEST_REPLAY"],
  },
})
