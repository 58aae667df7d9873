import { Schema } from "effect"

/**
 * What became of an operation: `applied` with or without changes, `created` a person, `duplicate` of an operation
 * received before, `ignored` since its subject is suppressed, `dropped` for want of somebody to act on, `partial`ly
 * applied, `rejected` as invalid, `pending` until somebody is identified with the visitor who did it.
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

/** The closed set of reasons for which a part of a request is refused (contract §4). */
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
])
export type FaultReason = typeof FaultReason.Type

/** One thing wrong with what was sent: where (a dotted path in the item), why, and a sentence without personal data. */
export const Fault = Schema.Struct({
  reason: FaultReason,
  field: Schema.String,
  message: Schema.String,
})
export type Fault = typeof Fault.Type

/** What an operation changed: a path in the subject's document and its values before and after. */
export const FieldChange = Schema.Struct({
  path: Schema.String,
  from: Schema.Json,
  to: Schema.Json,
})
export type FieldChange = typeof FieldChange.Type

/** Faults that are spelled out. */
const faultsShownMax = 20

/** The sentence that an operator reads for a list of faults. */
export const describeFaults = (faults: ReadonlyArray<Fault>): string => {
  const shown = faults
    .slice(0, faultsShownMax)
    .map(({ field, message }) => (field === "" ? message : `${field}: ${message}`))
  if (faults.length > shown.length) shown.push(`and ${faults.length - shown.length} more`)
  return shown.join("; ")
}
