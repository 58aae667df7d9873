import { readJson } from "@inlet/api/wire/readJson"
import { fault } from "@inlet/api/wire/reject"
import type { Fault } from "@inlet/core/Outcome"
import { Result } from "effect"

/** Objects and arrays that may be nested in one another; deeper JSON is refused before anything walks through it. */
const jsonDepthMax = 500

const decoder = new TextDecoder("utf-8")

/** Parses a body as JSON whatever its content type says (contract §3). */
export const parseJson = (bytes: Uint8Array): Result.Result<unknown, Fault> => {
  return isTooDeep(bytes) ? Result.fail(tooDeep) : readJson(decoder.decode(bytes))
}

const tooDeep = fault("malformed", "", `JSON cannot be nested deeper than ${jsonDepthMax} levels`)

const quote = 0x22
const backslash = 0x5c

/** Follows brackets outside of strings. Bytes of UTF-8 sequences never equal an ASCII one. */
const isTooDeep = (bytes: Uint8Array): boolean => {
  if (bytes.length <= 2 * jsonDepthMax) return false // each level takes two bytes
  let depth = 0
  let inString = false
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if (inString) {
      if (byte === backslash) i++
      else if (byte === quote) inString = false
    } else if (byte === quote) inString = true
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > jsonDepthMax) return true
    } else if (byte === 0x7d || byte === 0x5d) depth--
  }
  return false
}
