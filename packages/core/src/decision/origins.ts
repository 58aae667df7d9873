import type { AttributesBefore, PersonBefore } from "../log/Overwritten.ts"
import type { Origins, Person } from "../state/Person.ts"
import { isPreference } from "../state/preferenceBounds.ts"
import type { SubjectKey } from "../values/Identifier.ts"
import {
  changedPath,
  hasPreferences,
  isPreferenceOrigin,
  preferencesGained,
  staysPreference,
  withoutPreferences,
} from "./preferenceOrigins.ts"

/*
 * What a person got from people who were merged into them is remembered by path until it changes (`Origins`), so that what
 * later entries overwrite of it can be erased with whom it came from.
 */

/** Yields the paths of what an operation overwrote in the document of a person, or added to it, except those of preferences. */
function* pathsIn({
  anonymousIds,
  attributes,
  devices,
  email,
  id,
  relationships,
  segments,
}: PersonBefore): Generator<string, void, void> {
  if (id !== undefined) yield "id"
  if (email !== undefined) yield "email"
  for (const value of anonymousIds?.added ?? []) yield anonymousIdPath(value)
  for (const value of anonymousIds?.removed ?? []) yield anonymousIdPath(value)
  for (const name of attributes?.keys() ?? []) if (!isPreference(name)) yield attributePath(name)
  for (const token of devices?.keys() ?? []) yield devicePath(token)
  for (const [object, old] of relationships ?? []) {
    yield relationshipPath(object)
    for (const name of old?.keys() ?? []) yield `${relationshipPath(object)}.${name}`
  }
  for (const key of segments?.added ?? []) yield segmentPath(key)
  for (const key of segments?.removed ?? []) yield segmentPath(key)
}

export const anonymousIdPath = (value: string): string => `anonymous_ids.${value}`
const attributePath = (name: string): string => `attributes.${name}`
const devicePath = (token: string): string => `devices.${token}`
const relationshipPath = (object: SubjectKey): string => `relationships.${object}`
const segmentPath = (key: SubjectKey): string => `segments.${key}`

/** Returns what an operation overwrote, with whose it was. */
export const withFrom = (before: PersonBefore, origins: Origins): PersonBefore => {
  if (origins.size === 0) return before
  const from = new Map(before.from)
  for (const path of pathsIn(before)) {
    const origin = origins.get(path)
    if (origin !== undefined) from.set(path, origin)
  }
  if (hasPreferences(before)) {
    for (const [path, origin] of origins) if (isPreferenceOrigin(path)) from.set(path, origin)
  }
  return from.size === 0 ? before : { ...before, from }
}

/** Returns the origins after an operation: what it overwrote is the person's own, and what belongs to nobody merged any more. */
export const originsAfter = (
  { attached, attributes, origins }: Pick<Person, "attached" | "attributes" | "origins">,
  before: PersonBefore,
): Origins => {
  if (origins.size === 0) return origins
  const merged = new Set(attached.map(({ key }) => key))
  const overwritten = new Set(pathsIn(before))
  const mayChange = hasPreferences(before)
  const left = [...origins].filter(
    ([path, key]) =>
      merged.has(key) &&
      !overwritten.has(path) &&
      (!mayChange || !isPreferenceOrigin(path) || staysPreference(path, before, attributes)),
  )
  return left.length === origins.size ? origins : new Map(left)
}

/** Returns the origins of what a person got from a merge. What the secondary had from others stays theirs. */
export const originsGained = (
  before: PersonBefore,
  { attributes }: Pick<Person, "attributes">,
  { key, origins }: Pick<Person, "key" | "origins">,
): Origins => {
  const gained = new Map<string, SubjectKey>(preferencesGained(before, attributes, { key, origins }))
  const originOf = (path: string, whole = path) => origins.get(path) ?? origins.get(whole) ?? key
  for (const path of pathsIn({ ...before, relationships: new Map() })) gained.set(path, originOf(path))
  for (const [object, old] of before.relationships ?? []) {
    const whole = relationshipPath(object)
    if (old === null) {
      gained.set(whole, originOf(whole))
      for (const [path, origin] of origins) if (path.startsWith(`${whole}.`)) gained.set(path, origin)
    }
    for (const name of old?.keys() ?? []) gained.set(`${whole}.${name}`, originOf(`${whole}.${name}`, whole))
  }
  return gained
}

/** What came from somebody who is gone, and so is erased from what an operation overwrote. */
export interface ErasedOrigins {
  readonly paths: ReadonlySet<string>
  /** Identifiers, anonymous ids and device tokens. */
  readonly names: ReadonlySet<string>
}

/** Returns what an operation overwrote without what came from people who are gone, as if the person had never had it. */
export const withoutFrom = (
  before: PersonBefore,
  isGone: (subject: SubjectKey) => boolean,
): readonly [PersonBefore, ErasedOrigins] => {
  const paths = new Set([...(before.from ?? [])].flatMap(([path, key]) => (isGone(key) ? [path] : [])))
  if (paths.size === 0) return [before, noneErased]
  const names = new Set<string>()
  const isErased = (path: string, name: string | null | undefined) => {
    if (paths.has(path) && typeof name === "string") names.add(name)
    return paths.has(path)
  }
  const { anonymousIds, attributes, devices, from, relationships, segments, ...rest } = before
  const left = new Map([...(from ?? [])].filter(([path]) => !paths.has(path)))
  const value: PersonBefore = {
    ...rest,
    ...(isErased("id", before.id) && { id: null, idAt: null }),
    ...(isErased("email", before.email) && { email: null, emailAt: null }),
    ...(anonymousIds !== undefined && {
      anonymousIds: {
        added: anonymousIds.added.filter((one) => !isErased(anonymousIdPath(one), one)),
        removed: anonymousIds.removed.filter((one) => !isErased(anonymousIdPath(one), one)),
      },
    }),
    ...(attributes !== undefined && {
      attributes: withoutNames(withoutPreferences(attributes, paths), paths, "attributes."),
    }),
    ...(devices !== undefined && {
      devices: new Map(
        Array.from(devices, ([token, old]) => [token, isErased(devicePath(token), token) ? null : old]),
      ),
    }),
    ...(relationships !== undefined && {
      relationships: new Map(
        Array.from(relationships, ([object, old]) => {
          const path = relationshipPath(object)
          return [object, old === null || paths.has(path) ? null : withoutNames(old, paths, `${path}.`)]
        }),
      ),
    }),
    ...(segments !== undefined && {
      segments: {
        added: segments.added,
        removed: segments.removed.filter((key) => !paths.has(segmentPath(key))),
      },
    }),
    ...(left.size > 0 && { from: left }),
  }
  const changed = Array.from(paths, (path) => (isPreferenceOrigin(path) ? changedPath(path) : path))
  return [value, { paths: new Set(changed), names }]
}

const noneErased: ErasedOrigins = { paths: new Set(), names: new Set() }

const withoutNames = (
  attributes: AttributesBefore,
  paths: ReadonlySet<string>,
  prefix: string,
): AttributesBefore =>
  new Map(Array.from(attributes, ([name, old]) => [name, paths.has(prefix + name) ? null : old]))
