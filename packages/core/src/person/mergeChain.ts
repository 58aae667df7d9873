import { withoutFrom } from "../decision/origins.ts"
import { setBack } from "../decision/setBack.ts"
import type { AttributesBefore, PersonBefore } from "../log/Overwritten.ts"
import { noAttributes, type Attributes, type Stamped } from "../state/Attributes.ts"
import { emptyPerson, type Person } from "../state/Person.ts"
import { isPreference, preferencesName } from "../state/preferenceBounds.ts"
import { filledPreferences } from "../state/storedPreferences.ts"
import type { Attached, Subject } from "../state/Subject.ts"
import type { Sequence, SubjectKey } from "../values/Identifier.ts"
import { sameJson } from "../values/Json.ts"
import type { WorkingSet } from "../fold/WorkingSet.ts"
import type { UnmergePeople } from "./commands.ts"
import { mergeIn, type RecordedMerge } from "./mergeReceipt.ts"

/*
 * Somebody who was merged may belong to a person through others: B ← C, then A ← B. A deletion that names C undoes what A got
 * of C, as if C had been merged into A, and leaves B with A.
 */

type Receipt = UnmergePeople["receipt"]
type Known = Pick<WorkingSet, "merges" | "subjects" | "workspace">

/** Returns the log positions of the merges through which somebody belongs to their owner, oldest first. */
export const mergesOf = (
  { key, merge, owner }: Attached,
  subjects: ReadonlyMap<SubjectKey, Subject>,
): ReadonlyArray<Sequence> => {
  const person = subjects.get(owner)
  if (merge === undefined || person?._tag !== "Person") return []
  return [merge, ...(person.attached.find((one) => one.key === key)?.onward ?? [])]
}

/**
 * Returns the merge through which a person has somebody, as one merge of the two, or null if the log no longer says all
 * of it, or if somebody between the two is gone.
 */
export const mergeThrough = (state: Known, attached: Attached): RecordedMerge | null => {
  let found: RecordedMerge | null = null
  for (const position of mergesOf(attached, state.subjects)) {
    const entry = state.merges.get(position)
    const next: RecordedMerge | null = entry === undefined ? null : mergeIn(entry)
    if (next === null) return null
    if (found === null) found = { ...next, receipt: withoutGone(state, next.receipt) }
    else if (state.subjects.get(found.primary)?._tag !== "Attached") return null
    else if (next.secondary !== found.primary) return null
    else found = joined(state, found, { ...next, receipt: withoutGone(state, next.receipt) })
  }
  return found?.primary === attached.owner ? found : null
}

/** Returns what a merge overwrote without what came from people who are erased by now, as readers see its entry. */
export const withoutGone = ({ subjects }: Pick<Known, "subjects">, receipt: Receipt): Receipt => {
  const isGone = (key: SubjectKey) => subjects.get(key)?._tag === "Erased"
  const [primary] = withoutFrom(receipt.primary, isGone)
  const [secondary] = withoutFrom(receipt.secondary, isGone)
  return { ...receipt, primary, secondary }
}

/**
 * Returns two merges, of a secondary into somebody and of that person into a primary, as the merge of the secondary into the
 * primary. The primary got what the person between had as the first merge left it.
 */
const joined = (
  { workspace }: Known,
  { receipt: inner, secondary }: RecordedMerge,
  { primary, receipt: outer, secondary: between }: RecordedMerge,
): RecordedMerge => {
  const theirs = setBack(emptyPerson(secondary, workspace, 0), inner.secondary)
  const carrier = setBack(emptyPerson(between, workspace, 0), outer.secondary)
  const took = new Set(outer.primary.segments?.added)
  const preferences = joinedPreferences(inner, outer, theirs, carrier)
  const before: PersonBefore = {
    ...joinedIdentifier("id", "idAt", inner, outer, theirs, carrier),
    ...joinedIdentifier("email", "emailAt", inner, outer, theirs, carrier),
    attributes: new Map([
      ...joinedAttributes(
        inner.primary.attributes,
        outer.primary.attributes,
        theirs.attributes,
        carrier.attributes,
      ),
      ...(preferences?.before ?? []),
    ]),
    relationships: joinedRelationships(inner, outer, theirs, carrier),
    segments: {
      added: (inner.primary.segments?.added ?? []).filter((segment) => took.has(segment)),
      removed: [],
    },
  }
  const { preferences: _, ...rest } = inner
  const receipt = {
    ...rest,
    primary: before,
    ...(preferences !== null && { preferences: preferences.after }),
  }
  return { primary, secondary, receipt }
}

