import type { AliasPerson, MergePeople } from "@inlethq/core/person/commands"
import type { Outcome } from "@inlethq/core/log/Outcome"
import { haveTooMany, inheritHolder, personRoom } from "./modelAttributes.ts"
import { identify } from "./modelPeople.ts"
import {
  personByIdentifier,
  knownVisitor,
  resolveReference,
  type FreshKeys,
  type Model,
  type ModelPerson,
} from "./modelState.ts"

export const merge = (model: Model, command: MergePeople): Outcome => {
  const primary = resolveReference(model, command.primary).person
  const secondary = resolveReference(model, command.secondary).person
  if (primary === null || secondary === null || primary === secondary) return "dropped"
  if (haveTooMany(primary, secondary, personRoom(command.workspace))) return "dropped"
  const failures = command.faults.length + absorb(model, command, primary, secondary)
  return failures > 0 ? "partial" : "applied"
}

/**
 * Moves the secondary's data to the primary, except data that the primary already has. Returns the number of attributes
 * that did not fit.
 */
const absorb = (model: Model, command: MergePeople, primary: ModelPerson, secondary: ModelPerson): number => {
  model.people = model.people.filter((person) => person !== secondary)
  for (const kind of ["id", "email"] as const) {
    if (primary[kind] !== null || secondary[kind] === null) continue
    primary[kind] = secondary[kind]
    primary.setAt[kind] = secondary.setAt[kind]
  }
  primary.anonymousIds.push(...secondary.anonymousIds)
  for (const segment of secondary.segments)
    if (!primary.segments.includes(segment)) primary.segments.push(segment)
  for (const event of model.events.filter(({ owner }) => owner === secondary.key)) {
    event.owner = primary.key
    event.merged = true
  }
  for (const delivery of model.deliveries)
    if (delivery.person === secondary.key) delivery.person = primary.key
  primary.updatedAt = command.receivedAt
  return inheritHolder(primary, secondary, command.workspace, "ignore times")
}

/** Merges two people, or attaches a previous id that is known only as an anonymous id (contract §6, §13). */
export const alias = (model: Model, command: AliasPerson, fresh: FreshKeys): Outcome => {
  const { previous, previousId, target, ...rest } = command
  const isPerson = resolveReference(model, previous).person !== null
  const isAnonymous =
    personByIdentifier(model, "anonymous_id", previousId) !== null ||
    knownVisitor(model, command, previousId) !== null
  if (isPerson || !isAnonymous)
    return merge(model, { ...rest, _tag: "MergePeople", primary: target, secondary: previous })
  return identify(
    model,
    {
      ...rest,
      _tag: "IdentifyPerson",
      target,
      id: null,
      email: null,
      removeEmail: false,
      anonymousId: previousId,
      assignments: [],
      relationships: null,
      device: null,
      updateOnly: false,
    },
    fresh,
  )
}
