import { malformed, readJson } from "@inlet/api/wire/readJson"
import type { Fault } from "@inlet/core/log/Outcome"
import { Result } from "effect"

const decoder = new TextDecoder("utf-8", { fatal: true })

/**
 * Parses a body as JSON, regardless of its content type (contract §3). Accepts any nesting depth: the codecs check the depth
 * before other code recurses into the value.
 */
export const parseJson = (bytes: Uint8Array): Result.Result<unknown, Fault> => {
  try {
    return readJson(decoder.decode(bytes))
  } catch {
    return Result.fail(malformed) // not valid UTF-8
  }
}
