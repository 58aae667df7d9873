import type { ActivityDocument } from "@inlethq/contract/activity/ActivityLog"
import { fillText } from "@inlethq/sdk/texts/fillText"
import { emulatorTexts } from "./emulatorTexts.ts"
import { mismatches, type Pattern } from "./mismatch.ts"

/** Thrown if the server does not hold what a test expects. The message lists the differences and the newest calls. */
export class ExpectationFailed extends Error {
  override readonly name = "ExpectationFailed"
}

/** Thrown if the emulator is reset or restored while a test waits for data. */
export class EmulatorRestarted extends Error {
  override readonly name = "EmulatorRestarted"
  override readonly message = emulatorTexts.restarted
}

/** The document that is closest to a pattern, with its differences. */
interface Closest {
  readonly document: unknown
  readonly differences: ReadonlyArray<string>
}

/** Returns the first document that fits a pattern, or undefined. */
export const firstMatch = <A>(documents: ReadonlyArray<A>, expected: Pattern): A | undefined =>
  documents.find((document) => mismatches(expected, document).length === 0)

const closestOf = (documents: ReadonlyArray<unknown>, expected: Pattern): Closest | undefined =>
  documents
    .map((document) => ({ document, differences: mismatches(expected, document) }))
    .toSorted((a, b) => a.differences.length - b.differences.length)[0]

/** The largest number of calls that the message of a failed expectation lists. */
const callsShownMax = 5

/** Returns the error message of an expectation if no document fits its pattern. */
export const failureText = (
  what: string,
  documents: ReadonlyArray<unknown>,
  expected: Pattern,
  newest: ReadonlyArray<ActivityDocument>,
): string => {
  const closest = closestOf(documents, expected)
  const found =
    closest === undefined
      ? [`The server has no ${what}.`]
      : [`The closest of ${documents.length} differs:`, ...closest.differences.map((line) => `  ${line}`)]
  return [fillText(emulatorTexts.expected, { what }), ...found, ...callLines(newest)].join("\n")
}

/** Returns the message for a document that must not exist. */
export const unexpectedText = (what: string, newest: ReadonlyArray<ActivityDocument>): string =>
  [fillText(emulatorTexts.unexpected, { what }), ...callLines(newest)].join("\n")

const callLines = (newest: ReadonlyArray<ActivityDocument>): ReadonlyArray<string> => {
  if (newest.length === 0) return ["The server has received no calls."]
  return ["The newest calls:", ...newest.slice(-callsShownMax).map((entry) => `  ${callLine(entry)}`)]
}

const callLine = ({ kind, name, operation_id, outcome, reason, subject }: ActivityDocument): string => {
  const person = subject.id ?? subject.email ?? subject.anonymous_id ?? subject.svc_id
  const words = [operation_id, kind ?? "call", name, person, outcome].filter((word) => word !== null)
  return reason === null ? words.join(" ") : `${words.join(" ")}: ${reason}`
}
