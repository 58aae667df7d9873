import { decisionTexts } from "../log/operationTexts.ts"
import type { Json, JsonObject } from "../values/Json.ts"
import type { Limits } from "../workspace/Limits.ts"
import type { Fault } from "../log/Outcome.ts"
import { PreferencesDocument, topicsIn } from "./PreferencesDocument.ts"

/** The attribute that holds subscription preferences as a whole. */
export const preferencesName = "svc_subscription_preferences"

/**
 * The prefix of subscription preferences with dotted names, such as `svc_subscription_preferences.topics.news`. Each
 * such preference has its own time and its own path in changes (contract §6).
 */
const preferencePath = `${preferencesName}.`

/** Returns whether an attribute is a single preference with a dotted name. The comparison of lengths is for speed. */
export const isPreferencePath = (name: string): boolean =>
  name.length >= preferencePath.length && name.startsWith(preferencePath)

/** Returns whether an attribute is the preferences object or a single preference with a dotted name. */
export const isPreference = (name: string): boolean => name === preferencesName || isPreferencePath(name)

/**
 * Returns the path in a dotted name of a preference (such as `svc_subscription_preferences.topics.news`), as a list of
 * keys.
 */
export const pathOf = (name: string): ReadonlyArray<string> => name.slice(preferencePath.length).split(".")

/** The limits of one person's subscription preferences as a whole (contract §5 *preferences*). */
export type PreferenceBounds = Pick<Limits, "preferencesBytesMax" | "topicsPerPersonMax">

export const noPreferences: PreferenceBounds = { preferencesBytesMax: Infinity, topicsPerPersonMax: Infinity }

/**
 * Returns the topics that fit into the limits in addition to the topics of `document`. Returns a fault for each topic
 * that does not fit (contract §5 *preferences*).
 */
export const keepPreferences = (
  preferences: JsonObject,
  bounds: PreferenceBounds,
  document = new PreferencesDocument(null),
): { readonly kept: JsonObject; readonly faults: ReadonlyArray<Fault> } => {
  const own = new PreferencesDocument(preferences)
  if (document.isEmpty && excessOf(own, bounds) === undefined) return { kept: preferences, faults: [] }
  const faults: Array<Fault> = []
  const kept = new PreferencesDocument(null)
  for (const [path, value] of topicsIn(preferences)) {
    const fault = document.has(path) ? undefined : putWithin(document, path, value ?? null, bounds)
    if (fault === undefined) kept.put(path, value)
    else faults.push({ ...fault([preferencesName, ...path].join(".")), value: value ?? null })
  }
  return { kept: kept.toJson(), faults }
}

interface Assigned {
  readonly name: string
  readonly value: Json
}

/**
 * Checks an update of preferences against the limits. Returns a fault for each preference with a dotted name that does
 * not fit. The preferences object of the update counts first. Then the preferences with dotted names count, in their
 * order.
 */
export const excessPaths = <A extends Assigned>(
  assignments: ReadonlyArray<A>,
  bounds: PreferenceBounds,
): ReadonlyMap<A, Fault> => {
  const whole = assignments.findLast(({ name }) => name === preferencesName)
  const document = new PreferencesDocument(whole?.value ?? null)
  const excess = new Map<A, Fault>()
  for (const assignment of assignments) {
    const { name, value } = assignment
    if (!isPreferencePath(name)) continue
    const fault = putWithin(document, pathOf(name), value === "" ? null : value, bounds)
    if (fault !== undefined) excess.set(assignment, { ...fault(name), value })
  }
  return excess
}

/** A function that creates the fault of a preference that exceeds a limit. `field` is the path of the preference. */
export type FaultOf = (field: string) => Fault

/**
 * Sets a value in preferences, or returns a fault if the value would exceed a limit. A change that makes the
 * preferences smaller always fits.
 */
export const putWithin = (
  document: PreferencesDocument,
  path: ReadonlyArray<string>,
  value: Json,
  bounds: PreferenceBounds,
): FaultOf | undefined => {
  const { bytes, topics } = document
  const undo = document.put(path, value)
  const fault = excessOf(document, bounds, { bytes, topics })
  if (fault !== undefined) undo()
  return fault
}

export const excessOf = (
  { bytes, topics }: PreferencesDocument,
  { preferencesBytesMax, topicsPerPersonMax }: PreferenceBounds,
  before: Pick<PreferencesDocument, "bytes" | "topics"> = { bytes: 0, topics: 0 },
): FaultOf | undefined => {
  if (topics > Math.max(before.topics, topicsPerPersonMax)) {
    return (field) => decisionTexts.tooManyTopics(field, { topic: field, max: topicsPerPersonMax })
  }
  if (bytes > Math.max(before.bytes, preferencesBytesMax)) {
    return (field) => decisionTexts.preferencesTooLarge(field, { topic: field, bytes: preferencesBytesMax })
  }
  return undefined
}
