import type { Json, JsonObject } from "@inlet/core/values/Json"

/** The names that carry the service's brand, as the core spells them (contract §1). */
export const brandedNames = [
  "svc_id",
  "svc_object_id",
  "svc_relationships",
  "svc_subscription_preferences",
  "svc_sdk_version",
  "_svc_name",
  "_svc_customer_id",
  "_svc_timestamp",
] as const
export type BrandedName = (typeof brandedNames)[number]

/** The one table of the prefixes that clients may write; the first is how the core spells them. */
const defaultPrefixes = ["svc", "cio"] as const

/** How a deployment spells the service's brand on the wire. */
export interface Brand {
  readonly prefixes: ReadonlyArray<string>
  /** The core's name for every accepted spelling. */
  readonly names: ReadonlyMap<string, BrandedName>
  /** Every accepted spelling of a name of the core, the canonical one first. */
  readonly spellings: ReadonlyMap<BrandedName, ReadonlyArray<string>>
  /** What dotted subscription preferences begin with. */
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

/** The core's name for a key: `cio_subscription_preferences.topics.x` is `svc_subscription_preferences.topics.x`. */
export const canonicalName = (brand: Brand, key: string): string => {
  const name = brand.names.get(key)
  if (name !== undefined) return name
  for (const path of brand.preferencePaths) {
    if (key.startsWith(path)) return `svc_subscription_preferences.${key.slice(path.length)}`
  }
  return key
}

/** The value of a branded key in whichever spelling it stands; null where it is absent. */
export const readBranded = (brand: Brand, object: JsonObject, name: BrandedName): Json => {
  for (const spelling of brand.spellings.get(name) ?? []) {
    const value = object[spelling]
    if (value !== undefined && value !== null) return value
  }
  return null
}

/** What stands behind a brand's prefix, as in `cio_p000000001`; undefined where the text has none. */
export const unprefixed = (brand: Brand, text: string): string | undefined => {
  for (const prefix of brand.prefixes) {
    if (text.startsWith(prefix)) return text.slice(prefix.length)
  }
  return undefined
}
