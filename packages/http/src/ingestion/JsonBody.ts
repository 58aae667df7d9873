import { malformed, readJson } from "@inlet/api/wire/readJson"
import type { Fault } from "@inlet/core/log/Outcome"
import { Result } from "effect"

const decoder = new TextDecoder("utf-8", { fatal: true })

/**
 * Parses a body as JSON, regardless of its content type (contract §3). JSON of any nesting depth is accepted here,
 * because decoders limit the depth before recursive code sees the value.
 */
export const parseJson = (bytes: Uint8Array): Result.Result<unknown, Fault> => {
  try {
    return readJson(decoder.decode(bytes))
  } catch {
    return Result.fail(malformed) // the body is not valid UTF-8
  }
}
