import type { Needs } from "../Needs.ts"
import type { Subject } from "../state/Subject.ts"
import {
  freedText,
  goneText,
  identifierText,
  operationIdText,
  type Reference,
  type SubjectKey,
} from "../values/Identifier.ts"
import type { WorkingSet } from "../WorkingSet.ts"
import { namesIn } from "./commands.ts"

/*
 * Who had an identifier before, which nobody has now: somebody whom a merge freed it of, or somebody who was deleted. Only
 * entries say it; nothing is decided by it.
 */

const ofPerson = /^(?:id|email):/

/** Returns the lookup texts that lead from ids and emails of a batch that no person has to whoever had them before. */
export const formerLookups = (
  needs: Pick<Needs, "identifiers" | "looksBack">,
  { identifiers, subjects }: Pick<WorkingSet, "identifiers" | "subjects">,
  digest: WorkingSet["digest"],
): ReadonlySet<string> => {
  const lookups = new Set<string>()
  if (!needs.looksBack) return lookups
  for (const text of needs.identifiers) {
    if (!ofPerson.test(text)) continue
    const key = identifiers.get(text)
    if (key !== undefined && subjects.get(key)?._tag === "Person") continue
    const digested = digest(text)
    lookups.add(freedText(digested))
    lookups.add(goneText(digested))
  }
  return lookups
}

/**
 * What became of somebody who had an identifier. The operation of a deletion is not named, because the row that knows it goes
 * with housekeeping, and what an entry says must not depend on that.
 */
type Former = { readonly became: "merged"; readonly operation: string } | { readonly became: "deleted" }

/** Returns what became of those who had an id or email, or null if nobody is known to have had it. */
const formerByText = (state: WorkingSet, text: string): Former | null => {
  if (!state.mayHaveFormer) return null
  const digested = state.digest(text)
  const merged = mergedFrom(state, subjectAt(state, freedText(digested)))
  if (merged !== null) return merged
  return state.identifiers.has(goneText(digested)) ? { became: "deleted" } : null
}

/** Returns what became of whoever a reference named before, if it names no person now. */
export const formerOf = (state: WorkingSet, reference: Reference): Former | null => {
  if (reference._tag === "BySvcId") return formerByKey(state, reference.key)
  for (const text of namesIn(reference)) {
    const former = formerByText(state, text)
    if (former !== null) return former
  }
  return null
}

/** Returns what became of whoever had an identifier. */
export const formerWith = (state: WorkingSet, kind: "id" | "email", value: string): Former | null =>
  formerByText(state, identifierText(kind, value))

const formerByKey = (state: WorkingSet, key: SubjectKey | null): Former | null =>
  mergedFrom(state, key === null ? undefined : state.subjects.get(key))

const mergedFrom = (state: WorkingSet, subject: Subject | undefined): Former | null =>
  subject?._tag === "Attached" && subject.merged && subject.merge !== undefined
    ? { became: "merged", operation: operationIdText(state.workspace, subject.merge, null) }
    : null

const subjectAt = ({ identifiers, subjects }: WorkingSet, text: string): Subject | undefined => {
  const key = identifiers.get(text)
  return key === undefined ? undefined : subjects.get(key)
}
