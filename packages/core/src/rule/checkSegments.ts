import type { SubjectKey } from "../values/Identifier.ts"
import { isLeaf, segmentsIn, type Rule } from "./Rule.ts"
import type { RuleFault } from "./RuleFault.ts"
import { segmentDepthMax } from "./ruleBounds.ts"
import { ruleTexts } from "./ruleTexts.ts"

/** The segments of a workspace, as far as rules can name them. */
export interface KnownSegments {
  /** The rules of the segments that have one. */
  readonly rules: ReadonlyMap<SubjectKey, Rule>
  readonly exists: (segment: SubjectKey) => boolean
}

/** Checks the segments that a rule names. `own` is the segment that is to get the rule, or null if it is new. */
export const checkSegments = (
  rule: Rule,
  own: SubjectKey | null,
  { exists, rules }: KnownSegments,
): RuleFault | undefined => {
  const graph = new RuleGraph(rules)
  const above = own === null ? 0 : graph.chainAbove(own)
  for (const [path, segment] of placesOf(rule, "")) {
    if (!exists(segment)) return { path, message: ruleTexts.unknownSegment(segment) }
    const way = own === null ? undefined : graph.wayTo(own, segment)
    if (way !== undefined && own !== null) return { path, message: ruleTexts.cycle([own, ...way]) }
    if (above + 1 + graph.chainFrom(segment) > segmentDepthMax) {
      return { path, message: ruleTexts.chainTooLong(segmentDepthMax) }
    }
  }
  return undefined
}

/** Returns the segments that a rule names, each with its path in the rule. */
const placesOf = (rule: Rule, path: string): ReadonlyArray<readonly [path: string, segment: SubjectKey]> => {
  if (isLeaf(rule)) return rule._tag === "InSegment" ? [[`${path}/segment/id`, rule.segment]] : []
  switch (rule._tag) {
    case "And":
    case "Or": {
      const key = rule._tag.toLowerCase()
      return rule.rules.flatMap((inner, i) => placesOf(inner, `${path}/${key}/${i}`))
    }
    case "Not":
      return placesOf(rule.rule, `${path}/not`)
    case "OldEnough":
      return placesOf(rule.rule, path)
  }
}

/** Which segments name which, by their rules. Its rules contain no cycle. */
class RuleGraph {
  private readonly rules: ReadonlyMap<SubjectKey, Rule>
  private readonly lengths = new Map<SubjectKey, number>()

  constructor(rules: ReadonlyMap<SubjectKey, Rule>) {
    this.rules = rules
  }

  /** Returns the segments on the way from one segment to another, both included, or undefined if there is no way. */
  wayTo(
    to: SubjectKey,
    from: SubjectKey,
    tried = new Set<SubjectKey>(),
  ): ReadonlyArray<SubjectKey> | undefined {
    if (from === to) return [to]
    if (tried.has(from)) return undefined
    tried.add(from)
    for (const next of this.namedBy(from)) {
      const rest = this.wayTo(to, next, tried)
      if (rest !== undefined) return [from, ...rest]
    }
    return undefined
  }

  /** Returns the number of rules in the longest chain that begins with a segment. */
  chainFrom(segment: SubjectKey): number {
    const known = this.lengths.get(segment)
    if (known !== undefined) return known
    const length = this.rules.has(segment)
      ? 1 + Math.max(0, ...Array.from(this.namedBy(segment), (next) => this.chainFrom(next)))
      : 0
    this.lengths.set(segment, length)
    return length
  }

  /** Returns the number of rules in the longest chain that ends right before a segment. */
  chainAbove(segment: SubjectKey): number {
    let longest = 0
    for (const [user, rule] of this.rules) {
      if (segmentsIn(rule).has(segment)) longest = Math.max(longest, 1 + this.chainAbove(user))
    }
    return longest
  }

  private namedBy(segment: SubjectKey): ReadonlySet<SubjectKey> {
    const rule = this.rules.get(segment)
    return rule === undefined ? new Set() : segmentsIn(rule)
  }
}
