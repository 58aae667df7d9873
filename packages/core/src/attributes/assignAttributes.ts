import type { Envelope } from "../fold/Envelope.ts"
import { isJsonObject, sameJson, type Json } from "../values/Json.ts"
import type { Fault } from "../log/Outcome.ts"
import { isPreferencePath, pathOf, preferencesName } from "../state/preferenceBounds.ts"
import { isBefore, isStale, toIso, type EpochMillis } from "../values/Timestamp.ts"
import { decisionTexts } from "../log/operationTexts.ts"
import type { Assignment, Attributes } from "../state/Attributes.ts"
import { preferenceAt } from "../state/storedPreferences.ts"
import type { AttributeBounds } from "./attributeBounds.ts"
import { AttributesDraft, type UpdateResult } from "./AttributesDraft.ts"

/**
 * Applies an update to each attribute. An older update never overwrites a newer value. If two updates have the same
 * time, the update that arrives later wins (track-api §2.1 `_timestamp`, contract §6). An attribute that would
 * exceed a limit is left out with a fault. Returns the attributes with a new value or time. Adds the field changes for
 * the log entry, and the faults, to `visible`.
 */
export const assignAttributes = (
  current: Attributes,
  assignments: ReadonlyArray<Assignment>,
  { at, receivedAt }: Pick<Envelope, "at" | "receivedAt">,
  bounds: AttributeBounds,
  visible: UpdateResult,
): Attributes => {
  const mayOverflow = bounds.bytesMax < Infinity || current.size + assignments.length > bounds.countMax
  const draft = new AttributesDraft(current, bounds, mayOverflow, visible)
  for (const { name, value } of mayOverflow ? removalsFirst(assignments) : assignments) {
    if (bounds.hasReserved && name === preferencesName && !canBePreferences(value)) {
      visible.faults.push({ ...notPreferences, value })
      continue
    }
    const known = draft.get(name)
    if (known !== undefined && isStale(at, known.at, receivedAt)) {
      visible.faults.push({ ...staleFault(draft.pathOf(name), at, known.at), value })
      continue
    }
    draft.set(name, known, { value: value === "" ? null : value, at })
    if (bounds.hasReserved && name === preferencesName)
      visible.faults.push(...staleTopics(current, value, at))
  }
  return draft.written
}

/**
 * Puts removals first, so that they make room for the attributes that the same update sets. Reordering is allowed
 * because the order of keys in a JSON object has no meaning.
 */
const removalsFirst = (assignments: ReadonlyArray<Assignment>): ReadonlyArray<Assignment> => {
  const byName = new Map<string, Assignment>()
  for (const assignment of assignments) {
    byName.delete(assignment.name)
    byName.set(assignment.name, assignment)
  }
  const last = [...byName.values()]
  return [...last.filter(({ value }) => isRemoval(value)), ...last.filter(({ value }) => !isRemoval(value))]
}

const isRemoval = (value: Json): boolean => value === null || value === ""

/**
 * Returns a fault for each stale topic in the preferences object `whole`. A topic is stale if another value with a
 * newer time is stored under its dotted name (such as `svc_subscription_preferences.topics.news`).
 */
const staleTopics = (current: Attributes, whole: Json, at: EpochMillis): ReadonlyArray<Fault> =>
  [...current].flatMap(([name, stamped]) => {
    if (!isPreferencePath(name) || !isBefore(at, stamped.at)) return []
    const given = preferenceAt(whole, pathOf(name))
    return given === null || sameJson(given, stamped.value)
      ? []
      : [{ ...staleFault(name, at, stamped.at), value: given }]
  })

/** Returns the fault of a value that is older than the stored one. */
export const staleFault = (field: string, sent: EpochMillis, stored: EpochMillis): Fault =>
  decisionTexts.stale(field, { sent: toIso(sent), stored: toIso(stored) })

/** Subscription preferences must be an object (track-api §2.1). The values null and "" remove the preferences. */
const canBePreferences = (value: Json): boolean => isRemoval(value) || isJsonObject(value)

const notPreferences = decisionTexts.preferencesNotObject(preferencesName)
