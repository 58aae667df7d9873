import { eventPositionOf, subjectKey, attemptKey } from "../../columns/ids.ts"
import type { HeldEvent, HeldState } from "@inlethq/core/webhook/HeldEvent"
import { Attempt, isFirstTry, type AttemptStatus, type RecordedAttempt } from "@inlethq/core/webhook/Attempt"
import type { DeliveryProgress } from "@inlethq/core/webhook/DeliveryQueue"
import { EventPosition } from "@inlethq/core/webhook/EventPosition"
import { Webhook } from "@inlethq/core/webhook/Webhook"
import { Schema, Struct } from "effect"
import { integer, integerOrNull, text, type Row } from "../../columns/columns.ts"

/*
 * Rows of the tables of webhooks. Fields that queries use have columns of their own. All other fields are in one JSON
 * text.
 */

const WebhookText = Schema.fromJsonString(Webhook)
const encodeWebhook = Schema.encodeSync(WebhookText)
const decodeWebhook = Schema.decodeUnknownSync(WebhookText)

/** Encodes the settings of a webhook as the text of its row. */
export const webhookText = (webhook: Webhook): string => encodeWebhook(webhook)

export const webhookFromRow = (row: Row): Webhook => decodeWebhook(row["doc"])

const AheadText = Schema.fromJsonString(Schema.Array(EventPosition))
const encodeAhead = Schema.encodeSync(AheadText)
const decodeAhead = Schema.decodeUnknownSync(AheadText)

/**
 * Encodes the positions of settled events that follow an event that is not settled yet. An event is settled if its
 * first attempt has ended, or if it is stored to be sent later.
 */
export const aheadText = ({ ahead }: DeliveryProgress): string => encodeAhead(ahead)

export const progressFromRow = (row: Row): DeliveryProgress => ({
  position: eventPositionOf(integer(row["position"])),
  ahead: decodeAhead(row["ahead"]),
})

/**
 * The codes of the states in which an undelivered event can be. `retrying` must stay 0, because the condition of a
 * partial index contains this number.
 */
export const heldStateCodes: Readonly<Record<HeldState, number>> = { retrying: 0, failed: 1, skipped: 2 }
const heldStates: ReadonlyArray<HeldState> = ["retrying", "failed", "skipped"]

/** The columns of `webhook_held` after the key of the webhook, in the order of `heldRow`. */
export const heldColumns = [
  "position",
  "subject",
  "state",
  "attempts",
  "next_at",
  "expires_at",
  "in_order",
  "received_at",
  "held_at",
] as const

/** Returns the row of an undelivered event. */
export const heldRow = (event: HeldEvent) =>
  [
    event.position,
    event.subject,
    heldStateCodes[event.state],
    event.attempts,
    event.nextAt,
    event.expiresAt,
    event.isInOrder ? 1 : 0,
    event.receivedAt,
    event.heldAt,
  ] as const

export const heldFromRow = (row: Row): HeldEvent => {
  const subject = integerOrNull(row["subject"])
  return {
    position: eventPositionOf(integer(row["position"])),
    subject: subject === null ? null : subjectKey(subject),
    state: heldStates[integer(row["state"])] ?? "failed",
    attempts: integer(row["attempts"]),
    nextAt: integer(row["next_at"]),
    expiresAt: integer(row["expires_at"]),
    isInOrder: integer(row["in_order"]) === 1,
    receivedAt: integer(row["received_at"]),
    heldAt: integer(row["held_at"]),
  }
}

/** The codes of the statuses of attempts. */
export const attemptStatusCodes: Readonly<Record<AttemptStatus, number>> = {
  delivered: 0,
  retrying: 1,
  failed: 2,
  skipped: 3,
}
const attemptStatuses: ReadonlyArray<AttemptStatus> = ["delivered", "retrying", "failed", "skipped"]

const AttemptDetail = Schema.fromJsonString(
  Attempt.mapFields(Struct.omit(["position", "number", "at", "status"])),
)
const encodeDetail = Schema.encodeSync(AttemptDetail)
const decodeDetail = Schema.decodeUnknownSync(AttemptDetail)

/** The columns of `webhook_attempts` after the key of the webhook, in the order of `attemptRow`. */
export const attemptColumns = ["key", "position", "number", "at", "status", "first_try", "doc"] as const

/**
 * Returns the row of an attempt. `firstTry` is the number of events of the webhook that were delivered at their first
 * attempt, up to this attempt. The column `first_try` is null unless this attempt is the first of its event and
 * delivered the event.
 */
export const attemptRow = (attempt: Attempt, key: number, firstTry: number) =>
  [
    key,
    attempt.position,
    attempt.number,
    attempt.at,
    attemptStatusCodes[attempt.status],
    isFirstTry(attempt) ? firstTry : null,
    encodeDetail(attempt),
  ] as const

/** Returns the `doc` column of an attempt without the stored excerpt of the receiver's response. */
export const withoutExcerpt = (doc: string): string =>
  encodeDetail({ ...decodeDetail(doc), responseExcerpt: null })

export const attemptFromRow = (row: Row): RecordedAttempt => ({
  ...decodeDetail(text(row["doc"])),
  key: attemptKey(integer(row["key"])),
  position: eventPositionOf(integer(row["position"])),
  number: integer(row["number"]),
  at: integer(row["at"]),
  status: attemptStatuses[integer(row["status"])] ?? "failed",
})
