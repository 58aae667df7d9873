import type {
  ChangeObjectRelationships,
  ChangeRelationships,
  PersonEntry,
} from "@inlethq/core/relationship/commands"
import type { DeleteObject, IdentifyObject } from "@inlethq/core/object/commands"
import type { Outcome } from "@inlethq/core/log/Outcome"
import { assignAll, objectRoom } from "./modelAttributes.ts"
import { touch } from "./modelHolder.ts"
import { resolveHolder, holderOf } from "./modelPeople.ts"
import { changeObjects, ensureObject, objectNamed, relate, unrelate } from "./modelRelationships.ts"
import type { FreshKeys, Model, ModelObject } from "./modelState.ts"
import { namesSuppressed } from "./modelSuppression.ts"

export const identifyObject = (model: Model, command: IdentifyObject, fresh: FreshKeys): Outcome => {
  const found = ensureObject(model, command, fresh, command.object)
  if (found === null) return "dropped"
  const { created, object } = found
  const { assignments, at } = command
  const assigned = assignAll(object.attributes, assignments, at, objectRoom(command.workspace))
  if (assigned.wrote) object.updatedAt = command.receivedAt
  const failures =
    command.faults.length + assigned.leftOut + relateAll(model, command, fresh, object, command.entries)
  if (failures > 0) return "partial"
  return created ? "created" : "applied"
}

export const changeObjectRelationships = (
  model: Model,
  command: ChangeObjectRelationships,
  fresh: FreshKeys,
): Outcome => {
  const { entries, faults, object: reference } = command
  if (command.action === "delete") {
    const object = objectNamed(model, reference)
    if (object === null) return "dropped"
    return faults.length + unrelateAll(model, command, object) > 0 ? "partial" : "applied"
  }
  const found = ensureObject(model, command, fresh, reference)
  if (found === null) return "dropped"
  const failures = faults.length + relateAll(model, command, fresh, found.object, entries)
  if (failures > 0) return "partial"
  return found.created ? "created" : "applied"
}

/**
 * Relates people and visitors to an object. Returns the number of people that were left out plus the number of
 * attributes that were left out.
 */
const relateAll = (
  model: Model,
  command: IdentifyObject | ChangeObjectRelationships,
  fresh: FreshKeys,
  object: ModelObject,
  entries: ReadonlyArray<PersonEntry>,
): number => {
  let failures = 0
  for (const { assignments, person: reference } of entries) {
    if (namesSuppressed(model, reference)) {
      failures += 1
      continue
    }
    const found = resolveHolder(model, command, fresh, reference)
    if (found.is === "unknown") {
      failures += 1
      continue
    }
    const holder = found.is === "person" ? found.person : found.visitor
    const related = relate(holder, object.key, assignments, command)
    failures += related.leftOut
    if (related.wrote) touch(command, holder)
  }
  return failures
}

/** Removes relationships of people and visitors with an object. Skips relationships that do not exist. */
const unrelateAll = (model: Model, command: ChangeObjectRelationships, object: ModelObject): number => {
  let failures = 0
  for (const { person: reference } of command.entries) {
    if (namesSuppressed(model, reference)) {
      failures += 1
      continue
    }
    const found = holderOf(model, command, reference)
    if (found.is === "unknown") continue
    const holder = found.is === "person" ? found.person : found.visitor
    if (unrelate(holder, object.key)) touch(command, holder)
  }
  return failures
}

/** Predicts the outcome of a request about a person that adds or removes relationships. */
export const changeRelationships = (
  model: Model,
  command: ChangeRelationships,
  fresh: FreshKeys,
): Outcome => {
  const { action, entries, faults, target } = command
  const found =
    action === "add" ? resolveHolder(model, command, fresh, target) : holderOf(model, command, target)
  if (found.is === "unknown") return "dropped"
  const holder = found.is === "person" ? found.person : found.visitor
  const changed = changeObjects(model, command, fresh, holder, action, entries)
  if (changed.wrote || found.is === "visitor") touch(command, holder)
  // A relationship added to a visitor is pending until the visitor is identified. A removal takes effect at once.
  if (found.is === "visitor" && action === "add") return "pending"
  if (changed.failures + faults.length > 0) return "partial"
  return found.is === "person" && found.created ? "created" : "applied"
}

export const deleteObject = (model: Model, command: DeleteObject): Outcome => {
  const object = objectNamed(model, command.object)
  if (object === null) return "dropped"
  model.objects = model.objects.filter((one) => one !== object)
  for (const holder of [...model.people, ...model.visitors]) unrelate(holder, object.key)
  return command.faults.length > 0 ? "partial" : "applied"
}
