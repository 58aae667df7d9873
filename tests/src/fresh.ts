import { randomBytes } from "node:crypto"

/** Returns a unique name that begins with `prefix`. */
export const fresh = (prefix: string): string => `${prefix}-${randomBytes(6).toString("hex")}`

export const freshEmail = (): string => `${fresh("mail")}@example.com`

/** Returns a text of exactly `bytes` bytes: `start`, then `character` repeated. */
export const textOfBytes = (bytes: number, start = "", character = "x"): string => {
  const rest = bytes - Buffer.byteLength(start)
  const size = Buffer.byteLength(character)
  return start + character.repeat(Math.floor(rest / size)) + "x".repeat(rest % size)
}

/** The seed of tests with random actions: `INLET_TEST_SEED`, or another number in each run. */
export const testSeed = Number(process.env["INLET_TEST_SEED"] ?? Date.now() % 1_000_000_007)

/**
 * Returns a generator of random numbers from 0 (inclusive) to 1 (exclusive). The same seed always gives the same
 * numbers.
 */
export const seededRandom = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
