import type { AttributesBefore, PersonBefore } from "../log/Overwritten.ts"
import type { Attributes, Stamped } from "../state/Attributes.ts"
import type { Origins } from "../state/Person.ts"
import { isPreference, preferencesName } from "../state/preferenceBounds.ts"
import { PreferencesDocument } from "../state/PreferencesDocument.ts"
import { preferenceAt, preferencesOf } from "../state/storedPreferences.ts"
import type { SubjectKey } from "../values/Identifier.ts"
import { isJsonObject, sameJson, type Json } from "../values/Json.ts"

/*
 * A merge unites the preferences of two people in one document, so whose they are is remembered for each of them, and erasing one
 * person leaves those of the other.
 */

const start = `attributes.${preferencesName}.`

/** Returns the path of a preference among origins. Its keys may contain dots. */
const originPath = (keys: ReadonlyArray<string>): string => start + JSON.stringify(keys)

export const isPreferenceOrigin = (path: string): boolean => path.startsWith(start)

const keysIn = (path: string): ReadonlyArray<string> => {
  const keys: ReadonlyArray<string> = JSON.parse(path.slice(start.length))
  return keys
}

/** Returns the path that changes give to the preference at a path of origins, among those of attributes. */
export const changedPath = (path: string): string => start + keysIn(path).join(".")

/** Returns whether an operation overwrote any preference. Then what it overwrote has all of them. */
export const hasPreferences = ({ attributes }: PersonBefore): boolean => {
  for (const name of attributes?.keys() ?? []) if (isPreference(name)) return true
  return false
}

/** Returns the preferences before an operation. */
const preferencesBefore = (before: AttributesBefore | undefined, after: Attributes): Json => {
  const found = new Map<string, Stamped>()
  for (const [name, old] of before ?? []) {
    const value = old?.value === undefined ? after.get(name)?.value : old.value
    if (old !== null && value !== undefined && isPreference(name)) found.set(name, { at: old.at, value })
  }
  return preferencesOf(found)
}

/** Returns whether a person still has the preference at a path of origins after an operation that overwrote preferences. */
export const staysPreference = (path: string, before: PersonBefore, after: Attributes): boolean => {
  const keys = keysIn(path)
  const old = preferencesBefore(before.attributes, after)
  return sameJson(preferenceAt(old, keys), preferenceAt(preferencesOf(after), keys))
}

/** Yields the origins of the preferences that a person got from somebody merged. */
export function* preferencesGained(
  before: PersonBefore,
  after: Attributes,
  { key, origins }: { readonly key: SubjectKey; readonly origins: Origins },
): Generator<readonly [path: string, origin: SubjectKey], void, void> {
  if (!hasPreferences(before)) return
  const own = new PreferencesDocument(preferencesBefore(before.attributes, after))
  for (const keys of leavesOf(preferencesOf(after))) {
    if (own.has(keys)) continue
    const path = originPath(keys)
    yield [path, origins.get(path) ?? key]
  }
}

/** Returns attributes before an operation without the preferences at some paths of origins. */
export const withoutPreferences = (before: AttributesBefore, paths: Iterable<string>): AttributesBefore => {
  const erased = Array.from(paths).filter(isPreferenceOrigin)
  const whole = before.get(preferencesName)
  if (erased.length === 0 || whole?.value === undefined) return before
  const document = new PreferencesDocument(whole.value)
  for (const path of erased) document.put(keysIn(path), null)
  const value = document.toJson()
  const [left] = leavesOf(value)
  return new Map([...before, [preferencesName, left === undefined ? null : { ...whole, value }]])
}

function* leavesOf(value: Json, path: ReadonlyArray<string> = []): Generator<ReadonlyArray<string>> {
  if (!isJsonObject(value)) yield path
  else for (const [key, one] of Object.entries(value)) yield* leavesOf(one, [...path, key])
}
