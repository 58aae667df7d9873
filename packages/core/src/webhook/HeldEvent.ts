import { Schema } from "effect"
import { SubjectKey } from "../values/Identifier.ts"
import type { EpochMillis } from "../values/Timestamp.ts"
import { EventPosition } from "./EventPosition.ts"
import { retriedForMs } from "./retryWait.ts"

/**
 * The state of a stored event: `retrying` (another attempt follows, or the event waits for an earlier event of the same
 * person or object), `failed` (the last attempt has failed), or `skipped` (an operator skipped the event).
 */
export const HeldState = Schema.Literals(["retrying", "failed", "skipped"])
export type HeldState = typeof HeldState.Type

/**
 * The record of an event that a webhook stores because its first attempt failed, or because it must wait for an earlier
 * event of the same person or object.
 */
export const HeldEvent = Schema.Struct({
  position: EventPosition,
  /**
   * The person or object that the event is about. With the ordering `per_person`, events about the same person or
   * object are sent in order.
   */
  subject: Schema.NullOr(SubjectKey),
  state: HeldState,
  attempts: Schema.Int,
  /** The time of the next attempt. */
  nextAt: Schema.Int,
  /** If an attempt fails at this time or later, the event is not retried again. */
  expiresAt: Schema.Int,
  /**
   * False for an event that an operator sends again. Such an event waits for no other event, and no other event waits
   * for it.
   */
  isInOrder: Schema.Boolean,
  /** When Inlet received the operation that the event is about. */
  receivedAt: Schema.Int,
  /** When the current state began: the time when the event was stored, failed or was skipped. */
  heldAt: Schema.Int,
})
export type HeldEvent = typeof HeldEvent.Type

/**
 * Returns the record of an event that an operator sends again. The event waits for no other event, and no other event
 * waits for it.
 */
export const sentAgain = (
  event: Pick<HeldEvent, "position" | "receivedAt" | "attempts" | "subject">,
  now: EpochMillis,
): HeldEvent => ({
  ...event,
  state: "retrying",
  nextAt: now,
  expiresAt: now + retriedForMs,
  isInOrder: false,
  heldAt: now,
})
