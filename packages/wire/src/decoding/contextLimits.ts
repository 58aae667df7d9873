import { isJsonObject, setKey, utf8Bytes, type Json, type JsonObject } from "@inlethq/core/values/Json"

/** The largest number of bytes of JSON that the stored context of a call may have. */
export const contextBytesMax = 8 * 1024

/** The largest number of levels of keys in a stored context. Level 1 is the context's own keys. */
const contextDepthMax = 6

/** The largest number of characters of a text in a stored context. */
export const contextTextMax = 2048

/** The largest number of paths that an entry names of what was left out of a context. */
const omittedPathsMax = 50

/** The largest number of characters of such a path. Longer ones are cut. */
const pathCharactersMax = 200

/**
 * Returns a context without the values that exceed the limits: those nested too deep, texts that are too long, numbers that JSON
 * cannot represent, and then the largest keys until the rest fits. Adds their paths, behind `root`, to `omitted`.
 */
export const withinContextLimits = (
  context: JsonObject,
  root: string,
  omitted: Array<string>,
): JsonObject => {
  if (bytesBound(context, contextDepthMax) <= contextBytesMax) return context
  const paths: Array<string> = []
  const kept = withoutLargest(fittingKeys(context, root, contextDepthMax, paths), root, paths)
  omitted.push(...paths.slice(0, omittedPathsMax))
  return kept
}

/** The largest number of bytes of JSON that one character of a string can need (`\u001f`). */
const characterBytesMax = 6

/** The length of the longest number in JSON, `-1.2345678901234567e-308`. */
const numberBytesMax = 25

/** Returns an upper bound for the bytes of a value as JSON, or Infinity if something in it must be left out. */
const bytesBound = (value: Json, depth: number): number => {
  if (typeof value === "string")
    return value.length > contextTextMax ? Infinity : value.length * characterBytesMax + 2
  if (typeof value === "number") return Number.isFinite(value) ? numberBytesMax : Infinity
  if (typeof value !== "object" || value === null) return numberBytesMax
  let bound = 2
  if (isJsonObject(value)) {
    for (const key in value) {
      if (depth === 0) return Infinity
      bound += key.length * characterBytesMax + 4 + bytesBound(value[key] ?? null, depth - 1)
    }
  } else {
    for (const item of value) {
      if (depth === 0) return Infinity
      bound += bytesBound(item, depth - 1) + 1
    }
  }
  return bound
}

const fittingKeys = (object: JsonObject, path: string, depth: number, omitted: Array<string>): JsonObject => {
  const kept: { [key: string]: Json } = {}
  for (const [key, value] of Object.entries(object)) {
    const place = pathTo(path, key)
    const fitting = isJsonObject(value) && depth > 1 ? fittingKeys(value, place, depth - 1, omitted) : value
    // A list has no names for its elements, so it is kept as a whole or not at all.
    if (bytesBound(fitting, depth - 1) === Infinity) omitted.push(place)
    else setKey(kept, key, fitting)
  }
  return kept
}

const withoutLargest = (context: JsonObject, root: string, omitted: Array<string>): JsonObject => {
  let bytes = utf8Bytes(JSON.stringify(context))
  if (bytes <= contextBytesMax) return context
  const sizes = Object.entries(context).map(([key, value]) => ({
    key,
    bytes: utf8Bytes(JSON.stringify(key)) + utf8Bytes(JSON.stringify(value)) + 2,
  }))
  const left = new Set<string>()
  for (const one of sizes.toSorted((a, b) => b.bytes - a.bytes)) {
    if (bytes <= contextBytesMax) break
    left.add(one.key)
    omitted.push(pathTo(root, one.key))
    bytes -= one.bytes
  }
  return Object.fromEntries(Object.entries(context).filter(([key]) => !left.has(key)))
}

/** Returns the path of a key. A dot in a key is escaped, as in the setting `omit`. */
const pathTo = (path: string, key: string): string =>
  `${path === "" ? "" : `${path}.`}${key.replaceAll(".", "\\.")}`.slice(0, pathCharactersMax)
