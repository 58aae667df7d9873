/** The wait before the first retry, in milliseconds. The wait doubles after each further attempt. */
const firstDelayMs = 250

/** The longest wait between two attempts, in milliseconds, unless the server asks for a longer wait. */
const delayMsMax = 30_000

/**
 * Returns the milliseconds to wait after a failed attempt. `attempt` is 1 for the first attempt. Half of the wait is
 * random, so that clients that failed at the same time do not retry at the same time. `Retry-After` can only lengthen
 * the wait.
 */
export const retryDelayMs = (attempt: number, retryAfterMs: number, random: number): number => {
  const backoff = Math.min(delayMsMax, firstDelayMs * 2 ** (attempt - 1))
  return Math.max(backoff * (0.5 + random / 2), retryAfterMs * (1 + random / 10))
}

/**
 * Returns the wait in milliseconds that a `Retry-After` header asks for. The header holds seconds or a date. Returns 0
 * if the header is missing or invalid.
 */
export const readRetryAfter = (header: string | null, now: number): number => {
  if (header === null || header.trim() === "") return 0
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now
  return Number.isFinite(ms) && ms > 0 ? ms : 0
}
