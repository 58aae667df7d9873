import {
  deviceText,
  identifierText,
  objectText,
  type Identifier,
  type Sequence,
  type SubjectKey,
} from "../values/Identifier.ts"
import { searchedNames } from "../state/searchedNames.ts"
import type { LeafStates } from "../state/LeafState.ts"
import type { Person } from "../state/Person.ts"
import { isRecord, linksOf, type Erased, type Holder, type Subject } from "../state/Subject.ts"
import type { WorkingSet } from "../fold/WorkingSet.ts"

/*
 * The functions in this file change a working set, and record what a store must save. `evolve` changes working sets
 * only with these functions.
 */

export const putSubject = (state: WorkingSet, subject: Subject): void => {
  state.records += Number(isRecord(subject)) - Number(isRecord(state.subjects.get(subject.key)))
  if (subject._tag === "Person" || subject._tag === "Visitor") state.mayHaveHolders = true
  state.subjects.set(subject.key, subject)
  state.written.subjects.add(subject.key)
}

/**
 * Replaces a deleted person, object or other subject with the record of its deletion. Also records that earlier log
 * entries with the person's email addresses are erased.
 */
export const putErased = (state: WorkingSet, erased: Erased): void => {
  putSubject(state, erased)
  for (const address of erased.addresses) state.erasedAddresses.set(address, erased.before)
}

/** Makes a lookup text resolve to a person, an object or another subject. */
export const bindText = (state: WorkingSet, text: string, key: SubjectKey): void => {
  state.identifiers.set(text, key)
  state.written.identifiers.add(text)
}

/** Removes a lookup text, so that it resolves to nothing. */
export const releaseText = (state: WorkingSet, text: string): void => {
  state.identifiers.delete(text)
  state.written.identifiers.add(text)
}

/** Records in `state.written` the names that a person had before the batch, so that the store saves what changes. */
export const noteNames = (state: WorkingSet, { attributes, key }: Person): void => {
  const { names } = state.written
  if (!names.has(key)) names.set(key, searchedNames(attributes))
}

/** Notes that a link to an object or a segment was added or removed, so that the store saves it. */
export const noteLinkChange = (state: WorkingSet, subject: SubjectKey, target: SubjectKey): void => {
  const targets = state.written.links.get(subject)
  if (targets === undefined) state.written.links.set(subject, new Set([target]))
  else targets.add(target)
}

/** Records in `state.written` what was stored about the leaves of a person or visitor before the batch changes it. */
export const noteLeafStates = (
  { written: { leafStates } }: WorkingSet,
  subject: SubjectKey,
  before: LeafStates | undefined,
): void => {
  if (!leafStates.has(subject)) leafStates.set(subject, before)
}

/**
 * Records in `state.written` that a delivery, or a report about it, contains an address with this digest, so that the
 * store saves the digest.
 */
export const noteAddress = (state: WorkingSet, delivery: SubjectKey, address: string): void => {
  const addresses = state.written.addresses.get(delivery)
  if (addresses === undefined) state.written.addresses.set(delivery, new Set([address]))
  else addresses.add(address)
}

/**
 * Removes all lookup texts of a subject, such as a deleted person or an identified visitor. Records in `state.written`
 * that the links of the subject are gone.
 */
export const releaseSubject = (state: WorkingSet, subject: Subject): void => {
  if (subject._tag === "Person") noteNames(state, subject)
  for (const text of textsOf(subject)) releaseText(state, text)
  for (const target of linksOf(subject)) noteLinkChange(state, subject.key, target)
}

/** Releases a suppression group, so that requests with its identifiers are no longer ignored. */
export const releaseSuppression = (state: WorkingSet, group: SubjectKey): void => {
  state.suppressedGroups.delete(group)
  state.written.lifted.add(group)
  for (const [text, of] of state.suppressed) if (of === group) state.suppressed.delete(text)
  for (const [digest, of] of state.written.suppressedDigests) {
    if (of === group) state.written.suppressedDigests.delete(digest)
  }
}

/** Records in `state.written` identifiers that were erased, so that the store erases rejected calls. */
export const noteErased = (
  state: WorkingSet,
  identifiers: ReadonlyArray<Identifier>,
  before: Sequence,
): void => {
  for (const { value } of identifiers) state.written.erasedIdentifiers.set(value, before)
}

/** Records in `state.written` the identifiers of a deleted person or visitor, so that the store erases rejected calls. */
export const noteErasedIdentifiers = (state: WorkingSet, subject: Subject, before: Sequence): void => {
  if (subject._tag !== "Person" && subject._tag !== "Visitor") return
  noteErased(state, identifiersOf(subject), before)
}

/**
 * Calls `f` with the person or visitor that has the key. Does nothing if the key belongs to anything else, such as an
 * object.
 */
export const updateHolder = (state: WorkingSet, key: SubjectKey, f: (holder: Holder) => void): void => {
  const subject = state.subjects.get(key)
  if (subject?._tag === "Person" || subject?._tag === "Visitor") f(subject)
}

/** Puts a person in the place of what they were before, or of nobody, with their lookup texts and links. */
export const replacePerson = (state: WorkingSet, before: Person | null, after: Person): void => {
  const texts = new Set(textsOf(after))
  for (const text of before === null ? [] : textsOf(before)) {
    if (!texts.delete(text)) releaseText(state, text)
  }
  for (const text of texts) bindText(state, text, after.key)
  for (const target of before === null ? [] : linksOf(before)) noteLinkChange(state, after.key, target)
  for (const target of linksOf(after)) noteLinkChange(state, after.key, target)
  putSubject(state, after)
}

const textsOf = (subject: Subject): ReadonlyArray<string> => {
  switch (subject._tag) {
    case "Person":
    case "Visitor":
      return [
        ...identifiersOf(subject).map(({ kind, value }) => identifierText(kind, value)),
        ...[...subject.devices.keys()].map((token) => deviceText(token)),
      ]
    case "DataObject":
      return [objectText(subject.typeId, subject.objectId)]
    case "Attached":
    case "Erased":
    case "Delivery":
    case "Form":
    case "Segment":
    case "SegmentMembers":
    case "RuleBuild":
      return []
  }
}

/** Returns the identifiers that resolve to a person or a visitor. */
export const identifiersOf = (subject: Holder): ReadonlyArray<Identifier> => {
  if (subject._tag === "Visitor") return [subject.knownAs]
  const identifiers: Array<Identifier> = subject.anonymousIds.map((value) => ({
    kind: "anonymous_id",
    value,
  }))
  if (subject.id !== null) identifiers.push({ kind: "id", value: subject.id })
  if (subject.email !== null) identifiers.push({ kind: "email", value: subject.email })
  return identifiers
}
