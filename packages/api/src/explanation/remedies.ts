import type { DocumentedText } from "@inlet/core/log/ErrorText"
import { decisionTexts, dropTexts, ignoreTexts } from "@inlet/core/log/operationTexts"
import { fitsPattern, wildcardPattern, type WildcardPattern } from "@inlet/core/log/WildcardPattern"
import { rowTexts } from "../csv/csvTexts.ts"
import { pipelinesTexts } from "../pipelines/pipelinesTexts.ts"
import {
  attributeTexts,
  eventTexts,
  identifierTexts,
  requestTexts,
  resourceTexts,
  valueTexts,
} from "../wire/wireTexts.ts"

/**
 * The texts that can occur in the reasons of activity entries. If two texts have the same message, the advice of the
 * first text is used.
 */
export const reasonTexts: ReadonlyArray<DocumentedText> = [
  dropTexts,
  ignoreTexts,
  requestTexts,
  valueTexts,
  identifierTexts,
  attributeTexts,
  eventTexts,
  resourceTexts,
  pipelinesTexts,
  rowTexts,
  decisionTexts,
].flatMap((catalogue): ReadonlyArray<DocumentedText> => Object.values(catalogue))

/** The separator between the messages of a reason. A message can contain the separator too. */
const separator = "; "

/** An error text that can occur in the reason of a log entry, with a pattern that matches its message. */
interface Candidate {
  readonly remedy: string
  /** The number of parts that the message has when it is split at `separator`. */
  readonly parts: number
  /**
   * The first pattern matches the message alone. The second pattern matches the path of a field followed by the
   * message.
   */
  readonly patterns: ReadonlyArray<WildcardPattern>
  /** The number of characters in the message, without placeholders. */
  readonly literalLength: number
}

const stalePattern = wildcardPattern(["stale: ", ""])

/**
 * Returns a function that returns the advice for the reason of a log entry. The advice is in the order of the messages
 * in the reason, without duplicates. Unknown messages have no advice.
 */
export const remedyFinder = (
  texts: ReadonlyArray<DocumentedText>,
): ((reason: string) => ReadonlyArray<string>) => {
  const candidates = texts
    .map(candidateOf)
    .toSorted((a, b) => b.parts - a.parts || b.literalLength - a.literalLength)
  return (reason) => {
    const parts = reason.split(separator)
    const found = new Set<string>()
    for (let at = 0; at < parts.length;) {
      const fitting = candidates.find((candidate) => fits(candidate, parts, at))
      if (fitting !== undefined) found.add(fitting.remedy)
      else if (fitsPattern(stalePattern, parts[at] ?? "")) found.add(decisionTexts.stale.remedy)
      at += fitting?.parts ?? 1
    }
    return [...found]
  }
}

const candidateOf = ({ remedy, template }: DocumentedText): Candidate => {
  const pieces = template.split(/\{\w+\}/)
  return {
    remedy,
    parts: template.split(separator).length,
    patterns: [wildcardPattern(pieces), wildcardPattern(["", `: ${pieces[0] ?? ""}`, ...pieces.slice(1)])],
    literalLength: pieces.join("").length,
  }
}

const fits = ({ parts: count, patterns }: Candidate, parts: ReadonlyArray<string>, at: number): boolean => {
  const message = parts.slice(at, at + count).join(separator)
  return patterns.some((pattern) => fitsPattern(pattern, message))
}
