import { malformed, readJson } from "@inlet/api/wire/readJson"
import type { Fault } from "@inlet/core/log/Outcome"
import { Result } from "effect"

const decoder = new TextDecoder("utf-8", { fatal: true })

/**
 * Parses a body as JSON whatever its content type says (contract §3). The parser takes any depth; how deep a value may be
 * nested is for the codecs to measure, before anything else walks through it.
 */
export const parseJson = (bytes: Uint8Array): Result.Result<unknown, Fault> => {
  try {
    return readJson(decoder.decode(bytes))
  } catch {
    return Result.fail(malformed) // bytes that are no UTF-8
  }
}
