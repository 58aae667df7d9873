import type { DataObject } from "../state/DataObject.ts"
import type { Delivery } from "../state/Delivery.ts"
import type { Form } from "../state/Form.ts"
import type { Person } from "../state/Person.ts"
import { comparedName, searchedNames } from "../state/searchedNames.ts"
import type { Subject } from "../state/Subject.ts"
import { freedText, identifierText, type SubjectKey } from "../values/Identifier.ts"

/** A search for people, objects, deliveries and forms. */
export interface SubjectSearch {
  readonly text: string
  /** The key in the text, if it is a `svc_id`. That of a merged person finds the person who remains. */
  readonly personKey: SubjectKey | null
  /** The key in the text, if it is a `svc_object_id`. */
  readonly objectKey: SubjectKey | null
  /** The largest number of subjects of one kind that do not match exactly. */
  readonly limit: number
}

export type Searched = Person | DataObject | Delivery | Form

/** `exact` is true if the text is a whole identifier. Otherwise an identifier or a name begins with it. */
export interface FoundSubject {
  readonly subject: Searched
  readonly exact: boolean
  /** The merged person whose `svc_id`, or whose id or email before the merge, the text is. They belong to the subject now. */
  readonly merged: SubjectKey | null
}

const kinds = ["Person", "DataObject", "Delivery", "Form"] as const satisfies ReadonlyArray<Searched["_tag"]>

/** What a search found. */
export interface FoundSubjects {
  readonly found: ReadonlyArray<FoundSubject>
  /**
   * False if the workspace has so many types of objects that some were not searched. Objects of these types are found
   * only by type and id, or by `svc_object_id`.
   */
  readonly hasAllTypes: boolean
}

/** Returns the lookup texts that lead from a text to merged people who had it as id or email until a merge freed it. */
export const freedTexts = (
  { text }: Pick<SubjectSearch, "text">,
  digest: (text: string) => string,
): ReadonlyArray<string> =>
  (["id", "email"] as const).map((kind) => freedText(digest(identifierText(kind, text))))

/**
 * Returns the subjects that match a search: exact matches first, then by kind, the newest first. Those of merged people come
 * after the other exact ones. `candidates` may contain subjects that do not match, each of them once. `freed` are the keys to
 * which `freedTexts` lead.
 */
export const foundAmong = (
  candidates: Iterable<Subject>,
  search: SubjectSearch,
  freed: ReadonlySet<SubjectKey>,
): ReadonlyArray<FoundSubject> => {
  const exact: Array<FoundSubject> = []
  const ofMerged: Array<FoundSubject> = []
  const begins: Record<Searched["_tag"], Array<FoundSubject>> = {
    Person: [],
    DataObject: [],
    Delivery: [],
    Form: [],
  }
  for (const subject of candidates) {
    if (!isSearched(subject)) continue
    const merged = mergedInto(subject, search, freed)
    if (isExactly(subject, search)) exact.push({ subject, exact: true, merged: null })
    else if (merged !== null) ofMerged.push({ subject, exact: true, merged })
    else if (beginsWith(subject, search)) begins[subject._tag].push({ subject, exact: false, merged: null })
  }
  const others = kinds.flatMap((kind) => newestFirst(begins[kind]).slice(0, search.limit))
  return [...newestFirst(exact), ...newestFirst(ofMerged), ...others]
}

const newestFirst = (found: ReadonlyArray<FoundSubject>): ReadonlyArray<FoundSubject> =>
  found.toSorted((a, b) => b.subject.key - a.subject.key)

const mergedInto = (
  subject: Searched,
  { personKey }: SubjectSearch,
  freed: ReadonlySet<SubjectKey>,
): SubjectKey | null => {
  if (subject._tag !== "Person") return null
  const named = subject.attached.find(({ key, merged }) => merged && (key === personKey || freed.has(key)))
  return named?.key ?? null
}

const isSearched = (subject: Subject): subject is Searched => kinds.some((kind) => kind === subject._tag)

const isExactly = (subject: Searched, { objectKey, personKey, text }: SubjectSearch): boolean => {
  switch (subject._tag) {
    case "Person":
      return (
        subject.key === personKey ||
        (personKey !== null && subject.attached.some(({ key, merged }) => !merged && key === personKey)) ||
        subject.id === text ||
        subject.email?.toLowerCase() === text.toLowerCase() ||
        subject.anonymousIds.includes(text)
      )
    case "DataObject":
      return (
        subject.key === objectKey ||
        subject.objectId === text ||
        `${subject.typeId}/${subject.objectId}` === text
      )
    case "Delivery":
      return subject.deliveryId === text
    case "Form":
      return subject.formId === text
  }
}

/** Returns whether the id, the email or a name of a person begins with a text. Case matters in ids only. */
export const personBeginsWith = ({ attributes, email, id }: Person, text: string): boolean => {
  if (id?.startsWith(text) === true) return true
  if (email?.toLowerCase().startsWith(text.toLowerCase()) === true) return true
  const name = comparedName(text)
  return name !== "" && searchedNames(attributes).some((one) => one.startsWith(name))
}

/**
 * Returns the longest word of a text of several words, with which a store looks for people who have all of them in another
 * order. Null for a text of one word.
 */
export const longestWord = (text: string): string | null => {
  const words = comparedName(text).split(" ")
  return words.length < 2 ? null : words.reduce((a, b) => (b.length > a.length ? b : a))
}

/** Returns whether each word of a text begins a word of a person's name. */
const hasWords = ({ attributes }: Person, text: string): boolean => {
  const names = searchedNames(attributes)
  return comparedName(text)
    .split(" ")
    .every((word) => word !== "" && names.some((name) => name.startsWith(word)))
}

const beginsWith = (subject: Searched, { text }: SubjectSearch): boolean => {
  switch (subject._tag) {
    case "Person":
      return personBeginsWith(subject, text) || (longestWord(text) !== null && hasWords(subject, text))
    case "DataObject": {
      const { objectId, typeId } = subject
      const isTyped = text.length > typeId.length && `${typeId}/${objectId}`.startsWith(text)
      return objectId.startsWith(text) || isTyped
    }
    case "Delivery":
      return subject.deliveryId.startsWith(text)
    case "Form":
      return subject.formId.startsWith(text)
  }
}
