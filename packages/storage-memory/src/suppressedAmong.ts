import type { SubjectKey } from "@inlethq/core/values/Identifier"
import type { Island } from "./MemoryImage.ts"

/** Returns the suppression groups of the given lookup texts. Those without a group are missing in the result. */
export const suppressedAmong = (
  { everything, suppressedDigests }: Island,
  texts: Iterable<string>,
): Map<string, SubjectKey> => {
  const found = new Map<string, SubjectKey>()
  for (const text of texts) {
    const group =
      everything.suppressed.get(text) ??
      (suppressedDigests.size === 0 ? undefined : suppressedDigests.get(everything.digest(text)))
    if (group !== undefined) found.set(text, group)
  }
  return found
}
