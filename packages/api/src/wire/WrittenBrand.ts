import { Schema } from "effect"
import { brandedNames } from "./Brand.ts"

/**
 * The prefix that a deployment writes in the answers of ingestion and in the paths and reasons of activity entries (contract
 * §16). Both are accepted on input. Entries are stored with `svc` and rendered when they are read.
 */
export const WrittenBrand = Schema.Literals(["svc", "cio"])
export type WrittenBrand = typeof WrittenBrand.Type

/** Returns the text with each branded name in the spelling of the brand; a name is a whole word. */
export const textInBrand = (brand: WrittenBrand, text: string): string =>
  brand === "svc" ? text : text.replace(brandedWord, (name) => inBrand(brand, name))

const brandedWord = new RegExp(`(?<!\\w)(?:${brandedNames.join("|")})(?!\\w)`, "g")

/**
 * Returns a path of a change in the spelling of the brand. Its branded part is an attribute's whole name, or the beginning of
 * a dotted preference.
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

/** Replaces the prefix of a name or of a path that begins with one; a name may begin with an underscore. */
const inBrand = (brand: WrittenBrand, name: string): string => name.replace("svc_", `${brand}_`)
