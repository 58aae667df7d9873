import type { Assignment } from "@inlethq/core/state/Attributes"
import type { Command } from "@inlethq/core/Command"
import type { ObjectEntry } from "@inlethq/core/relationship/commands"
import type { ObjectReference } from "@inlethq/core/values/Identifier"
import { assignAll, objectRoom, type Assigned, type ModelHolder } from "./modelAttributes.ts"
import type { FreshKeys, Model, ModelObject } from "./modelState.ts"

export const objectNamed = (model: Model, reference: ObjectReference): ModelObject | null =>
  model.objects.find((object) => {
    return reference._tag === "BySvcObjectId"
      ? object.key === reference.key
      : object.typeId === reference.typeId && object.objectId === reference.objectId
  }) ?? null

/** Returns the object in a command, and creates it if its type and id are unknown. */
export const ensureObject = (
  model: Model,
  command: Command,
  fresh: FreshKeys,
  reference: ObjectReference,
): { object: ModelObject; created: boolean } | null => {
  const known = objectNamed(model, reference)
  if (known !== null) return { object: known, created: false }
  if (reference._tag === "BySvcObjectId") return null
  const { objectId, typeId } = reference
  const object: ModelObject = {
    key: fresh.object(typeId, objectId),
    typeId,
    objectId,
    attributes: [],
    createdAt: command.receivedAt,
    updatedAt: command.receivedAt,
  }
  model.objects.push(object)
  return { object, created: true }
}

/**
 * Relates a person or visitor to an object. If they are related already, merges the attributes into the relationship.
 */
export const relate = (
  holder: ModelHolder,
  object: number,
  assignments: ReadonlyArray<Assignment>,
  command: Command,
): Assigned => {
  let relationship = holder.relationships.find((one) => one.object === object)
  const isNew = relationship === undefined
  if (relationship === undefined) {
    relationship = { object, attributes: [] }
    holder.relationships.push(relationship)
  }
  const assigned = assignAll(relationship.attributes, assignments, command.at, objectRoom(command.workspace))
  return { leftOut: assigned.leftOut, wrote: assigned.wrote || isNew }
}

/** Removes a relationship. Returns whether it existed. */
export const unrelate = (holder: ModelHolder, object: number): boolean => {
  const left = holder.relationships.filter((one) => one.object !== object)
  const wrote = left.length < holder.relationships.length
  holder.relationships = left
  return wrote
}

/**
 * Applies the relationships of a request about a person. Leaves out an unknown svc_object_id when adding, and skips
 * relationships that do not exist when removing.
 */
export const changeObjects = (
  model: Model,
  command: Command,
  fresh: FreshKeys,
  holder: ModelHolder,
  action: "add" | "delete",
  entries: ReadonlyArray<ObjectEntry>,
): { failures: number; wrote: boolean } => {
  const changed = { failures: 0, wrote: false }
  for (const { assignments, object: reference } of entries) {
    if (action === "delete") {
      const object = objectNamed(model, reference)
      if (object !== null && unrelate(holder, object.key)) changed.wrote = true
      continue
    }
    const found = ensureObject(model, command, fresh, reference)
    if (found === null) changed.failures += 1
    else {
      const related = relate(holder, found.object.key, assignments, command)
      changed.failures += related.leftOut
      changed.wrote ||= related.wrote
    }
  }
  return changed
}
