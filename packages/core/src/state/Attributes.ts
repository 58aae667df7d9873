import { Schema } from "effect"
import { utf8Bytes, type Json, type JsonObject } from "../values/Json.ts"
import { isPreference } from "./preferenceBounds.ts"

/** A value and the time of the update that set it; the value is null once the attribute was removed. */
export const Stamped = Schema.Struct({ value: Schema.Json, at: Schema.Int })
export type Stamped = typeof Stamped.Type

/** Attributes by name. A map is safe for untrusted names such as `__proto__`, and a plain object is not. */
export const Attributes = Schema.ReadonlyMap(Schema.String, Stamped)
export type Attributes = ReadonlyMap<string, Stamped>

/**
 * One attribute of an update. In reserved names, the prefix `cio_` is already replaced by `svc_`. The values null and
 * "" remove the attribute (contract §6).
 */
export const Assignment = Schema.Struct({ name: Schema.String, value: Schema.Json })
export type Assignment = typeof Assignment.Type

export const noAttributes: Attributes = new Map()

/** The reserved attributes have a meaning of their own and do not count towards the limit of a person's attributes. */
export const createdAtName = "created_at"
export const unsubscribedName = "unsubscribed"

/** Returns whether an attribute of a person is reserved: `created_at`, `unsubscribed`, or subscription preferences. */
export const isReserved = (name: string): boolean =>
  name === createdAtName || name === unsubscribedName || isPreference(name)

/** Returns the value of an attribute, or null if it is not set. */
export const valueOf = (attributes: Attributes, name: string): Json => attributes.get(name)?.value ?? null

/**
 * Returns the size of an attribute in bytes: the name, and the value as text (a string) or as JSON (any other value).
 * Returns 0 if the value is null.
 */
export const attributeBytes = (name: string, value: Json): number => {
  if (value === null) return 0
  return utf8Bytes(name) + utf8Bytes(typeof value === "string" ? value : JSON.stringify(value))
}

/** Returns the total size of attributes in bytes. This size counts towards the limits. */
export const attributesBytes = (attributes: Attributes): number => {
  let bytes = 0
  for (const [name, { value }] of attributes) bytes += attributeBytes(name, value)
  return bytes
}

/** Returns the attributes of a person as a JSON object, without the reserved attributes. */
export const personAttributesToJson = (attributes: Attributes): JsonObject =>
  Object.fromEntries(
    [...attributes].flatMap(([name, { value }]) =>
      value === null || isReserved(name) ? [] : [[name, value]],
    ),
  )

/** Returns the attributes of an object, a relationship or a device as a JSON object. */
export const attributesToJson = (attributes: Attributes): JsonObject =>
  Object.fromEntries([...attributes].flatMap(([name, { value }]) => (value === null ? [] : [[name, value]])))

/** Returns the assignments of an update as a JSON object. */
export const assignmentsToJson = (assignments: ReadonlyArray<Assignment>): JsonObject =>
  Object.fromEntries(assignments.map(({ name, value }) => [name, value]))
