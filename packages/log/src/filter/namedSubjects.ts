import type { NamedObject, NamedSubjects } from "@inlethq/core/catalog/NamedSubjects"
import { svcIdKey, type WorkspaceId } from "@inlethq/core/values/Identifier"
import { defaultBrand, unprefixed } from "@inlethq/wire/decoding/Brand"
import type { EntryFilter } from "./EntryFilter.ts"
import { requiredTexts } from "./indexedPart.ts"

/** The largest number of values of a term that an index answers. */
const valuesMax = 50

/**
 * Returns the people, visitors or objects of which every matching entry is about one, or null if the filter names none
 * exactly. Terms for people come first, because an entry is seldom about a person and an object.
 */
export const namedSubjects = (filter: EntryFilter, workspace: WorkspaceId): NamedSubjects | null => {
  const people = requiredTexts(filter, "person")
  if (people !== undefined && people.length <= valuesMax) {
    const keys = people.flatMap((text) => svcIdKey(workspace, unprefixed(defaultBrand, text) ?? text) ?? [])
    return { people, keys, objects: [] }
  }
  const objects = requiredTexts(filter, "object")
  if (objects === undefined || objects.length > valuesMax) return null
  return { people: [], keys: [], objects: objects.flatMap(objectsIn) }
}

/** Returns the objects that a text can stand for: an id of any type, or a type and an id around each slash. */
const objectsIn = (text: string): ReadonlyArray<NamedObject> => {
  const found: Array<NamedObject> = [{ typeId: null, objectId: text }]
  for (let at = text.indexOf("/"); at >= 0; at = text.indexOf("/", at + 1)) {
    if (at > 0 && at < text.length - 1)
      found.push({ typeId: text.slice(0, at), objectId: text.slice(at + 1) })
  }
  return found
}
