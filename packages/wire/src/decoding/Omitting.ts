import { isJsonObject, setKey, type Json, type JsonObject } from "@inlethq/core/values/Json"
import {
  isOmitPreset,
  parseOmitPath,
  type OmitPath,
  type OmitPreset,
  type OmitRoot,
} from "@inlethq/core/workspace/OmitPath"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Result } from "effect"
import { defaultBrand } from "./Brand.ts"
import { jsonDepthMax } from "./measure.ts"
import { carryChanges } from "./sentText.ts"
import { withoutQuery, withoutTokens } from "./urlCuts.ts"

/** A key of paths: the keys below it, and what is done with its value. */
interface Step {
  readonly next: Map<string, Step>
  /** The path that ends here, as entries name it. Its value is left out. */
  ends: string | null
  /** The path of a URL, as entries name it. A part of its value is left out. */
  url: string | null
}

/** The paths that a workspace omits, by the part of a call that they begin with. */
export interface Mask {
  readonly roots: { readonly [root in OmitRoot]?: Step }
  /** Leaves out a part of a URL. */
  readonly cut: (url: string) => string
}

/** Returns whether a workspace omits anything, so that nothing may be kept of what cannot be taken apart. */
export const omitsAnything = ({ omit }: Pick<Workspace, "omit">): boolean => omit.length > 0

/**
 * Returns whether a workspace omits a key of the context that the request itself says too: `userAgent` is its `User-Agent`, and
 * `ip` its address.
 */
export const omitsOfContext = (workspace: Pick<Workspace, "omit">, key: "ip" | "userAgent"): boolean =>
  (maskOf(workspace)?.roots.context?.next.get(key)?.ends ?? null) !== null

const masks = new WeakMap<Workspace["omit"], Mask>()

/**
 * Returns what a workspace omits, or undefined if that is nothing. The settings of a workspace are one object until they change, so
 * its paths are parsed once for each version.
 */
export const maskOf = ({ omit }: Pick<Workspace, "omit">): Mask | undefined => {
  if (omit.length === 0) return undefined
  const known = masks.get(omit)
  if (known !== undefined) return known
  const mask = makeMask(omit)
  masks.set(omit, mask)
  return mask
}

const makeMask = (omit: Workspace["omit"]): Mask => {
  const roots: { [root in OmitRoot]?: Step } = {}
  const add = (text: string, sort: "ends" | "url") => {
    const parsed = parseOmitPath(text)
    if (Result.isFailure(parsed)) return
    const path = parsed.success
    addPath((roots[path.root] ??= newStep()), path.keys, sort, shownPath(text, path))
  }
  const presets = omit.filter(isOmitPreset)
  for (const path of omit) if (!isOmitPreset(path)) add(path, "ends")
  if (presets.length > 0) for (const path of urlPaths) add(path, "url")
  const cuts = presets.map((preset) => urlCuts[preset])
  return { roots, cut: (url) => cuts.reduce((rest, cut) => cut(rest), url) }
}

const urlCuts: { readonly [preset in OmitPreset]: (url: string) => string } = {
  "url-query": (url) => withoutTokens(withoutQuery(url)),
  "url-tokens": withoutTokens,
}

/** Where calls have URLs, in the spelling of the libraries of browsers and apps (contract §13 *omit*). */
const urlPaths = [
  "context.page.url",
  "context.page.search",
  "context.page.referrer",
  "context.page.path",
  "context.referrer",
  "context.referrer.url",
  "context.referrer.link",
  "properties.url",
  "properties.search",
  "properties.referrer",
  "properties.path",
  "properties.href",
  "properties.link",
]

const newStep = (): Step => ({ next: new Map(), ends: null, url: null })

/** Entries name paths in the context without their root (contract §13 *omit*). */
const shownPath = (text: string, { root }: OmitPath): string =>
  root === "context" ? text.slice("context.".length) : text

/** Adds a path in every accepted spelling of its keys. */
const addPath = (
  step: Step,
  [key, ...below]: ReadonlyArray<string>,
  sort: "ends" | "url",
  shown: string,
): void => {
  if (key === undefined) {
    step[sort] ??= shown
    return
  }
  const name = defaultBrand.names.get(key)
  for (const spelling of (name && defaultBrand.spellings.get(name)) ?? [key]) {
    let next = step.next.get(spelling)
    if (next === undefined) step.next.set(spelling, (next = newStep()))
    addPath(next, below, sort, shown)
  }
}

/**
 * The most levels of a value that are searched. Decoders leave out what is nested deeper, and it is not kept with rejected calls
 * either.
 */
export const levelsMax = jsonDepthMax + 2

/** Leaves values out of one call, and notes which paths it found. Nothing that it is given is changed. */
export class Omitting {
  readonly found = new Set<string>()
  private readonly mask: Mask

