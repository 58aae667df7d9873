import type { ActivityEntry, ActivitySource } from "@inlethq/core/log/ActivityEntry"
import type { KeptValue } from "@inlethq/core/log/KeptValue"
import type { RefusedValue } from "@inlethq/core/log/RefusedValue"
import { preferencesName } from "@inlethq/core/state/preferenceBounds"
import { isJsonObject, type Json, type JsonObject } from "@inlethq/core/values/Json"

/*
 * An entry keeps what was stored. These functions put back what was sent: the values that were left out, and those that
 * were read otherwise.
 */

/** Returns whether the names of attributes stand without a path, as in an identify of the Track API v1. */
export const isFlat = (source: ActivitySource, { action }: JsonObject): boolean =>
  (source === "track-v1" || source === "csv") && action === "identify"

/** The part of an entity that has its values, by action. */
const partOf = ({ action }: JsonObject): "attributes" | "device" | null => {
  switch (action) {
    case "identify":
    case "identify_anonymous":
    case "event":
    case "page":
    case "screen":
      return "attributes"
    case "add_device":
      return "device"
    default:
      return null
  }
}

/** Returns an entity with the values as they were sent, as far as the entry keeps them. */
export const sentEntity = (
  { keptAs, refused, source }: Pick<ActivityEntry, "keptAs" | "refused" | "source">,
  entity: JsonObject,
): JsonObject => {
  const part = partOf(entity)
  if (part === null || (keptAs.length === 0 && refused.length === 0)) return entity
  let sent = entity
  const flat = isFlat(source, entity)
  // The columns of a file are keys as they are, also those with a dot.
  const hasDots = source === "csv" && isEvent(entity)
  // Each is put before the values that are there, so that they are refused in the same order.
  const placed = new Set(refused.flatMap(({ path }) => (prefix.test(path) ? [path.replace(prefix, "")] : [])))
  for (const one of refused.toReversed()) {
    if (!placed.has(one.path)) sent = withRefused(sent, part, { isFlat: flat, hasDots }, one)
  }
  for (const one of keptAs) sent = withSent(sent, part, one)
  return sent
}

const identifiers: ReadonlySet<string> = new Set(["id", "email", "anonymous_id"])

const prefix = /^(?:attributes|traits|properties|data|device)\./

const withRefused = (
  entity: JsonObject,
  part: "attributes" | "device",
  { hasDots, isFlat }: { readonly isFlat: boolean; readonly hasDots: boolean },
  { cutFrom, path, value }: RefusedValue,
): JsonObject => {
  if (cutFrom !== null || value === null || path === "") return entity
  const name = path.replace(prefix, "")
  const isOwn = isFlat || name !== path || (identifiers.has(name) && !isEvent(entity))
  if (!isOwn || (name.includes(".") && !hasDots)) return entity
  const own = entity[part]
  const others =
    own !== undefined && isJsonObject(own) ? Object.entries(own).filter(([key]) => key !== name) : []
  return { ...entity, [part]: Object.fromEntries([[name, value], ...others]) }
}

const isEvent = ({ action }: JsonObject): boolean =>
  action === "event" || action === "page" || action === "screen"

/**
 * Puts back a value that was read otherwise. Digits and characters that parsing changes cannot be written in JSON as they
 * were sent.
 */
const withSent = (
  entity: JsonObject,
  part: "attributes" | "device",
  { cutFrom, path, sent, why }: KeptValue,
): JsonObject => {
  if (cutFrom !== null || sent === null) return entity
  switch (why) {
    case "not_boolean":
    case "topic_text":
    case "unknown_topic_text":
      return setIn(entity, [part, ...namesIn(entity, part, path.replace(prefix, ""))], sent)
    case "data_beside_attributes":
      return setIn(entity, ["data"], sent)
    case "flat_field_repeated":
      return setIn(entity, [path], sent)
    case "flat_field": {
      const { attributes } = entity
      const others = isJsonObject(attributes)
        ? Object.fromEntries(Object.entries(attributes).filter(([name]) => name !== path))
        : {}
      return setIn({ ...entity, attributes: others }, [path], sent)
    }
    case "rounded":
    case "characters":
    // These stand beside the values, where only the Pipelines API has something.
    case "not_an_object":
      return entity
  }
}

const topics = `${preferencesName}.topics.`

/** A topic stands in an object, or under a name with dots. */
const namesIn = (entity: JsonObject, part: string, name: string): ReadonlyArray<string> => {
  const own = entity[part]
  return name.startsWith(topics) && isJsonObject(own) && Object.hasOwn(own, preferencesName)
    ? [preferencesName, "topics", name.slice(topics.length)]
    : [name]
}

/** Sets a value in nested objects. Names come from clients, so none is assigned to. */
const setIn = (object: JsonObject, [name = "", ...rest]: ReadonlyArray<string>, value: Json): JsonObject => {
  const inner = Object.hasOwn(object, name) ? object[name] : undefined
  const set = rest.length === 0 ? value : setIn(isJsonObject(inner) ? inner : {}, rest, value)
  return Object.hasOwn(object, name)
    ? Object.fromEntries(Object.entries(object).map(([key, own]) => [key, key === name ? set : own]))
    : Object.fromEntries([...Object.entries(object), [name, set]])
}
