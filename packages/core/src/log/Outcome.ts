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

/**
 * Why a part of a request is refused: the closed set of contract §4, and `stale` for what an update leaves out because a newer
 * value is stored (contract §16). `stale` stands in activity entries only, never in an answer.
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

/** The characters that the names of stale attributes may take in one sentence: about 500 names of ordinary length. */
const staleCharactersMax = 16_384

/** The sentence that an operator reads for a list of faults. */
export const describeFaults = (faults: ReadonlyArray<Fault>): string => {
  const stale = faults.filter(({ reason }) => reason === "stale")
  const others = stale.length === 0 ? faults : faults.filter(({ reason }) => reason !== "stale")
  const shown = others
    .slice(0, faultsShownMax)
    .map(({ field, message }) => (field === "" ? message : `${field}: ${message}`))
  if (others.length > shown.length) shown.push(`and ${others.length - shown.length} more`)
  if (stale.length > 0) shown.push(describeStale(stale))
  return shown.join("; ")
}

/** Names every stale attribute, since the sender cannot tell from the answer which of them were left out. */
const describeStale = (faults: ReadonlyArray<Fault>): string => {
  const names = [...new Set(faults.map(({ field }) => field))]
  const shown: Array<string> = []
  let characters = 0
  for (const name of names) {
    characters += name.length
    if (characters > staleCharactersMax) break
    shown.push(name)
  }
  if (names.length > shown.length) shown.push(`and ${names.length - shown.length} more`)
  return `stale: ${shown.join(", ")} (newer values are stored)`
}
