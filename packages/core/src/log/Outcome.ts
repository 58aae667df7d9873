import { Schema } from "effect"
import { Identifier, SubjectKey } from "../values/Identifier.ts"
import { Reason } from "./Reason.ts"
import { ClauseName } from "./ClauseName.ts"

/**
 * The outcome of an operation:
 * - `applied`: the operation was applied, and may have changed nothing
 * - `created`: the operation created a person, an object or another subject
 * - `duplicate`: an operation with the same deduplication key was received before
 * - `ignored`: a person that the operation names is suppressed
 * - `dropped`: the operation had no effect, in most cases because a subject that it names does not exist
 * - `partial`: the operation was applied without the parts that the reason names
 * - `rejected`: the request was invalid
 * - `pending`: no person has the identifier of the operation. The operation is stored, and is applied when a person
 *   receives this identifier
 */
export const Outcome = Schema.Literals([
  "applied",
  "created",
  "duplicate",
  "ignored",
  "dropped",
  "partial",
  "rejected",
  "pending",
])
export type Outcome = typeof Outcome.Type

/** Returns whether an operation with this outcome was applied, at least in part, or waits to be. */
export const tookEffect = (outcome: Outcome): boolean => {
  switch (outcome) {
    case "applied":
    case "created":
    case "partial":
    case "pending":
      return true
    case "duplicate":
    case "ignored":
    case "dropped":
    case "rejected":
      return false
  }
}

/**
 * The reason why a part of a request is refused: one of the reasons of contract §4, or `stale` for a part that is older
 * than the stored value (contract §6). `stale` appears in log entries only, never in an answer.
 */
export const FaultReason = Schema.Literals([
  "required",
  "invalid",
  "too_long",
  "too_many",
  "too_large",
  "unknown_type",
  "unknown_action",
  "unauthorized",
  "malformed",
  "stale",
])
export type FaultReason = typeof FaultReason.Type

/**
 * One problem of a request: what kind of problem it is, and as a fact (`code`, `field`, `values`) which one, without
 * personal data. The optional fields are for the log entry only and never stand in an answer.
 */
export const Fault = Schema.Struct({
  reason: FaultReason,
  ...Reason.fields,
  rule: Schema.optionalKey(ClauseName),
  /** The value that was left out. */
  value: Schema.optionalKey(Schema.Json),
  /** The identifier that `value` is, so that deciding can find the person or visitor who has it. */
  identifier: Schema.optionalKey(Identifier),
  /** The person or visitor whose data `value` is, if that is not the person whom the operation is about. */
  other: Schema.optionalKey(SubjectKey),
})
export type Fault = typeof Fault.Type

/** A change that an operation made to a field: the path of the field, and its values before and after. */
export const FieldChange = Schema.Struct({
  path: Schema.String,
  from: Schema.Json,
  to: Schema.Json,
})
export type FieldChange = typeof FieldChange.Type
