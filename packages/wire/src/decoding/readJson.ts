import type { Fault } from "@inlethq/core/log/Outcome"
import { Result } from "effect"
import { mayRound, parseNoting } from "./sentText.ts"
import { requestTexts } from "../texts/wireTexts.ts"

/** The fault of a body that is not valid JSON (contract §4). */
const malformed: Fault = requestTexts.malformed("")

const surrogateEscape = /\\u[dD][89a-fA-F]/

/** Matches one Unicode escape in a JSON string: a surrogate pair, a lone surrogate, or any other character. */
const escape =
  /\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u([dD][89a-fA-F][0-9a-fA-F]{2})|[^])/g

/**
 * Parses a request body. A lone surrogate is replaced by U+FFFD, because JSON can escape it but UTF-8 cannot encode it.
 * Without the replacement, the text could change when a store writes and reads it. What is replaced, and which integers lose
 * digits, is noted (`changedIn`).
 */
export const readJson = (text: string): Result.Result<unknown, Fault> => {
  const whole = surrogateEscape.test(text) ? replaceLoneSurrogates(text) : text
  try {
    return Result.succeed(whole !== text || mayRound(text) ? parseNoting(text) : JSON.parse(text))
  } catch (error) {
    return error instanceof RangeError ? readDeep(whole) : Result.fail(malformed)
  }
}

/** Parses JSON that is nested too deep to note what parsing changes. Decoders leave out or refuse what is that deep. */
const readDeep = (text: string): Result.Result<unknown, Fault> => {
  try {
    return Result.succeed(JSON.parse(text))
  } catch {
    return Result.fail(malformed)
  }
}

const replaceLoneSurrogates = (text: string): string =>
  text.replace(escape, (found, lone: string | undefined) => (lone === undefined ? found : "\\ufffd"))
