import type { RuleIndex } from "../rule/RuleIndex.ts"
import type { Segment, SilentBuild } from "../state/Segment.ts"
import type { SubjectKey } from "../values/Identifier.ts"

/** Returns the segments of a build as they are once its rules take effect, at a time and with the entry at a position. */
export const builtSegments = (
  { definitions }: RuleIndex,
  build: SubjectKey,
  { at, position }: Pick<SilentBuild, "at" | "position">,
): ReadonlyMap<SubjectKey, Segment> => {
  const built = new Map<SubjectKey, Segment>()
  for (const { segment } of definitions.values()) {
    const { key, next, paused } = segment
    if (next?.build !== build) continue
    const silentBuild = next.announce
      ? segment.silentBuild
      : { at, position, after: segment.silentBuild?.position ?? 0 }
    const isPaused = paused && !next.resumes
    built.set(key, { ...segment, rule: next.rule, next: null, paused: isPaused, silentBuild })
  }
  return built
}
