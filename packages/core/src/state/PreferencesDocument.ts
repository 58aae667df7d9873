import { isJsonObject, utf8Bytes, type Json, type JsonObject } from "../values/Json.ts"

/** Preferences are stored in maps instead of objects, so that setting a value does not copy its neighbours. */
type Branch = Map<string, Node>
type Node = Branch | Exclude<Json, JsonObject>

/**
 * The key of the object that holds the topics in the preferences. Each key inside this object counts as a topic, and so
 * does each other key of the preferences.
 */
const topicsKey = "topics"

/**
 * Mutable subscription preferences that always know their size as JSON and their number of topics (contract §5
 * *preferences*).
 */
export class PreferencesDocument {
  private readonly root: Branch
  private bytesNow: number
  private topicsNow: number

  constructor(preferences: Json) {
    const root = nodeOf(preferences)
    this.root = root instanceof Map ? root : new Map()
    this.bytesNow = bytesOf(this.root)
    this.topicsNow = 0
    for (const [key, node] of this.root) this.topicsNow += topicsAt(key, node)
  }

  get bytes(): number {
    return this.bytesNow
  }

  get topics(): number {
    return this.topicsNow
  }

  get isEmpty(): boolean {
    return this.root.size === 0
  }

  has(path: ReadonlyArray<string>): boolean {
    let node: Node | undefined = this.root
    for (const key of path) node = node instanceof Map ? node.get(key) : undefined
    return node !== undefined
  }

  /**
   * Sets the value at a path, or removes the value if `value` is null. Replaces values on the path that are not
   * objects. Moves each key of the path to the end of the object that contains the key. Returns a function that undoes
   * the change.
   */
  put(path: ReadonlyArray<string>, value: Json): () => void {
    const [first = ""] = path
    const [bytes, topics] = [this.bytesNow, this.topicsNow]
    const topicsBefore = topicsAt(first, this.root.get(first))
    let branch = this.root
    let depth = 0
    for (; depth < path.length - 1; depth++) {
      const key = path[depth] ?? ""
      const next = branch.get(key)
      if (!(next instanceof Map)) break
      replace(branch, key, next)
      branch = next
    }
    const key = path[depth] ?? ""
    const before = branch.get(key)
    const sizeBefore = sizeIn(branch, key)
    replace(branch, key, nodeBelow(path.slice(depth + 1), value))
    this.bytesNow += sizeIn(branch, key) - sizeBefore
    this.topicsNow += topicsAt(first, this.root.get(first)) - topicsBefore
    return () => {
      replace(branch, key, before)
      this.bytesNow = bytes
      this.topicsNow = topics
    }
  }

  toJson(): JsonObject {
    return objectOf(this.root)
  }
}

/** Returns the topics of preferences as paths with their values. */
export const topicsIn = (preferences: JsonObject): ReadonlyArray<readonly [ReadonlyArray<string>, Json]> =>
  Object.entries(preferences).flatMap(([key, value]): Array<readonly [ReadonlyArray<string>, Json]> =>
    key === topicsKey && isJsonObject(value)
      ? Object.entries(value).map(([topic, of]) => [[key, topic], of])
      : [[[key], value]],
  )

const topicsAt = (key: string, node: Node | undefined): number => {
  if (node === undefined) return 0
  return key === topicsKey && node instanceof Map ? node.size : 1
}

const replace = (branch: Branch, key: string, node: Node | undefined): void => {
  branch.delete(key)
  if (node !== undefined) branch.set(key, node)
}

const nodeOf = (value: Json): Node =>
  isJsonObject(value) ? new Map(Object.entries(value).map(([key, one]) => [key, nodeOf(one)])) : leafOf(value)

/** Returns the value with a narrower type. The leaves of preferences are never objects. */
const leafOf = (value: Json): Exclude<Json, JsonObject> => (isJsonObject(value) ? null : value)

/**
 * Returns nested maps for the keys of a path, with the value under the last key. A null value is left out. Returns
 * undefined if the path is empty and the value is null.
 */
const nodeBelow = (path: ReadonlyArray<string>, value: Json): Node | undefined => {
  const [key, ...rest] = path
  if (key === undefined) return value === null ? undefined : nodeOf(value)
  const node = nodeBelow(rest, value)
  return new Map(node === undefined ? [] : [[key, node]])
}

/**
 * Returns how many bytes a key and its value add to the JSON of their object. Counts a comma if the object has other
 * keys. Returns 0 if the key is missing.
 */
const sizeIn = (branch: Branch, key: string): number => {
  const node = branch.get(key)
  if (node === undefined) return 0
  return textBytes(key) + 1 + bytesOf(node) + (branch.size > 1 ? 1 : 0)
}

const bytesOf = (node: Node): number => {
  if (!(node instanceof Map)) return utf8Bytes(JSON.stringify(node))
  let bytes = 2 + Math.max(0, node.size - 1)
  for (const [key, one] of node) bytes += textBytes(key) + 1 + bytesOf(one)
  return bytes
}

const textBytes = (text: string) => utf8Bytes(JSON.stringify(text))

const objectOf = (branch: Branch): JsonObject =>
  Object.fromEntries(Array.from(branch, ([key, node]) => [key, node instanceof Map ? objectOf(node) : node]))
