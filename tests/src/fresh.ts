import { randomBytes } from "node:crypto"

/** A name that nothing else in the run has. */
export const fresh = (prefix: string): string => `${prefix}-${randomBytes(6).toString("hex")}`

export const freshEmail = (): string => `${fresh("mail")}@example.com`

/** A string of `bytes` bytes that begins with `start` and goes on with `character`. */
export const ofBytes = (bytes: number, start = "", character = "x"): string => {
  const rest = bytes - Buffer.byteLength(start)
  const size = Buffer.byteLength(character)
  return start + character.repeat(Math.floor(rest / size)) + "x".repeat(rest % size)
}

/** A repeatable source of numbers in [0, 1). */
export const seeded = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
