import { isJsonObject, utf8Bytes, type Json } from "@inlet/core/Json"

/** How deep arrays and objects may stand in each other. */
export const jsonDepthMax = 100

/** A character of a string takes at most this many bytes of JSON (`\u001f`). */
const characterBytesMax = 6

/** The longest number is `-1.2345678901234567e-308`. */
const numberBytesMax = 25

/** `unfit` is what is nested too deep, or holds a number that JSON cannot write (`1e999`). */
export type Measure = "fits" | "too_large" | "unfit"

/** Whether a value fits into `bytesMax` bytes of JSON. Most are decided by a bound, without writing the JSON. */
export const measure = (value: Json, bytesMax: number): Measure => {
  const bound = bytesBound(value, jsonDepthMax)
  if (bound <= bytesMax) return "fits"
  if (bound === Infinity) return "unfit"
  return utf8Bytes(JSON.stringify(value)) <= bytesMax ? "fits" : "too_large"
}

/** No less than the bytes of a value as JSON; Infinity where it is nested deeper than `depth`, or no number can be written. */
const bytesBound = (value: Json, depth: number): number => {
  if (typeof value === "string") return value.length * characterBytesMax + 2
  if (typeof value === "number") return Number.isFinite(value) ? numberBytesMax : Infinity
  if (typeof value !== "object" || value === null) return numberBytesMax
  if (depth === 0) return Infinity
  let bound = 2
  if (isJsonObject(value)) {
    for (const key in value) {
      bound += key.length * characterBytesMax + 4 + bytesBound(value[key] ?? null, depth - 1)
    }
  } else {
    for (const item of value) bound += bytesBound(item, depth - 1) + 1
  }
  return bound
}
