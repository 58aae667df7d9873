import { setTimeout as pause } from "node:timers/promises"
import { waitMsMax } from "../../tools/testing/patience.ts"

const pollMillis = 20

/**
 * Polls `probe` until it returns a value, and returns this value. After `waitMsMax`, throws an error that names
 * `condition`.
 */
export const eventually = async <A>(
  condition: string,
  probe: () => Promise<A | undefined> | A | undefined,
): Promise<A> => {
  const deadline = performance.now() + waitMsMax
  for (;;) {
    const found = await probe()
    if (found !== undefined) return found
    if (performance.now() > deadline) throw new Error(`timed out after ${waitMsMax} ms: ${condition}`)
    await pause(pollMillis)
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
