import type { ActivityEntry, ActivityKind, EntryPart } from "../log/ActivityEntry.ts"
import { describing, impersonal, type Provenance } from "../log/Provenance.ts"
import { tookEffect } from "../log/Outcome.ts"
import type { WorkingSet } from "../fold/WorkingSet.ts"
import type { Verdict } from "./Verdict.ts"

/**
 * Adds to an entry where its call came from, so that it is erased with the person whose call it was: with the entry, or with the
 * person's part of one about an object. If nobody's deletion would erase it, the entry has only what is impersonal. `hasItems` is
 * true if the command names people of an object, or objects of a person.
 */
export const withProvenance = (
  entry: ActivityEntry,
  told: Provenance | undefined,
  state: Pick<WorkingSet, "subjects">,
  verdict: Verdict,
  hasItems: boolean,
): ActivityEntry => {
  if (told === undefined) return entry
  const [first, ...others] = entry.parts
  if (first !== undefined) {
    const part: EntryPart = { ...first, provenance: told }
    return { ...entry, parts: [part, ...others] }
  }
  const provenance = erasableWith(entry, verdict, state, hasItems) ? told : withoutPerson(entry, told)
  return provenance === undefined ? entry : { ...entry, provenance }
}

/** Returns whether deleting the person of a call erases its entry. */
const erasableWith = (
  { kind, outcome, subject }: ActivityEntry,
  { parts }: Verdict,
  { subjects }: Pick<WorkingSet, "subjects">,
  hasItems: boolean,
): boolean => {
  if (notErased.has(kind)) return false
  if (subject === null) return outcome === "pending"
  if (kind === "delivery_metric") return subjects.get(subject)?._tag === "Person"
  return parts === undefined || !hasItems
}

/** Entries about somebody of whom nothing may be left, and about objects and segments, which stay when people are deleted. */
const notErased: ReadonlySet<ActivityKind | null> = new Set([
  "delete",
  "suppress",
  "unsuppress",
  "object_delete",
  "segment_add",
  "segment_remove",
  "segment_change",
])

/** The report of a message to somebody who is not known comes from their device. */
const withoutPerson = ({ kind, outcome }: ActivityEntry, told: Provenance): Provenance | undefined =>
  kind === "delivery_metric" && tookEffect(outcome) ? describing(told) : impersonal(told)