  constructor(mask: Mask) {
    this.mask = mask
  }

  context(value: Json): Json {
    return this.below("context", value)
  }

  /** `skip` are keys that are no properties. */
  properties(value: Json, skip: ReadonlySet<string> = noKeys): Json {
    return this.below("properties", value, skip)
  }

  traits(value: Json, skip: ReadonlySet<string> = noKeys): Json {
    const { traits } = this.mask.roots
    return traits === undefined ? value : this.withoutDotted(this.below("traits", value, skip), traits)
  }

  private below(root: OmitRoot, value: Json, skip: ReadonlySet<string> = noKeys): Json {
    const step = this.mask.roots[root]
    return step === undefined ? value : this.without(value, step, levelsMax, skip)
  }

  private without(value: Json, step: Step, levels: number, skip: ReadonlySet<string> = noKeys): Json {
    if (typeof value === "string") return step.url === null ? value : this.url(value, step.url)
    if (typeof value !== "object" || value === null || levels === 0) return value
    if (!isJsonObject(value)) return this.eachWithout(value, step, levels - 1)
    const left: Array<string> = []
    const changed = new Map<string, Json>()
    for (const [key, next] of step.next) {
      if (!Object.hasOwn(value, key) || skip.has(key)) continue
      if (next.ends !== null) {
        this.found.add(next.ends)
        left.push(key)
        continue
      }
      const inner = value[key] ?? null
      const rest = this.without(inner, next, levels - 1)
      if (rest !== inner) changed.set(key, rest)
    }
    return left.length === 0 && changed.size === 0 ? value : copyOf(value, left, changed)
  }

  /** Leaves out a part of a URL that stands at a path. A text that is none stays as it is. */
  url(text: string, path: string): string {
    const rest = this.mask.cut(text)
    if (rest !== text) this.found.add(path)
    return rest
  }

  /** A path goes through a list into each of its elements. */
  private eachWithout(list: ReadonlyArray<Json>, step: Step, levels: number): Json {
    return changeItems(list, (item) => this.without(item, step, levels))
  }

  /** Subscription preferences can be sent with dotted names, such as `cio_subscription_preferences.topics.topic_1`. */
  private withoutDotted(value: Json, traits: Step): Json {
    const preferences = traits.next.get("svc_subscription_preferences")
    if (preferences === undefined || !isJsonObject(value)) return value
    const left = Object.keys(value).filter((name) => {
      const path = dottedPath(name)
      const ends = path === undefined ? null : endOf(preferences, path)
      if (ends !== null) this.found.add(ends)
      return ends !== null
    })
    return left.length === 0 ? value : copyOf(value, left)
  }
}

const noKeys: ReadonlySet<string> = new Set()

const dottedPath = (name: string): ReadonlyArray<string> | undefined => {
  const prefix = defaultBrand.preferencePaths.find((path) => name.startsWith(path))
  return prefix === undefined ? undefined : name.slice(prefix.length).split(".")
}

/** Returns the path that ends at keys or above them, or null if none does. */
const endOf = (step: Step, keys: ReadonlyArray<string>): string | null => {
  let at: Step | undefined = step
  for (const key of keys) {
    if (at.ends !== null) return at.ends
    at = at.next.get(key)
    if (at === undefined) return null
  }
  return at.ends
}

/** Copies an object without some keys. What is noted of its values is noted of those of the copy. */
const copyOf = (
  value: JsonObject,
  left: ReadonlyArray<string>,
  changed: ReadonlyMap<string, Json> = new Map(),
): JsonObject => {
  const copy: { [key: string]: Json } = {}
  for (const [key, inner] of Object.entries(value)) {
    if (!left.includes(key)) setKey(copy, key, changed.has(key) ? (changed.get(key) ?? null) : inner)
  }
  carryChanges(value, copy)
  return copy
}

/** Replaces the value of a key by what `change` makes of it. An object that does not have the key stays as it is. */
export const changeKey = (object: JsonObject, key: string, change: (value: Json) => Json): JsonObject => {
  if (!Object.hasOwn(object, key)) return object
  const value = object[key] ?? null
  const changed = change(value)
  return changed === value ? object : copyOf(object, [], new Map([[key, changed]]))
}

/** Replaces the elements of a list by what `change` makes of them. */
export const changeItems = (list: Json, change: (item: Json) => Json): Json => {
  if (!Array.isArray(list)) return list
  let copy: Array<Json> | undefined
  for (const [index, item] of list.entries()) {
    const changed = change(item)
    if (changed !== item) (copy ??= [...list])[index] = changed
  }
  if (copy === undefined) return list
  carryChanges(list, copy)
  return copy
}
