import { exceedsBytes, isJsonObject, sameJson, setKey, type Json, type JsonObject } from "../values/Json.ts"

/** The largest number of bytes of a text that describes clients, and of the JSON of such a list. */
const describingTextMax = 256

/** The keys of a context that describe the client and hold a single value. */
const single: ReadonlySet<string> = new Set(["userAgent", "locale", "timezone"])

/** The keys of a context that hold objects, with those of their keys that describe the client. */
const grouped: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["library", new Set(["name", "version"])],
  ["userAgentData", new Set(["brands", "mobile", "platform"])],
  ["os", new Set(["name", "version"])],
  ["app", new Set(["name", "version", "build"])],
  ["screen", new Set(["width", "height", "density"])],
  ["network", new Set(["wifi", "cellular", "bluetooth", "carrier"])],
  ["device", new Set(["manufacturer", "model", "type"])],
])

/** A context in two parts: what describes the client, which many calls share, and what is the person's own. */
export interface SplitContext {
  readonly described: JsonObject
  readonly own: JsonObject
}

/**
 * Splits a context. A value describes the client only if it is a single short one, or a list of such values or of objects of such
 * values that is short as a whole, as browsers tell their brands. Equal descriptions have their keys in the
 * same order only if they were sent so; `joinContext` gives back an equal context.
 */
export const splitContext = (context: JsonObject): SplitContext => {
  const described: { [key: string]: Json } = {}
  const own: { [key: string]: Json } = {}
  for (const [key, value] of Object.entries(context)) {
    const inner = grouped.get(key)
    if (inner === undefined || !isJsonObject(value)) {
      if (single.has(key) && describes(value)) described[key] = value
      else setKey(own, key, value)
      continue
    }
    let shared: { [key: string]: Json } | undefined
    let rest: { [key: string]: Json } | undefined
    for (const [name, item] of Object.entries(value)) {
      if (inner.has(name) && describes(item)) (shared ??= {})[name] = item
      else setKey((rest ??= {}), name, item)
    }
    if (shared !== undefined) described[key] = shared
    if (rest !== undefined || shared === undefined) own[key] = rest ?? {}
  }
  return { described, own }
}

/** What describes a client, with the number of its values. */
export interface Description {
  readonly described: JsonObject
  readonly values: number
}

export const descriptionOf = (described: JsonObject): Description => {
  let values = 0
  for (const value of Object.values(described)) values += isJsonObject(value) ? Object.keys(value).length : 1
  return { described, values }
}

/**
 * Returns the own part of a context if its other part is the given one, and undefined if it is not. Takes a third of the time of
 * `splitContext`, because nothing is built but what is returned.
 */
export const ownBeside = (
  context: JsonObject,
  { described, values }: Description,
): JsonObject | undefined => {
  const own: { [key: string]: Json } = {}
  let found = 0
  for (const key in context) {
    const value = context[key] ?? null
    const inner = grouped.get(key)
    if (inner !== undefined && isJsonObject(value)) {
      const known = described[key]
      const rest = restBeside(value, inner, isJsonObject(known) ? known : noValues)
      if (rest === undefined) return undefined
      found += rest.found
      if (rest.own !== undefined || rest.found === 0) own[key] = rest.own ?? {}
    } else if (!single.has(key)) setKey(own, key, value)
    else if (isSame(value, described[key])) found++
    else if (describes(value)) return undefined
    else setKey(own, key, value)
  }
  return found === values ? own : undefined
}

const noValues: JsonObject = {}

/** Does the same for the object of one key of a context. */
const restBeside = (object: JsonObject, inner: ReadonlySet<string>, known: JsonObject) => {
  let own: { [key: string]: Json } | undefined
  let found = 0
  for (const name in object) {
    const item = object[name] ?? null
    if (inner.has(name)) {
      if (isSame(item, known[name])) {
        found++
        continue
      }
      if (describes(item)) return undefined
    }
    setKey((own ??= {}), name, item)
  }
  return { own, found }
}

const isSame = (value: Json, known: Json | undefined): boolean =>
  known !== undefined && sameJson(value, known)

/** Joins the parts of a context again. */
export const joinContext = ({ described, own }: SplitContext): JsonObject => {
  const whole: { [key: string]: Json } = {}
  for (const [key, value] of Object.entries(described)) whole[key] = value
  for (const [key, value] of Object.entries(own)) {
    const shared = whole[key]
    const isBoth = Object.hasOwn(whole, key) && isJsonObject(shared) && isJsonObject(value)
    setKey(whole, key, isBoth ? { ...shared, ...value } : value)
  }
  return whole
}

const describes = (value: Json): boolean =>
  typeof value === "object"
    ? Array.isArray(value) && value.every(isFlat) && !exceedsBytes(JSON.stringify(value), describingTextMax)
    : isShort(value)

const isShort = (value: Json): boolean =>
  typeof value === "string"
    ? !exceedsBytes(value, describingTextMax)
    : typeof value === "number" || typeof value === "boolean"

/** Returns whether an item of a list holds single values only. */
const isFlat = (item: Json): boolean =>
  isJsonObject(item) ? Object.values(item).every(isShort) : isShort(item)
