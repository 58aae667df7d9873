import { env } from "node:process"

/**
 * How a property is checked. The same seed gives the same cases, and a failure prints the token that replays it;
 * `INLET_TEST_SEED` looks elsewhere, `INLET_TEST_RUNS` looks longer, and `INLET_TEST_REPLAY` takes such a token.
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
