import { isJsonObject, type Json, type JsonObject } from "../values/Json.ts"
import { isPreferencePath, pathOf, preferencesName } from "./preferenceBounds.ts"
import { PreferencesDocument } from "./PreferencesDocument.ts"
import { isBefore } from "../values/Timestamp.ts"
import type { Attributes, Stamped } from "./Attributes.ts"

/**
 * Returns the subscription preferences of a person. These are the latest whole preferences object, plus the later
 * changes of single preferences by a dotted name, such as `svc_subscription_preferences.topics.news`.
 */
export const preferencesOf = (attributes: Attributes): JsonObject =>
  preferencesDocumentOf(attributes).toJson()

/** Returns the subscription preferences of a person as a document that can be changed. */
export const preferencesDocumentOf = (attributes: Attributes): PreferencesDocument => {
  let whole: Stamped | undefined
  let since: Array<readonly [name: string, stamped: Stamped]> = []
  for (const [name, stamped] of attributes) {
    if (name === preferencesName) {
      whole = stamped
      since = since.filter(([, earlier]) => isBefore(stamped.at, earlier.at))
    } else if (isPreferencePath(name) && (whole === undefined || !isBefore(stamped.at, whole.at))) {
      insertByTime(since, name, stamped)
    }
  }
  const document = new PreferencesDocument(whole?.value ?? null)
  for (const [name, { value }] of since) document.put(pathOf(name), value)
  return document
}

/**
 * Inserts a preference with a dotted name directly after the last preference in the list that is not newer. Sorting the
 * list would not work, because the comparison of times is not transitive. If one of two times is a whole second, only
 * their seconds are compared.
 */
const insertByTime = (
  paths: Array<readonly [name: string, stamped: Stamped]>,
  name: string,
  stamped: Stamped,
): void => {
  const older = paths.findLastIndex(([, earlier]) => !isBefore(stamped.at, earlier.at))
  paths.splice(older + 1, 0, [name, stamped])
}

/**
 * Returns the subscription preferences of a person, plus those that only `other` has. A preference that the person
 * removed by its dotted name stays removed.
 */
export const filledPreferences = (own: Attributes, other: Attributes): JsonObject => {
  const before = preferencesOf(own)
  const filled = mergeMissing(before, preferencesOf(other))
  const removed = [...own].filter(([name, { value }]) => isPreferencePath(name) && value === null)
  if (removed.length === 0) return isJsonObject(filled) ? filled : before
  const document = new PreferencesDocument(filled)
  for (const [name] of removed) document.put(pathOf(name), null)
  return document.toJson()
}

/** Returns `own` plus the keys that only `other` has, at every depth. */
const mergeMissing = (own: Json, other: Json): Json => {
  if (!isJsonObject(own) || !isJsonObject(other)) return own
  const names = [...new Set([...Object.keys(own), ...Object.keys(other)])]
  return Object.fromEntries(
    names.map((name) => {
      const mine = valueAt(own, name)
      const theirs = valueAt(other, name) ?? null
      return [name, mine === undefined ? theirs : mergeMissing(mine, theirs)]
    }),
  )
}

/** Returns the value at a path of subscription preferences, or null if the path does not exist. */
export const preferenceAt = (from: Json, path: ReadonlyArray<string>): Json =>
  path.reduce<Json>((value, key) => (isJsonObject(value) ? (valueAt(value, key) ?? null) : null), from)

const valueAt = (object: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined
