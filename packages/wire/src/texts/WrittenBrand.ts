import { Schema } from "effect"
import { brandedNames } from "./brandedNames.ts"

/**
 * The brand prefix of names in the output of a deployment: in ingestion responses, and in the paths and reasons of
 * activity entries (contract §1). Requests may use either prefix. Activity entries are stored with `svc`, which is
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
 * Returns the path of a field. A brand prefix `svc` is replaced by `brand` in the names that the server knows: at the
 * beginning of the path or of an attribute's name, and in the last part of the path. The keys of an event's data are the
 * client's own.
 */
export const pathInBrand = (brand: WrittenBrand, path: string): string => {
  if (brand === "svc" || ofClient.some((prefix) => path.startsWith(prefix))) return path
  const start = path.startsWith(attributes) ? attributes.length : 0
  const rest = path.slice(start)
  if (rest === preferences || rest.startsWith(`${preferences}.`))
    return path.slice(0, start) + inBrand(brand, rest)
  if (rest.startsWith(`${relationships}.`))
    return path.slice(0, start) + pathInBrand(brand, inBrand(brand, rest))
  const last = start === 0 ? path.lastIndexOf(".") + 1 : start
  const name = path.slice(last)
  return isBranded(name) ? path.slice(0, last) + inBrand(brand, name) : path
}

const attributes = "attributes."
const ofClient = ["data.", "properties."]
const preferences = "svc_subscription_preferences"
const relationships = "svc_relationships"

const isBranded = (name: string): boolean => brandedNames.some((known) => known === name)

/** Replaces the prefix `svc` of a name by `brand`. An underscore may precede the prefix, as in `_svc_name`. */
const inBrand = (brand: WrittenBrand, name: string): string => name.replace("svc_", `${brand}_`)
