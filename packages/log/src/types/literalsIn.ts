import type { ActivityDocument } from "@inlethq/contract/activity/ActivityLog"
import { isJsonObject, type Json } from "@inlethq/core/values/Json"
import { looksLikeData } from "./looksLikeData.ts"

/** A text is shown as one of the values of a path only if so many people have sent it. */
const peopleMin = 10

/** The most values of a path that are told one by one. */
export const literalsMax = 24

/** The texts at each path of objects in objects, by the keys down to it as JSON. */
export type Literals = ReadonlyMap<string, ReadonlyArray<string>>

export const literalKey = (segments: ReadonlyArray<string>): string => JSON.stringify(segments)

/** Returns the texts of the paths whose texts have all been sent by many people, and none of which looks like an id. */
export const literalsIn = (entries: Iterable<ActivityDocument>): Literals => {
  const found = new Map<string, Map<string, Set<string>>>()
  for (const { data, subject } of entries) {
    const { anonymous_id, email, id, svc_id } = subject
    visit(data, [], svc_id ?? id ?? email ?? anonymous_id, found)
  }
  return new Map(
    [...found]
      .filter(([, texts]) => isListable(texts))
      .map(([path, texts]) => [path, [...texts.keys()].toSorted()] as const),
  )
}

const isListable = (texts: ReadonlyMap<string, ReadonlySet<string>>): boolean =>
  texts.size <= literalsMax &&
  [...texts].every(([text, people]) => people.size >= peopleMin && !looksLikeData(text))

const visit = (
  value: Json,
  segments: ReadonlyArray<string>,
  person: string | null,
  found: Map<string, Map<string, Set<string>>>,
): void => {
  if (isJsonObject(value)) {
    for (const [key, inner] of Object.entries(value)) visit(inner, [...segments, key], person, found)
  } else if (typeof value === "string") {
    const key = literalKey(segments)
    const texts = found.get(key) ?? new Map<string, Set<string>>()
    const people = texts.get(value) ?? new Set<string>()
    if (person !== null) people.add(person)
    // One text too many is enough to know that the texts are not told.
    if (texts.size <= literalsMax) texts.set(value, people)
    found.set(key, texts)
  }
}
