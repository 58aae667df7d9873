import { Result } from "effect"
import type { Segment } from "../state/Segment.ts"
import type { SubjectKey } from "../values/Identifier.ts"
import { decodeRule } from "./decodeRule.ts"
import type { Rule } from "./Rule.ts"
import { compile, noRules, type Definition, type RuleIndex } from "./RuleIndex.ts"

/**
 * Returns the definition of a segment, or null if its people are chosen by hand, or if this version of Inlet cannot read
 * its rule.
 */
const definitionOf = ({ key, rule }: Segment): Definition | null => {
  if (rule === null) return null
  const decoded = decodeRule(rule.source)
  if (Result.isFailure(decoded)) return null
  return { segment: key, version: rule.version, rule: decoded.success, leaves: rule.leaves }
}

/** Returns the rules of all segments of a workspace. */
export const compileSegments = (segments: Iterable<Segment>): RuleIndex => {
  const definitions = Array.from(segments, definitionOf).filter((definition) => definition !== null)
  return definitions.length === 0 ? noRules : compile(definitions)
}

/** Returns the rules with that of a segment added or replaced. */
export const withDefinition = ({ definitions }: RuleIndex, segment: Segment): RuleIndex => {
  const definition = definitionOf(segment)
  return definition === null
    ? withoutDefinition({ definitions }, segment.key)
    : compile(new Map([...definitions, [segment.key, definition]]).values())
}

/** Returns the rules without that of a segment. */
export const withoutDefinition = (
  { definitions }: Pick<RuleIndex, "definitions">,
  segment: SubjectKey,
): RuleIndex => {
  const others = [...definitions.values()].filter((definition) => definition.segment !== segment)
  return others.length === 0 ? noRules : compile(others)
}

export const rulesOf = ({ definitions }: RuleIndex): ReadonlyMap<SubjectKey, Rule> =>
  new Map(Array.from(definitions, ([segment, { rule }]) => [segment, rule]))

/** Returns those of the segments whose people are chosen by hand. */
export const chosenByHand = (
  { definitions }: RuleIndex,
  segments: ReadonlyArray<SubjectKey>,
): ReadonlyArray<SubjectKey> =>
  definitions.size === 0 ? segments : segments.filter((segment) => !definitions.has(segment))
