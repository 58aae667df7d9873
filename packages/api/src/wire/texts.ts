import { exceedsBytes, type Json } from "@inlet/core/values/Json"
import type { Findings } from "./Findings.ts"
import { notText, readText } from "./identifiers.ts"
import { valueFaults } from "./faults.ts"

/** A value, and the path at which a request holds it. */
export interface Given {
  readonly field: string
  readonly value: Json | undefined
}

/** Whether a request leaves a value out: null and "" say as much. */
export const isAbsent = (value: Json | undefined): value is undefined | null | "" =>
  value === undefined || value === null || value === ""

/** Reads a text that may be left out; numbers become text. Null where it is absent or cannot be taken. */
export const optionalText = (
  { field, value }: Given,
  bytesMax: number,
  { violations }: Findings,
): string | null => {
  const text = readText(value)
  if (text === undefined) {
    violations.push(notText(field, value))
    return null
  }
  if (text === null || !exceedsBytes(text, bytesMax)) return text
  violations.push(valueFaults.textTooLong(field, { bytes: bytesMax }))
  return null
}

/** Reads a text that has to be there. */
export const requiredText = (given: Given, bytesMax: number, findings: Findings): string | null => {
  if (isAbsent(given.value)) findings.violations.push(required(given.field))
  return optionalText(given, bytesMax, findings)
}

export const required = (field: string) => valueFaults.missing(field)
