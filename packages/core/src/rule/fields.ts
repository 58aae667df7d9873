import type { ActivityEntry } from "../log/ActivityEntry.ts"
import { createdAtName, valueOf, type Attributes } from "../state/Attributes.ts"
import type { DataObject } from "../state/DataObject.ts"
import type { Device } from "../state/Device.ts"
import type { Person } from "../state/Person.ts"
import { isPreference, preferencesName } from "../state/preferenceBounds.ts"
import { preferencesOf } from "../state/storedPreferences.ts"
import { svcIdText } from "../values/Identifier.ts"
import { isJsonObject, type Json } from "../values/Json.ts"
import { secondMs, type EpochMillis } from "../values/Timestamp.ts"

/** Returns the value of a key, or null if it is missing. */
export type Fields = (key: string) => Json

/** What the fields of conditions on a person name: attributes, and what is stored beside them. */
export const personFields =
  (person: Person): Fields =>
  (key) => {
    const value = isPreference(key) ? null : valueOf(person.attributes, key)
    switch (key) {
      case "id":
      case "email":
        return person[key] ?? value
      case "svc_id":
        return svcIdText(person.workspace, person.key)
      case createdAtName:
        return value ?? toSeconds(person.createdAt)
      case preferencesName: {
        const preferences = preferencesOf(person.attributes)
        return Object.keys(preferences).length === 0 ? null : preferences
      }
      default:
        return value
    }
  }

export const deviceFields =
  (token: string, { attributes, lastUsed, platform }: Device): Fields =>
  (key) => {
    switch (key) {
      case "token":
        return token
      case "platform":
        return platform
      case "last_used":
        return lastUsed === null ? null : toSeconds(lastUsed)
      default:
        return valueOf(attributes, key)
    }
  }

export const objectFields =
  ({ attributes, objectId }: DataObject): Fields =>
  (key) =>
    key === "object_id" ? objectId : valueOf(attributes, key)

export const attributeFields =
  (attributes: Attributes): Fields =>
  (key) =>
    valueOf(attributes, key)

export const jsonFields =
  (value: Json): Fields =>
  (key) =>
    isJsonObject(value) && Object.hasOwn(value, key) ? (value[key] ?? null) : null

/** Begins the fields of conditions on an event that are in the context of its call. */
export const contextRoot = "context."

/**
 * Returns the values that a condition on an event tests. A field such as `context.page.path` is in the context of the call, as its
 * entry keeps it. Where there is nothing, it is in the data of the event, as any other field.
 */
export const eventValuesAt = (
  { data, provenance }: Pick<ActivityEntry, "data" | "provenance">,
  path: string,
  any: boolean,
): ReadonlyArray<Json> => {
  const context = provenance?.context
  if (context !== undefined && path.startsWith(contextRoot)) {
    const told = valuesAt(jsonFields(context), path.slice(contextRoot.length), any)
    if (told.length > 0) return told
  }
  return valuesAt(jsonFields(data), path, any)
}

/** Requests give these times in seconds. */
const toSeconds = (at: EpochMillis): number => Math.floor(at / secondMs)

/**
 * Returns the values at a dotted path: at most one, or with `any` all elements of the arrays on the way. Names of
 * attributes may contain dots, so the longest key that has a value is taken.
 */
export const valuesAt = (fields: Fields, path: string, any: boolean): ReadonlyArray<Json> => {
  for (let end = path.length; end > 0; end = path.lastIndexOf(".", end - 1)) {
    const value = fields(path.slice(0, end))
    if (value === null) continue
    return end < path.length
      ? valuesInside(value, path.slice(end + 1), any)
      : any
        ? elementsOf(value)
        : [value]
  }
  return []
}

const valuesInside = (value: Json, path: string, any: boolean): ReadonlyArray<Json> => {
  if (!Array.isArray(value)) return valuesAt(jsonFields(value), path, any)
  return any ? value.flatMap((item) => valuesInside(item, path, any)) : []
}

const elementsOf = (value: Json): ReadonlyArray<Json> =>
  Array.isArray(value) ? value.filter((item) => item !== null) : [value]

/** Returns the names of the attributes that can change what is at a dotted path. */
export const namesLeadingTo = (path: string): ReadonlyArray<string> => {
  const names: Array<string> = []
  for (let end = path.length; end > 0; end = path.lastIndexOf(".", end - 1)) {
    names.push(attributeTopic(path.slice(0, end)))
  }
  return [...new Set(names)]
}

/** All preferences together decide what is at a path inside them. */
export const attributeTopic = (name: string): string => (isPreference(name) ? preferencesName : name)
