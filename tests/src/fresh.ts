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
