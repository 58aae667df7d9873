import { isJsonObject, utf8Bytes, type Json } from "@inlethq/core/values/Json"

/** The largest number of levels of nested arrays and objects in a value (contract §13 *nesting*). */
export const jsonDepthMax = 100

/** The largest number of bytes of JSON that one character of a string can need (`\u001f`). */
const characterBytesMax = 6

/** The length of the longest number in JSON, `-1.2345678901234567e-308`. */
const numberBytesMax = 25

/**
 * The result of a size check. `unfit` means that the value is nested too deep, or holds a number that JSON cannot
 * represent (`1e999`).
 */
export type Measure = "fits" | "too_large" | "unfit"

/**
 * Checks if a value needs at most `bytesMax` bytes as JSON. An upper bound decides most checks without serialising the
 * value.
 */
export const measure = (value: Json, bytesMax: number, depthMax = jsonDepthMax): Measure => {
  const bound = bytesBound(value, depthMax)
  if (bound <= bytesMax) return "fits"
  if (bound === Infinity) return "unfit"
  return utf8Bytes(JSON.stringify(value)) <= bytesMax ? "fits" : "too_large"
}

/**
 * Returns an upper bound for the bytes of a value as JSON. Returns Infinity if the value is nested deeper than `depth`
 * or holds a number that JSON cannot represent.
 */
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

/**
 * Returns true if the value needs more than `bytesMax` bytes as JSON. The value may be nested to any depth. A number
 * out of range counts as `null`.
 */
export const jsonBytesExceed = (value: Json, bytesMax: number): boolean => {
  const waiting: Array<Json> = [value]
  let bytes = 0
  for (let next = waiting.pop(); next !== undefined && bytes <= bytesMax; next = waiting.pop()) {
    if (typeof next !== "object" || next === null) bytes += utf8Bytes(JSON.stringify(next))
    else if (isJsonObject(next)) {
      const keys = Object.keys(next)
      bytes += 2 + Math.max(0, keys.length - 1)
      for (const key of keys) {
        bytes += utf8Bytes(JSON.stringify(key)) + 1
        waiting.push(next[key] ?? null)
      }
    } else {
      bytes += 2 + Math.max(0, next.length - 1)
      for (const item of next) waiting.push(item)
    }
  }
  return bytes > bytesMax
}
