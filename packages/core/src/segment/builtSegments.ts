import type { RuleIndex } from "../rule/RuleIndex.ts"
import type { Segment } from "../state/Segment.ts"
import type { SubjectKey } from "../values/Identifier.ts"

/** Returns the segments of a build as they are once its rules take effect. */
export const builtSegments = (
  { definitions }: RuleIndex,
  build: SubjectKey,
): ReadonlyMap<SubjectKey, Segment> => {
  const built = new Map<SubjectKey, Segment>()
  for (const { segment } of definitions.values()) {
    const { key, next, paused } = segment
    if (next?.build !== build) continue
    built.set(key, { ...segment, rule: next.rule, next: null, paused: paused && !next.resumes })
  }
  return built
}
