import { setTimeout as pause } from "node:timers/promises"

const pollMillis = 20

/** The first thing that `probe` finds; fails, naming `what`, when there is nothing within `withinMillis`. */
export const eventually = async <A>(
  what: string,
  probe: () => Promise<A | undefined> | A | undefined,
  withinMillis = 5000,
): Promise<A> => {
  const deadline = performance.now() + withinMillis
  for (;;) {
    const found = await probe()
    if (found !== undefined) return found
    if (performance.now() > deadline) throw new Error(`not within ${withinMillis} ms: ${what}`)
    await pause(pollMillis)
  }
}

/** `promise`, or a failure naming `what` when it takes longer than `withinMillis`. */
export const within = async <A>(what: string, promise: Promise<A>, withinMillis: number): Promise<A> => {
  const stop = new AbortController()
  const late = pause(withinMillis, undefined, { signal: stop.signal }).then(() => {
    throw new Error(`not within ${withinMillis} ms: ${what}`)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    stop.abort()
    late.catch(() => undefined)
  }
}
