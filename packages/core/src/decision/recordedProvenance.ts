import type { ActivityEntry, ActivityKind } from "../log/ActivityEntry.ts"
import type { NewEntry } from "./recordEntry.ts"
import { describing, impersonal, type Provenance } from "../log/Provenance.ts"
import { tookEffect } from "../log/Outcome.ts"
import type { WorkingSet } from "../fold/WorkingSet.ts"
import type { Verdict } from "./Verdict.ts"

/**
 * Adds to an entry where its call came from, so that it is erased with the person whose call it was: with the entry, or with the
 * person's part of one about an object. If nobody's deletion would erase it, the entry has only what is impersonal. `hasItems` is
 * true if the command names people of an object, or objects of a person.
 */
export const addProvenance = (
  entry: NewEntry,
  told: Provenance | undefined,
  state: Pick<WorkingSet, "subjects">,
  verdict: Verdict,
  hasItems: boolean,
): void => {
  if (told === undefined) return
  const [first] = entry.parts
  if (first !== undefined) {
    entry.parts = [{ ...first, provenance: told }, ...entry.parts.slice(1)]
    return
  }
  const provenance = erasableWith(entry, verdict, state, hasItems) ? told : withoutPerson(entry, told)
  if (provenance !== undefined) entry.provenance = provenance
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
