/**
 * The status of a call:
 * - `applied`, with or without changes
 * - `created`: a person or another subject was created
 * - `pending` until a person is identified with the anonymous id
 * - `partial`: applied without the parts that the reason names
 * - `duplicate` of a call with the same `messageId`. If `attempts` is above 1, an earlier attempt of this call was applied and its
 *   answer was lost
 * - `ignored`, because a person that the call names is suppressed
 * - `dropped`, because a subject that the call names does not exist
 * - `rejected` as invalid, by the server or before it was sent
 * - `accepted` by a server that does not tell outcomes
 * - `undelivered`: the client gave up. If `attempts` is above 0, the server may have applied the call
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

/** The final outcome of one call. */
export interface Outcome {
  readonly messageId: string
  readonly status: OutcomeStatus
  /** The cause of any status other than full success, as a sentence. */
  readonly reason: string | null
  /** The rule of the server that decided, such as `contract §8 deduplication`. */
  readonly rule: string | null
  /** The id of the server's log entry, for `inlet why` and the management API. */
  readonly operationId: string | null
  /** The number of requests in which the call was sent. */
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
      return false
  }
}
