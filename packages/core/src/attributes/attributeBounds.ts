import type { Limits } from "../workspace/Limits.ts"
import { noPreferences, type PreferenceBounds } from "../state/preferenceBounds.ts"
import { isReserved, type Attributes } from "../state/Attributes.ts"

/** The limits on the attributes of a person, an object, a relationship or a device (the owner of the attributes). */
export interface AttributeBounds {
  readonly countMax: number
  /** The largest number of bytes that the names and values of all attributes may have together. */
  readonly bytesMax: number
  /** The name of the attributes' owner in error messages, such as "a person". */
  readonly owner: string
  /** The prefix of attribute names in the paths of field changes. */
  readonly pathPrefix: string
  /**
   * Whether names with a meaning of their own, such as `created_at`, are reserved and cannot be names of ordinary
   * attributes.
   */
  readonly hasReserved: boolean
  readonly preferences: PreferenceBounds
}

export const personBounds = (limits: Limits): AttributeBounds => ({
  countMax: limits.attributesPerPersonMax,
  bytesMax: Infinity,
  owner: "a person",
  pathPrefix: "attributes.",
  hasReserved: true,
  preferences: limits,
})

export const objectBounds = (limits: Limits): AttributeBounds => ({
  countMax: limits.attributesPerObjectMax,
  bytesMax: limits.objectAttributesBytesMax,
  owner: "an object",
  pathPrefix: "attributes.",
  hasReserved: false,
  preferences: noPreferences,
})

export const relationshipBounds = (limits: Limits, path: string): AttributeBounds => ({
  ...objectBounds(limits),
  owner: "a relationship",
  pathPrefix: path,
})

export const deviceBounds = ({ attributesPerPersonMax }: Limits, path: string): AttributeBounds => ({
  countMax: attributesPerPersonMax,
  bytesMax: Infinity,
  owner: "a device",
  pathPrefix: path,
  hasReserved: false,
  preferences: noPreferences,
})

/** Returns the number of attributes that are set, not counting the reserved attributes of a person. */
export const countPresent = (
  attributes: Attributes,
  { hasReserved }: Pick<AttributeBounds, "hasReserved">,
): number => {
  let count = 0
  for (const [name, { value }] of attributes) {
    if (value !== null && !(hasReserved && isReserved(name))) count++
  }
  return count
}
