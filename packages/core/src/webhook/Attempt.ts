import { Schema } from "effect"
import { dayMs, type EpochMillis } from "../values/Timestamp.ts"
import { EventPosition } from "./EventPosition.ts"

/**
 * The status of an attempt: `delivered`, `retrying` (failed, and another attempt follows), `failed` (no attempt
 * follows), or `skipped` (an operator skipped the event, or the event was erased while it waited).
 */
export const AttemptStatus = Schema.Literals(["delivered", "retrying", "failed", "skipped"])
export type AttemptStatus = typeof AttemptStatus.Type

/** One attempt to deliver an event. Attempts are recorded once and never changed. */
export const Attempt = Schema.Struct({
  position: EventPosition,
  eventId: Schema.String,
  operationId: Schema.String,
  /** The number of the attempt among the attempts of its event, counted from 1. */
  number: Schema.Int,
  at: Schema.Int,
  status: AttemptStatus,
  /** The status code of the answer, or null if no answer arrived. */
  responseStatus: Schema.NullOr(Schema.Int),
  durationMs: Schema.Int,
  /** The beginning of the answer's body, or the error of the connection. */
  responseExcerpt: Schema.NullOr(Schema.String),
  /** The time of the next attempt, or null if no attempt follows. */
  nextAt: Schema.NullOr(Schema.Int),
})
export type Attempt = typeof Attempt.Type

/** Identifies an attempt among all attempts of its webhook. Keys are positive and ascending. */
export const AttemptKey = Schema.Int.check(Schema.isGreaterThan(0)).pipe(Schema.brand("AttemptKey"))
export type AttemptKey = typeof AttemptKey.Type

/** An attempt with its key. */
export const RecordedAttempt = Schema.Struct({ key: AttemptKey, ...Attempt.fields })
export type RecordedAttempt = typeof RecordedAttempt.Type

/** The time for which failed attempts and retries are stored, in milliseconds (contract §17). */
export const attemptRetentionMs = 30 * dayMs

/**
 * The largest number of successful first attempts that are stored for one webhook. Older ones are removed (contract
 * §17).
 */
export const firstTriesKept = 1000

/** Returns whether an attempt is the first attempt of its event and delivered the event. */
export const isFirstTry = ({ number, status }: Attempt): boolean => number === 1 && status === "delivered"

/** Returns the attempt to record when an operator skips an event. */
export const skippedAttempt = (attempt: Attempt, number: number, now: EpochMillis): Attempt => ({
  position: attempt.position,
  eventId: attempt.eventId,
  operationId: attempt.operationId,
  number,
  at: now,
  status: "skipped",
  responseStatus: null,
  durationMs: 0,
  responseExcerpt: null,
  nextAt: null,
})
