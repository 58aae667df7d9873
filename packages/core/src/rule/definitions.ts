import { Result } from "effect"
import type { Segment, SegmentRule } from "../state/Segment.ts"
import type { SubjectKey } from "../values/Identifier.ts"
import { decodeRule } from "./decodeRule.ts"
import { segmentsIn, type Rule } from "./Rule.ts"
import { placesOf, topics } from "./LeafIndex.ts"
import { compile, noRules, type DecodedRule, type Definition, type RuleIndex } from "./RuleIndex.ts"

/** Decodes a stored rule. Returns null if this version of Inlet cannot read it. */
const decodedIn = (stored: SegmentRule | undefined, known: Definition | undefined): DecodedRule | null => {
  if (stored === undefined) return null
  for (const one of [known?.current, known?.next]) {
    const isSame = one?.stored.source === stored.source || one?.stored.members === stored.members
    if (one != null && isSame) return { stored, rule: one.rule }
  }
  const decoded = decodeRule(stored.source)
  return Result.isFailure(decoded) ? null : { stored, rule: decoded.success }
}

/** Returns the definition of a segment, or null if its people are chosen by hand. */
const definitionOf = (segment: Segment, known?: Definition): Definition | null => {
  const current = decodedIn(segment.rule ?? undefined, known)
  const next = decodedIn(segment.next?.rule, known)
  return current === null && next === null ? null : { segment, current, next }
}

/** Returns the rules of all segments of a workspace. Decodes only those that are not among the `known` ones. */
export const compileSegments = (
  segments: Iterable<Segment>,
  { definitions }: Pick<RuleIndex, "definitions"> = noRules,
): RuleIndex =>
  compiled(
    Array.from(segments, (segment) => definitionOf(segment, definitions.get(segment.key))).filter(
      (one) => one !== null,
    ),
  )

/** Returns the rules with those of some segments added, replaced or, if they are gone, removed. */
export const withSegments = (
  { definitions }: Pick<RuleIndex, "definitions">,
  changed: ReadonlyMap<SubjectKey, Segment | null>,
): RuleIndex => {
  const all = new Map(definitions)
  for (const [key, segment] of changed) {
    const definition = segment === null ? null : definitionOf(segment, definitions.get(key))
    if (definition === null) all.delete(key)
    else all.set(key, definition)
  }
  return compiled([...all.values()])
}

const compiled = (definitions: ReadonlyArray<Definition>): RuleIndex =>
  definitions.length === 0 ? noRules : compile(definitions)

/** Returns the newest rule of each segment that has one. */
export const rulesOf = ({ definitions }: RuleIndex): ReadonlyMap<SubjectKey, Rule> =>
  new Map(
    Array.from(definitions.values()).flatMap(({ current, next, segment }) => {
      const newest = next ?? current
      return newest === null ? [] : [[segment.key, newest.rule] as const]
    }),
  )

/** Returns the segments whose rules in force are about related objects, or name such segments. */
export const aboutObjects = ({ definitions, leaves, segments }: RuleIndex): ReadonlySet<SubjectKey> => {
  const places = new Set(leaves.byTopic.get(topics.relationships)?.flatMap(placesOf))
  const found = new Set<SubjectKey>()
  segments.forEach(({ _tag, key }, place) => {
    const rule = definitions.get(key)?.current?.rule
    if (_tag === "Building" || rule === undefined) return
    if (places.has(place) || [...segmentsIn(rule)].some((named) => found.has(named))) found.add(key)
  })
  return found
}

/** Returns the keys of what is stored about the leaves of all rules. */
export const leafKeysOf = ({ definitions }: RuleIndex): ReadonlySet<SubjectKey> => {
  const keys = new Set<SubjectKey>()
  for (const { segment } of definitions.values()) {
    for (const stored of [segment.rule, segment.next?.rule])
      for (const key of stored?.leaves ?? []) keys.add(key)
  }
  return keys
}

/** Returns those of the segments of a person that are chosen by hand. */
export const chosenByHand = (
  { memberships }: RuleIndex,
  segments: ReadonlyArray<SubjectKey>,
): ReadonlyArray<SubjectKey> =>
  memberships.size === 0 ? segments : segments.filter((segment) => !memberships.has(segment))

/** Returns the segments of a person as their public keys, without the versions of rules that are not in force. */
export const segmentsOf = (
  { definitions, memberships }: RuleIndex,
  segments: ReadonlyArray<SubjectKey>,
): ReadonlyArray<SubjectKey> =>
  segments.flatMap((members) => {
    const key = memberships.get(members)
    if (key === undefined) return [members]
    return definitions.get(key)?.segment.rule?.members === members ? [key] : []
  })
