import type { NamedSubjects } from "@inlethq/core/catalog/NamedSubjects"
import type { Subject } from "@inlethq/core/state/Subject"
import { identifierText, objectText, type SubjectKey } from "@inlethq/core/values/Identifier"
import { textCode } from "../columns/entryCodes.ts"

/** The entries that a scan looks for because of who or what they are about. */
export interface WantedSubjects {
  /** The keys of people, visitors and objects under which the entries are stored. */
  readonly keys: ReadonlyArray<SubjectKey>
  /** Codes of anonymous ids (`anonymous_code`). Entries with such a code are wanted whatever their subject. */
  readonly anonymousCodes: ReadonlyArray<number>
  /** Whether entries of the kind `object_delete` are wanted, because deleted objects have no lookup text. */
  readonly deletions: boolean
}

/** The largest number of lookup texts by which the subjects in a filter are looked up. */
const lookupTextsMax = 1000

/** The largest number of object types with which a slice looks up an object id. A filter looks it up in one slice. */
export const lookupTypesMax = 200

/**
 * Returns the lookup texts of the people, visitors and objects that a filter names. `types` are the types of the
 * workspace's objects, or undefined if there are more than `lookupTypesMax`. Returns undefined if there are too many
 * texts.
 */
export const lookupTexts = (
  { objects, people }: NamedSubjects,
  types: ReadonlyArray<string> | undefined,
): ReadonlyArray<string> | undefined => {
  const texts = people.flatMap((text) => [
    identifierText("id", text),
    identifierText("email", text),
    identifierText("anonymous_id", text),
  ])
  for (const { objectId, typeId } of objects) {
    const ofTypes = typeId === null ? types : [typeId]
    if (ofTypes === undefined) return undefined
    for (const type of ofTypes) texts.push(objectText(type, objectId))
  }
  return texts.length > lookupTextsMax ? undefined : texts
}

/** Returns whether the filter names an object without its type. */
export const needsTypes = ({ objects }: NamedSubjects): boolean =>
  objects.some(({ typeId }) => typeId === null)

/** Returns what to look for if `found` are the subjects that the filter's lookup texts and keys lead to. */
export const wantedSubjects = (
  { keys, objects, people }: NamedSubjects,
  found: ReadonlyArray<Subject>,
): WantedSubjects => ({
  keys: [...new Set([...keys, ...found.flatMap(keysUnder)])],
  anonymousCodes: [...new Set(people.map(textCode))],
  deletions: objects.length > 0,
})

/** Returns the keys under which the entries of a subject are stored. */
export const keysUnder = (subject: Subject): ReadonlyArray<SubjectKey> =>
  subject._tag === "Person" ? [subject.key, ...subject.attached.map(({ key }) => key)] : [subject.key]
