/** Returns a function that returns numbers from 0 up to but not including 1, which look random and are the same in each run. */
export const fractions = (seed: number): (() => number) => {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Returns a function that returns such whole numbers from 0 to `below` - 1. */
export const numbers = (seed: number): ((below: number) => number) => {
  const fraction = fractions(seed)
  return (below) => Math.floor(fraction() * below)
}
