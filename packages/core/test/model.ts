import type { Command } from "@inlethq/core/Command"
import type { Outcome } from "@inlethq/core/log/Outcome"
import { registerDelivery, reportMetric, unsubscribe } from "./modelDeliveries.ts"
import { addDevice, deleteDevice } from "./modelDevices.ts"
import { mapForm, submitForm } from "./modelForms.ts"
import { alias, merge } from "./modelMerge.ts"
import {
  changeObjectRelationships,
  changeRelationships,
  deleteObject,
  identifyObject,
} from "./modelObjects.ts"
import { identify, record, remove } from "./modelPeople.ts"
import { changeMembership, createSegment, deleteSegment } from "./modelSegments.ts"
import type { FreshKeys, Model, ModelAnswer } from "./modelState.ts"
import { isIgnored, suppress, unsuppress } from "./modelSuppression.ts"

/*
 * A simple model of the contract. Tests compare `packages/core` with the model, which shares no code with
 * `packages/core` and finds everything by searching arrays.
 */

/** Applies one command and returns its outcome. */
export const applyToModel = (model: Model, given: Command, fresh: FreshKeys): ModelAnswer => {
  // Nothing counts as later than its receipt.
  const command = { ...given, at: Math.min(given.at, given.receivedAt) }
  const step = model.steps
  model.steps += 1
  const key = command.deduplicationKey
  // A deduplication key is free again once its log entry is erased, unless the entry is about a deleted object.
  const claims = (one: Model["claimed"][number]) =>
    one.key === key && (one.ofObject || !fresh.isErased(one.step))
  if (key !== null && command._tag !== "RejectOperation" && model.claimed.some(claims))
    return { outcome: "duplicate", ids: null }
  const answer = decided(model, command, fresh, step)
  const ofObject = command._tag === "IdentifyObject" || command._tag === "DeleteObject"
  // A rejected call does not use up its deduplication key, so the client may send it again.
  if (key !== null && answer.outcome !== "rejected") model.claimed.push({ key, step, ofObject })
  return answer
}

const decided = (model: Model, command: Command, fresh: FreshKeys, step: number): ModelAnswer => {
  if (isIgnored(model, command)) return { outcome: "ignored", ids: null }
  return command._tag === "ChangeMembership"
    ? changeMembership(model, command)
    : { outcome: outcomeOf(model, command, fresh, step), ids: null }
}

const outcomeOf = (
  model: Model,
  command: Exclude<Command, { _tag: "ChangeMembership" }>,
  fresh: FreshKeys,
  step: number,
): Outcome => {
  switch (command._tag) {
    case "IdentifyPerson":
      return identify(model, command, fresh)
    case "DeletePerson":
      return remove(model, command)
    case "SuppressPerson":
      return suppress(model, command)
    case "UnsuppressPerson":
      return unsuppress(model, command)
    case "MergePeople":
      return merge(model, command)
    case "AliasPerson":
      return alias(model, command, fresh)
    case "RecordEvent":
      return record(model, command, step)
    case "AddDevice":
      return addDevice(model, command, fresh)
    case "DeleteDevice":
      return deleteDevice(model, command)
    case "ChangeRelationships":
      return changeRelationships(model, command, fresh)
    case "IdentifyObject":
      return identifyObject(model, command, fresh)
    case "ChangeObjectRelationships":
      return changeObjectRelationships(model, command, fresh)
    case "DeleteObject":
      return deleteObject(model, command)
    case "SubmitForm":
      return submitForm(model, command, fresh)
    case "ReportMetric":
      return reportMetric(model, command)
    case "UnsubscribeByDelivery":
      return unsubscribe(model, command)
    case "CreateSegment":
      return createSegment(model, command, fresh)
    case "DeleteSegment":
      return deleteSegment(model, command)
    case "UpdateSegment":
      return model.segments.some(({ key }) => key === command.segment) ? "applied" : "dropped"
    case "ReadHistory":
    case "WalkPeople":
    case "FinishBuild":
    case "UnmergePeople":
      return "dropped"
    case "FollowTime":
      return model.people.some(({ key }) => key === command.person) ? "applied" : "dropped"
    case "MapForm":
      return mapForm(model, command)
    case "RegisterDelivery":
      return registerDelivery(model, command)
    case "ReportExcess":
    case "RepeatErasure":
      return "applied"
    case "RejectOperation":
      return "rejected"
  }
}
