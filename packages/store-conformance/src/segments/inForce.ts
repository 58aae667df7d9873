import { segmentsOf } from "@inlethq/core/rule/definitions"
import type { Rule } from "@inlethq/core/rule/Rule"
import type { RuleIndex } from "@inlethq/core/rule/RuleIndex"
import type { SubjectKey } from "@inlethq/core/values/Identifier"
import type { World } from "./naiveMembers.ts"

/** Returns the rules in force of the segments that are not paused, and who is in the other segments. */
export const inForce = (index: RuleIndex): Pick<World, "rules" | "isMember"> => {
  const rules = new Map<SubjectKey, Rule>()
  for (const [key, { current, segment }] of index.definitions) {
    if (current !== null && !segment.paused) rules.set(key, current.rule)
  }
  return { rules, isMember: (person, segment) => segmentsOf(index, person.segments).includes(segment) }
}
