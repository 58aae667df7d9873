import type { DeliveryRetry } from "./Webhook.ts"
import { dayMs, hourMs, minuteMs, secondMs } from "../values/Timestamp.ts"

/**
 * An event is retried for this many milliseconds after Inlet received it, or after an operator asked to send it again
 * (contract §17).
 */
export const retriedForMs = 7 * dayMs

/** The longest wait in milliseconds that a receiver can ask for with `Retry-After`. */
const retryAfterMsMax = dayMs

/** The status codes after which the retry schedule `hosted` waits an hour (contract §17). */
const hourLongStatuses: ReadonlySet<number> = new Set([400, 401, 402, 403, 404, 405, 410, 429, 500, 502, 521])

const hostedFirstWaitMs = 10 * secondMs
const hostedWaitMsMax = hourMs

const standardWaitsMs = [5 * secondMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 5 * hourMs, 10 * hourMs]
const standardLastWaitMs = 12 * hourMs

/**
 * A wait is randomly longer or shorter by up to this fraction, so that events that failed together are not retried
 * together.
 */
const jitterShare = 0.1

/** The reason why an attempt failed: the status of the answer, a broken connection, or no answer in time. */
export type AttemptFailure =
  | { readonly kind: "status"; readonly status: number }
  | { readonly kind: "connection" }
  | { readonly kind: "timeout" }

/** An attempt that failed. */
export interface FailedAttempt {
  readonly failure: AttemptFailure
  /** The number of attempts so far, including the last attempt. */
  readonly attempts: number
  /** The wait that the receiver asked for, in milliseconds, or null if it asked for no wait. */
  readonly retryAfterMs: number | null
  /** A random number from 0 to 1. */
  readonly jitter: number
}

/** Returns how long to wait before the next attempt, in milliseconds. `Retry-After` can only lengthen the wait. */
export const retryWaitMs = (schedule: DeliveryRetry, failed: FailedAttempt): number => {
  const wait = waits[schedule](failed)
  const jittered = Math.round(wait * (1 - jitterShare + 2 * jitterShare * failed.jitter))
  return Math.max(jittered, Math.min(failed.retryAfterMs ?? 0, retryAfterMsMax))
}

const quickFirstWaitMs = secondMs
const quickWaitMsMax = 5 * minuteMs

const quickWaitMs = ({ attempts }: FailedAttempt): number =>
  Math.min(quickFirstWaitMs * 2 ** (attempts - 1), quickWaitMsMax)

const hostedWaitMs = ({ attempts, failure }: FailedAttempt): number => {
  const isHourLong =
    failure.kind === "connection" || (failure.kind === "status" && hourLongStatuses.has(failure.status))
  if (isHourLong) return hostedWaitMsMax
  return Math.min(hostedFirstWaitMs * 2 ** (attempts - 1), hostedWaitMsMax)
}

const standardWaitMs = ({ attempts }: FailedAttempt): number =>
  standardWaitsMs[attempts - 1] ?? standardLastWaitMs

const waits: Readonly<Record<DeliveryRetry, (failed: FailedAttempt) => number>> = {
  quick: quickWaitMs,
  hosted: hostedWaitMs,
  standard: standardWaitMs,
}
