import { exceedsBytes, type Json } from "@inlethq/core/values/Json"
import type { Findings } from "./Findings.ts"
import { notText, readText } from "./identifiers.ts"
import { valueTexts } from "../texts/wireTexts.ts"

/** A value in a request, and its path. */
export interface FieldValue {
  readonly field: string
  readonly value: Json | undefined
}

/** Returns true if a value is missing. The values null and "" count as missing. */
export const isAbsent = (value: Json | undefined): value is undefined | null | "" =>
  value === undefined || value === null || value === ""

/** Returns true for `[]`, which is how PHP writes an object without fields (contract §4). */
export const isEmptyArray = (value: unknown): value is readonly [] =>
  Array.isArray(value) && value.length === 0

/** Reads an optional text. Numbers become text. Returns null if the value is missing or invalid. */
export const optionalText = (
  { field, value }: FieldValue,
  bytesMax: number,
  { violations }: Findings,
): string | null => {
  const text = readText(value)
  if (text === undefined) {
    violations.push(notText(field, value))
    return null
  }
  if (text === null || !exceedsBytes(text, bytesMax)) return text
  violations.push(valueTexts.textTooLong(field, { bytes: bytesMax }))
  return null
}

/** Reads a required text. Numbers become text. Returns null if the value is missing or invalid. */
export const requiredText = (given: FieldValue, bytesMax: number, findings: Findings): string | null => {
  if (isAbsent(given.value)) findings.violations.push(required(given.field))
  return optionalText(given, bytesMax, findings)
}

export const required = (field: string) => valueTexts.missing(field)
