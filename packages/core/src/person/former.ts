import { dropTexts } from "../log/operationTexts.ts"
import type { Reason } from "../log/Reason.ts"
import type { Needs } from "../fold/Needs.ts"
import type { Subject } from "../state/Subject.ts"
import {
  freedText,
  goneText,
  identifierText,
  keyText,
  operationIdText,
  replacedText,
  Sequence,
  type Reference,
  type SubjectKey,
} from "../values/Identifier.ts"
import type { WorkingSet } from "../fold/WorkingSet.ts"
import { namesIn } from "./commands.ts"

/*
 * Who had an identifier before, which nobody has now: somebody whom a merge freed it of, somebody who was deleted, or somebody who
 * got another in its place. Only entries say it; nothing is decided by it.
 */

const ofPerson = /^(?:id|email):/

/**
 * Returns the lookup texts that lead from ids and emails of a batch that no person has to whoever had them before, and from each
 * `svc_id` of nobody to the deletion of that person.
 */
export const formerLookups = (
  needs: Pick<Needs, "identifiers" | "looksBack" | "subjects">,
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
    lookups.add(replacedText(digested))
  }
  for (const key of needs.subjects) {
    if (isGone(subjects.get(key))) lookups.add(goneText(digest(keyText(key))))
  }
  return lookups
}

/** What became of somebody who had an identifier, and the operation by which they lost it. */
interface Former {
  readonly became: "merged" | "deleted" | "renamed"
  readonly operation: string
}

/** Returns what became of whoever had an id or email last, or null if nobody is known to have had it. */
const formerByText = (state: WorkingSet, text: string): Former | null => {
  if (!state.mayHaveFormer) return null
  const digested = state.digest(text)
  const merged = subjectAt(state, freedText(digested))
  const found = [
    { became: "merged", position: mergeOf(merged) },
    { became: "deleted", position: state.identifiers.get(goneText(digested)) },
    { became: "renamed", position: state.identifiers.get(replacedText(digested)) },
  ] as const
  let last: Former | null = null
  let at = 0
  for (const { became, position } of found) {
    if (position === undefined || position <= at) continue
    at = position
    last = formerAt(state, became, position)
  }
  return last
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

/** Says what became of the person with a `svc_id` that nobody has. */
export const unknownSvcId = (state: WorkingSet, target: Reference): Reason => {
  const former = formerOf(state, target)
  return former === null ? dropTexts.unknownSvcId() : dropTexts.svcIdGone({ ...former })
}

const formerByKey = (state: WorkingSet, key: SubjectKey | null): Former | null => {
  if (key === null) return null
  const subject = state.subjects.get(key)
  const merge = mergeOf(subject)
  if (merge !== undefined) return formerAt(state, "merged", merge)
  const deletion =
    state.mayHaveFormer && isGone(subject)
      ? state.identifiers.get(goneText(state.digest(keyText(key))))
      : undefined
  return deletion === undefined ? null : formerAt(state, "deleted", deletion)
}

const formerAt = ({ workspace }: WorkingSet, became: Former["became"], position: number): Former => ({
  became,
  operation: operationIdText(workspace, Sequence.make(position), null),
})

/** Returns whether somebody was deleted. Housekeeping removes what is stored about them, so nothing of them may be left. */
const isGone = (subject: Subject | undefined): boolean => subject === undefined || subject._tag === "Erased"

/** Returns the log position of the merge of somebody, or undefined if they are not merged. */
const mergeOf = (subject: Subject | undefined): Sequence | undefined =>
  subject?._tag === "Attached" && subject.merged ? subject.merge : undefined

const subjectAt = ({ identifiers, subjects }: WorkingSet, text: string): Subject | undefined => {
  const key = identifiers.get(text)
  return key === undefined ? undefined : subjects.get(key)
}