const joinedIdentifier = (
  kind: "id" | "email",
  at: "idAt" | "emailAt",
  inner: Receipt,
  outer: Receipt,
  theirs: Person,
  carrier: Person,
): PersonBefore => {
  const isThrough =
    inner.primary[kind] !== undefined &&
    outer.primary[kind] !== undefined &&
    carrier[kind] === theirs[kind] &&
    carrier[at] === theirs[at]
  if (!isThrough) return {}
  const setAt = outer.primary[at]
  return { [kind]: outer.primary[kind], ...(setAt !== undefined && { [at]: setAt }) }
}

/** Returns what the primary had in place of the attributes that it got through the other, except preferences. */
const joinedAttributes = (
  inner: AttributesBefore | undefined,
  outer: AttributesBefore | undefined,
  theirs: Attributes,
  carrier: Attributes,
): AttributesBefore =>
  new Map(
    [...(outer ?? [])].filter(
      ([name]) =>
        !isPreference(name) && inner?.has(name) === true && isSame(carrier.get(name), theirs.get(name)),
    ),
  )

const joinedRelationships = (
  inner: Receipt,
  outer: Receipt,
  theirs: Person,
  carrier: Person,
): NonNullable<PersonBefore["relationships"]> => {
  const joined = new Map<SubjectKey, AttributesBefore | null>()
  for (const [object, between] of inner.primary.relationships ?? []) {
    const before = outer.primary.relationships?.get(object)
    if (before === undefined) continue
    const given = theirs.relationships.get(object) ?? noAttributes
    const carried = carrier.relationships.get(object) ?? noAttributes
    if (between === null && before === null) joined.set(object, null)
    else {
      // Who gave or got the whole relationship gave or got each of its attributes.
      const got = between ?? new Map([...given.keys()].map((name) => [name, null]))
      const had = before ?? new Map([...carried.keys()].map((name) => [name, null]))
      joined.set(object, joinedAttributes(got, had, given, carried))
    }
  }
  return joined
}

/**
 * Returns the preferences that the primary would have without those of the secondary, and those that it got, or null if it
 * got none of the secondary's.
 */
const joinedPreferences = (
  inner: Receipt,
  outer: Receipt,
  theirs: Person,
  carrier: Person,
): { readonly before: AttributesBefore; readonly after: Stamped } | null => {
  const between = preferencesBefore(inner.primary)
  const own = preferencesBefore(outer.primary)
  const given = inner.preferences ?? filled(between, theirs.attributes)
  const now = carrier.attributes.get(preferencesName)
  if (between === null || own === null || given === null || now === undefined || !isSame(now, given))
    return null
  const after = filled(own, new Map([[preferencesName, now]]))
  if (after === null) return null
  // The time stays, because the person between brought the preferences with it.
  const { value } = filled(own, between) ?? after
  const without = between.size === 0 ? own : new Map([[preferencesName, { value, at: after.at }]])
  return { before: new Map([[preferencesName, null], ...without]), after }
}

/** Returns the preferences that somebody had before a merge, or null if the merge changed none. */
const preferencesBefore = ({ attributes }: PersonBefore): Attributes | null => {
  const found = [...(attributes ?? [])].filter(([name]) => isPreference(name))
  if (found.length === 0) return null
  return new Map(
    found.flatMap(([name, old]) =>
      old === null || old.value === undefined ? [] : [[name, { at: old.at, value: old.value }]],
    ),
  )
}

const filled = (own: Attributes | null, other: Attributes): Stamped | null => {
  if (own === null) return null
  const times = [...own, ...other].flatMap(([name, { at }]) => (isPreference(name) ? [at] : []))
  return times.length === 0 ? null : { value: filledPreferences(own, other), at: Math.max(...times) }
}

const isSame = (one: Stamped | undefined, other: Stamped | undefined): boolean =>
  one !== undefined && other !== undefined && one.at === other.at && sameJson(one.value, other.value)
