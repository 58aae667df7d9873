import { setTimeout as pause } from "node:timers/promises"
import { waitMsMax } from "../../tools/testing/patience.ts"

const pollMillisMin = 20
const pollMillisMax = 500

/** The part of a wait by which polls may lengthen it. */
const lateness = 1 / 20

/**
 * Polls `probe` until it returns a value, and returns this value. After `waitMsMax`, throws an error that names
 * `condition`. The longer it waits, the less often it polls, because many tests wait at the same time.
 */
export const eventually = async <A>(
  condition: string,
  probe: () => Promise<A | undefined> | A | undefined,
): Promise<A> => {
  const began = performance.now()
  for (;;) {
    const found = await probe()
    if (found !== undefined) return found
    const waited = performance.now() - began
    if (waited > waitMsMax) throw new Error(`timed out after ${waitMsMax} ms: ${condition}`)
    await pause(Math.min(pollMillisMax, Math.max(pollMillisMin, waited * lateness)))
  }
}

/** Waits for `promise`. After `waitMsMax`, throws an error that names `condition`. */
export const within = async <A>(condition: string, promise: Promise<A>): Promise<A> => {
  const stop = new AbortController()
  const late = pause(waitMsMax, undefined, { signal: stop.signal }).then(() => {
    throw new Error(`timed out after ${waitMsMax} ms: ${condition}`)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    stop.abort()
    late.catch(() => undefined)
  }
}
