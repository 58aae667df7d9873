import { Schema } from "effect"
import { SubjectKey } from "../values/Identifier.ts"
import { utf8Bytes, type Json } from "../values/Json.ts"
import type { Fault, FaultReason } from "./Outcome.ts"
import { TextValues } from "./Reason.ts"
import { ClauseName } from "./ClauseName.ts"

/** A value that an operation left out, and why (contract §16 *refused values*). */
export const RefusedValue = Schema.Struct({
  /** The path of the value in the item, joined by dots. */
  path: Schema.String,
  /** The value as sent. Null if the request had none, or if it may not be stored. */
  value: Schema.Json,
  /** The bytes of the whole value as JSON if `value` is only its beginning, as text; null if `value` is whole. */
  cutFrom: Schema.NullOr(Schema.Int),
  /** What is wrong with the value: the code of a text and what fills it, as in a `Reason` whose field is `path`. */
  code: Schema.String,
  values: TextValues,
  rule: ClauseName,
  /**
   * The person or visitor whose identifier or data the value is; null if it is that of the operation's own subject.
   * Erasing either of them erases the value.
   */
  other: Schema.NullOr(SubjectKey),
})
export type RefusedValue = typeof RefusedValue.Type

/** The largest number of refused values that one log entry keeps. */
export const refusedValuesMax = 50

/** The largest number of bytes that one refused value may have as JSON. A longer value is cut. */
export const refusedValueBytesMax = 1024

/** The largest number of bytes that the refused values of one log entry may have together. Further values are left out. */
const refusedBytesMax = 16 * 1024

/**
 * Returns what a log entry about `subject` keeps of the values at fault. `keeps` is false if nobody's erasure would reach
 * the entry: then it keeps only the values that belong to another person. Values of other people come first.
 */
export const refusedValues = (
  faults: ReadonlyArray<Fault>,
  subject: SubjectKey | null,
  keeps: boolean,
): ReadonlyArray<RefusedValue> => {
  const refused: Array<RefusedValue> = []
  let room = refusedBytesMax
  for (const { code, field, other = null, reason, rule, value = null, values } of othersFirst(
    faults,
    subject,
  )) {
    if (refused.length === refusedValuesMax) break
    const kept = keeps || other !== null ? shortened(value) : nothing
    const bytes = utf8Bytes(JSON.stringify(kept.value))
    room -= bytes
    const fits = room >= 0 ? kept : { value: null, cutFrom: kept.cutFrom ?? bytes }
    refused.push({
      path: field,
      ...fits,
      code,
      values,
      rule: rule ?? clauseFor(reason),
      other: other === subject ? null : other,
    })
  }
  return refused
}

const clauseFor = (reason: FaultReason): ClauseName => {
  switch (reason) {
    case "too_long":
    case "too_many":
    case "too_large":
      return "contract §5 over a limit in Pipelines"
    case "stale":
      return "contract §6 stale"
    case "required":
    case "invalid":
    case "unknown_type":
    case "unknown_action":
    case "unauthorized":
    case "malformed":
      return "contract §16 refused values"
  }
}

const othersFirst = (faults: ReadonlyArray<Fault>, subject: SubjectKey | null): ReadonlyArray<Fault> => {
  const isOfOther = ({ other }: Fault) => other !== undefined && other !== subject
  const others = faults.filter(isOfOther)
  return others.length === 0 ? faults : [...others, ...faults.filter((fault) => !isOfOther(fault))]
}

const nothing = { value: null, cutFrom: null }

/** Returns a value as entries keep it: whole up to `refusedValueBytesMax`, beyond that its beginning as text. */
export const shortened = (value: Json): Pick<RefusedValue, "value" | "cutFrom"> => {
  if (value === null || typeof value === "boolean" || typeof value === "number")
    return { value, cutFrom: null }
  const text = typeof value === "string" ? value : JSON.stringify(value)
  const bytes = utf8Bytes(JSON.stringify(value))
  if (bytes <= refusedValueBytesMax) return { value, cutFrom: null }
  return { value: beginning(text), cutFrom: bytes }
}

/** Returns the first characters of a text, in at most `refusedValueBytesMax` bytes of JSON. */
const beginning = (text: string): string => {
  let shown = ""
  let bytes = 2
  for (const character of text) {
    bytes += utf8Bytes(JSON.stringify(character)) - 2
    if (bytes > refusedValueBytesMax) break
    shown += character
  }
  return shown
}
