import type { Json, JsonObject } from "@inlethq/core/values/Json"
import { brandedNames, type BrandedName } from "../texts/brandedNames.ts"

/** The accepted brand prefixes of names such as `svc_id` and `cio_id`. `packages/core` uses the first prefix. */
const defaultPrefixes = ["svc", "cio"] as const

/** The spellings that a deployment accepts for names with a brand prefix, such as `svc_id` and `cio_id`. */
export interface Brand {
  readonly prefixes: ReadonlyArray<string>
  /** Maps each accepted spelling of a name to the spelling that `packages/core` uses. */
  readonly names: ReadonlyMap<string, BrandedName>
  /**
   * Maps each name, as `packages/core` spells it, to all its accepted spellings. The spelling of `packages/core` comes
   * first.
   */
  readonly spellings: ReadonlyMap<BrandedName, ReadonlyArray<string>>
  /** The accepted prefixes of subscription preferences with dotted names, such as `cio_subscription_preferences.`. */
  readonly preferencePaths: ReadonlyArray<string>
}

export const makeBrand = (prefixes: readonly [string, ...ReadonlyArray<string>]): Brand => {
  const spell = (name: string) => prefixes.map((prefix) => name.replace("svc_", () => `${prefix}_`))
  return {
    prefixes: prefixes.map((prefix) => `${prefix}_`),
    names: new Map(brandedNames.flatMap((name) => spell(name).map((spelling) => [spelling, name] as const))),
    spellings: new Map(brandedNames.map((name) => [name, spell(name)] as const)),
    preferencePaths: spell("svc_subscription_preferences."),
  }
}

export const defaultBrand = makeBrand(defaultPrefixes)

/**
 * Returns a key in the spelling that `packages/core` uses. `cio_subscription_preferences.topics.x` becomes
 * `svc_subscription_preferences.topics.x`. A key without a brand prefix is returned unchanged.
 */
export const canonicalName = (brand: Brand, key: string): string => {
  const name = brand.names.get(key)
  if (name !== undefined) return name
  for (const path of brand.preferencePaths) {
    if (key.startsWith(path)) return `svc_subscription_preferences.${key.slice(path.length)}`
  }
  return key
}

/**
 * Returns the value of a branded key in any accepted spelling, such as `svc_id` or `cio_id`. Returns null if the key is
 * missing.
 */
export const readBranded = (brand: Brand, object: JsonObject, name: BrandedName): Json => {
  for (const spelling of brand.spellings.get(name) ?? []) {
    const value = object[spelling]
    if (value !== undefined && value !== null) return value
  }
  return null
}

/**
 * Returns a text without its brand prefix, such as `p11000000001` for `cio_p11000000001`. Returns undefined if the text
 * has no brand prefix.
 */
export const unprefixed = (brand: Brand, text: string): string | undefined => {
  for (const prefix of brand.prefixes) {
    if (text.startsWith(prefix)) return text.slice(prefix.length)
  }
  return undefined
}
