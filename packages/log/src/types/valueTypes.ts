import type { Json } from "@inlethq/core/values/Json"
import { Schema } from "effect"

/** The types of values, with integers apart. */
export const valueTypes = ["null", "boolean", "integer", "number", "string", "array", "object"] as const
export type ValueType = (typeof valueTypes)[number]
export const isValueType = Schema.is(Schema.Literals(valueTypes))

/** What texts and numbers can be besides their type. */
export const valueFormats = ["date-time", "date", "unix-seconds", "email", "uri", "uuid"] as const
export type ValueFormat = (typeof valueFormats)[number]
export const isValueFormat = Schema.is(Schema.Literals(valueFormats))

export const typeOf = (value: Json): ValueType => {
  if (value === null) return "null"
  if (Array.isArray(value)) return "array"
  switch (typeof value) {
    case "boolean":
      return "boolean"
    case "number":
      return Number.isInteger(value) ? "integer" : "number"
    case "string":
      return "string"
    default:
      return "object"
  }
}

/** The seconds of the years 2001 to 2100. */
const unixSeconds = { min: 1_000_000_000, max: 4_102_444_800 }

/** The most characters of a text that is looked at for its format. */
const formatCharactersMax = 512

const textFormats: ReadonlyArray<readonly [ValueFormat, RegExp]> = [
  ["date-time", /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/],
  ["date", /^\d{4}-\d{2}-\d{2}$/],
  ["uuid", /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i],
  ["uri", /^[a-z][a-z0-9+.-]*:\/\/\S+$/i],
  ["email", /^[^\s@]+@[^\s@]+\.[^\s@]+$/],
]

/** Returns the format of a value, or null if it has none of `valueFormats`. */
export const formatOf = (value: Json): ValueFormat | null => {
  if (typeof value === "number") return isUnixSeconds(value) ? "unix-seconds" : null
  if (typeof value !== "string" || value.length === 0 || value.length > formatCharactersMax) return null
  if (/^\d{10}$/.test(value) && isUnixSeconds(Number(value))) return "unix-seconds"
  return textFormats.find(([, pattern]) => pattern.test(value))?.[0] ?? null
}

const isUnixSeconds = (value: number): boolean =>
  Number.isInteger(value) && value >= unixSeconds.min && value <= unixSeconds.max
