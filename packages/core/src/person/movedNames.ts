import type { ChangeOf } from "../fold/Change.ts"
import { isMergedPerson, type Attachment, type Person } from "../state/Person.ts"
import {
  identifierText,
  type IdentifierKind,
  type Reference,
  type Sequence,
  type SubjectKey,
} from "../values/Identifier.ts"
import type { WorkingSet } from "../fold/WorkingSet.ts"

/** The number of hexadecimal digits of a digest of an identifier. They only have to tell those of one person apart. */
const nameDigits = 16

/** Returns the digest by which a merge remembers an identifier that it moved. */
export const nameDigest = (
  { digest }: Pick<WorkingSet, "digest">,
  kind: IdentifierKind,
  value: string,
): string => digest(`moved:${identifierText(kind, value)}`).slice(0, nameDigits)

/** The key under which an event is recorded that names a person by an identifier that a merge moved. */
interface MovedName {
  readonly key: SubjectKey
  /** The change that gives the key to the person, or null if they have it. */
  readonly change: ChangeOf<"MovedNameUsed"> | null
}

/**
 * Returns the key for an event if it names a person by an identifier that a merge moved to them, otherwise null. Costs
 * next to nothing for a person who was never merged.
 */
export const movedName = (
  state: WorkingSet,
  person: Person,
  named: { readonly reference: Reference; readonly by: IdentifierKind | "svc_id" },
  { at, attachedMax }: { readonly at: number; readonly attachedMax: number },
): MovedName | null => {
  if (named.by === "svc_id" || !person.attached.some(({ moved }) => moved !== undefined)) return null
  const value = valueOf(named.reference, named.by)
  const name = value === null ? null : nameDigest(state, named.by, value)
  const from = person.attached.find(({ moved }) => name !== null && moved?.names.includes(name) === true)
  if (from?.moved === undefined) return null
  const { merge } = from.moved
  const known = person.attached.find(
    ({ via }) => via !== undefined && via.secondary === from.key && via.merge === merge,
  )
  if (known !== undefined) return { key: known.key, change: null }
  // Without room for another key, the event stays with the person.
  if (person.attached.length >= attachedMax) return null
  const key = state.nextKey
  return {
    key,
    change: { _tag: "MovedNameUsed", key, owner: person.key, secondary: from.key, merge, at },
  }
}

/** Returns what has the events since a merge that named a person by an identifier of one of the given people. */
export const namedSince = (
  { attached }: Person,
  people: ReadonlySet<SubjectKey>,
  merge: Sequence,
): ReadonlyArray<Attachment> =>
  attached.filter(({ via }) => via !== undefined && people.has(via.secondary) && via.merge >= merge)

/** Returns the keys of the people who were merged into a person. */
export const mergedPeople = ({ attached }: Person): ReadonlyArray<SubjectKey> =>
  attached.flatMap((one) => (isMergedPerson(one) ? [one.key] : []))

const valueOf = (reference: Reference, by: IdentifierKind): string | null => {
  switch (reference._tag) {
    case "BySvcId":
      return null
    case "ByIdentifier":
      return reference.kind === by ? reference.value : null
    case "ByBareText":
      return by === "id" ? reference.value : valueOf(reference.otherwise, by)
  }
}
