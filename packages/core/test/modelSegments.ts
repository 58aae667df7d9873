import type { ChangeMembership, CreateSegment, DeleteSegment } from "@inlethq/core/segment/commands"
import type { Outcome } from "@inlethq/core/log/Outcome"
import { resolveReference, type FreshKeys, type Model, type ModelAnswer } from "./modelState.ts"
import { namesSuppressed } from "./modelSuppression.ts"

export const createSegment = (model: Model, command: CreateSegment, fresh: FreshKeys): Outcome => {
  const { description, name } = command
  model.segments.push({ key: fresh.segment(), name, description })
  return "created"
}

export const deleteSegment = (model: Model, command: DeleteSegment): Outcome => {
  const segment = model.segments.find(({ key }) => key === command.segment)
  if (segment === undefined) return "dropped"
  model.segments = model.segments.filter((one) => one !== segment)
  for (const person of model.people) person.segments = person.segments.filter((key) => key !== segment.key)
  return "applied"
}

export const changeMembership = (model: Model, command: ChangeMembership): ModelAnswer => {
  const segment = model.segments.find((one) => one.key === command.segment)
  if (segment === undefined) return { outcome: "rejected", ids: null }
  const ids = { applied: 0, ignored: 0 }
  for (const reference of command.people) {
    const { person } = resolveReference(model, reference)
    const isOut = namesSuppressed(model, reference)
    // A person without an id cannot be removed from a segment.
    if (person === null || isOut || (command.action === "remove" && person.id === null)) {
      ids.ignored += 1
      continue
    }
    ids.applied += 1
    person.segments = person.segments.filter((key) => key !== segment.key)
    if (command.action === "add") person.segments.push(segment.key)
  }
  return { outcome: command.faults.length > 0 ? "partial" : "applied", ids }
}
