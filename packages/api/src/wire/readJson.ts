import type { Fault } from "@inlet/core/log/Outcome"
import { Result } from "effect"
import { requestFaults } from "./faults.ts"

/** A body that is no JSON (contract §4). */
export const malformed: Fault = requestFaults.malformed("")

const surrogateEscape = /\\u[dD][89a-fA-F]/

/** One escape of a JSON string: a pair of surrogates, a surrogate on its own, or any other. */
const escape =
  /\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u([dD][89a-fA-F][0-9a-fA-F]{2})|[^])/g

/**
 * Parses a request body. Half of a surrogate pair, which JSON can spell and UTF-8 cannot, becomes U+FFFD: an identifier
 * is then the same text here and in every store.
 */
export const readJson = (text: string): Result.Result<unknown, Fault> => {
  try {
    const value: unknown = JSON.parse(surrogateEscape.test(text) ? replaceLoneSurrogates(text) : text)
    return Result.succeed(value)
  } catch {
    return Result.fail(malformed)
  }
}

const replaceLoneSurrogates = (text: string): string =>
  text.replace(escape, (found, lone: string | undefined) => (lone === undefined ? found : "\\ufffd"))
