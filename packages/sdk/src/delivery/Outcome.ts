/**
 * The status of a call:
 * - `applied`: the server applied the call, which may have changed nothing
 * - `created`: the call created a person or an object
 * - `pending`: stored, and applied once a person is identified with the anonymous id
 * - `partial`: applied without the parts that the reason names
 * - `duplicate`: a call with the same `messageId` was stored before. If `attempts` is above 1, an earlier attempt of
 * this call was applied and its answer was lost
 * - `ignored`: a person that the call names is suppressed
 * - `dropped`: a person or object that the call names does not exist
 * - `rejected`: invalid. The server refused the call, or the client did not send it
 * - `accepted`: the server accepted the call, but does not report outcomes
 * - `undelivered`: the client gave up. If `attempts` is above 0, the server may have applied the call
 * - `discarded`: not sent, because `beforeSend` returned null, the client is disabled or the `signal` of the call was
 * aborted. If `attempts` is above 0, the call was being sent when that happened, and the server may have applied it
 */
export type OutcomeStatus =
  | "applied"
  | "created"
  | "pending"
  | "partial"
  | "duplicate"
  | "ignored"
  | "dropped"
  | "rejected"
  | "accepted"
  | "undelivered"
  | "discarded"

/** The final outcome of one call. */
export interface Outcome {
  readonly messageId: string
  readonly status: OutcomeStatus
  /**
   * The reason why the call was not fully applied, as a word that never changes, such as `call_too_large`: a code of the
   * server's log, or of the client. Null if the call was applied in full.
   */
  readonly code: string | null
  /** The same reason as a sentence. */
  readonly reason: string | null
  /** The rule that decided the outcome on the server, such as `contract §8 deduplication`. */
  readonly rule: string | null
  /** The id of the server's log entry for the call. `inlet why` and the management API accept it. */
  readonly operationId: string | null
  /** The number of times that the call was sent. */
  readonly attempts: number
}

/** Returns whether the server stored the call, in whole or in part, now or in an earlier attempt. */
export const isStored = ({ status }: Outcome): boolean => {
  switch (status) {
    case "applied":
    case "created":
    case "pending":
    case "partial":
    case "duplicate":
    case "accepted":
      return true
    case "ignored":
    case "dropped":
    case "rejected":
    case "undelivered":
    case "discarded":
      return false
  }
}
