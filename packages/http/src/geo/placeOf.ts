import type { Provenance } from "@inlethq/core/log/Provenance"

/** The longest name of a region or a city, in characters. Longer ones are cut. */
const placeNameMax = 100

export type Place = NonNullable<Provenance["geo"]>

/**
 * Returns the place in a record of a database, or undefined without a country. It reads the records of MaxMind and DB-IP, where
 * names are in several languages, and flat ones such as those of IPinfo. Names are English.
 */
export const placeOf = (record: unknown): Place | undefined => {
  const country = countryIn(record)
  if (country === undefined) return undefined
  const [subdivision] = listAt(record, "subdivisions")
  const region = nameIn(subdivision) ?? textAt(record, "region") ?? textAt(record, "state1")
  const city = nameIn(valueAt(record, "city")) ?? textAt(record, "city")
  return { country, ...(region !== undefined && { region }), ...(city !== undefined && { city }) }
}

const countryIn = (record: unknown): string | undefined => {
  const code =
    textAt(valueAt(record, "country"), "iso_code") ??
    textAt(valueAt(record, "registered_country"), "iso_code") ??
    textAt(record, "country_code") ??
    textAt(record, "country")
  return code !== undefined && /^[a-z]{2}$/i.test(code) ? code.toUpperCase() : undefined
}

const nameIn = (place: unknown): string | undefined => textAt(valueAt(place, "names"), "en")

const valueAt = (record: unknown, key: string): unknown =>
  typeof record === "object" && record !== null && Object.hasOwn(record, key)
    ? Reflect.get(record, key)
    : undefined

const textAt = (record: unknown, key: string): string | undefined => {
  const value = valueAt(record, key)
  return typeof value === "string" && value !== "" ? value.slice(0, placeNameMax).toWellFormed() : undefined
}

const listAt = (record: unknown, key: string): ReadonlyArray<unknown> => {
  const value = valueAt(record, key)
  return Array.isArray(value) ? value : []
}
