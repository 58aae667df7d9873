import { Schema } from "effect"
import { brandedNames } from "./Brand.ts"

/**
 * The brand prefix of names in the output of a deployment: in ingestion responses, and in the paths and reasons of
 * activity entries (contract §16). Requests may use either prefix. Activity entries are stored with `svc`, which is
 * replaced when an entry is read.
 */
export const WrittenBrand = Schema.Literals(["svc", "cio"])
export type WrittenBrand = typeof WrittenBrand.Type

/**
 * Replaces the prefix `svc` of every known name in a text by `brand`, for example `svc_id` by `cio_id`. Names inside
 * longer words are not replaced.
 */
export const textInBrand = (brand: WrittenBrand, text: string): string =>
  brand === "svc" ? text : text.replace(brandedWord, (name) => inBrand(brand, name))

const brandedWord = new RegExp(`(?<!\\w)(?:${brandedNames.join("|")})(?!\\w)`, "g")

/**
 * Returns the path of a field change. A brand prefix `svc` is replaced by `brand`. Two parts of a path can have a brand
 * prefix: the name of an attribute, and `svc_subscription_preferences` at the beginning.
 */
export const pathInBrand = (brand: WrittenBrand, path: string): string => {
  if (brand === "svc") return path
  if (path === preferences || path.startsWith(`${preferences}.`)) return inBrand(brand, path)
  const start = path.startsWith(attributes) ? attributes.length : path.lastIndexOf(".") + 1
  const name = path.slice(start)
  return isBranded(name) ? path.slice(0, start) + inBrand(brand, name) : path
}

const attributes = "attributes."
const preferences = "svc_subscription_preferences"

const isBranded = (name: string): boolean => brandedNames.some((known) => known === name)

/** Replaces the prefix `svc` of a name by `brand`. An underscore may precede the prefix, as in `_svc_name`. */
const inBrand = (brand: WrittenBrand, name: string): string => name.replace("svc_", `${brand}_`)
