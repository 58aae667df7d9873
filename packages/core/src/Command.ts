import { Schema } from "effect"
import { RegisterDelivery, ReportMetric, UnsubscribeByDelivery } from "./delivery/commands.ts"
import { AddDevice, DeleteDevice } from "./device/commands.ts"
import { RecordEvent } from "./event/commands.ts"
import { collectSubmission, MapForm, SubmitForm } from "./form/commands.ts"
import type { ActivityKind } from "./log/ActivityEntry.ts"
import { NeedsCollector, type Needs } from "./Needs.ts"
import { DeleteObject, IdentifyObject } from "./object/commands.ts"
import { RejectOperation, ReportExcess } from "./operation/commands.ts"
import {
  AliasPerson,
  collectAlias,
  collectIdentify,
  DeletePerson,
  IdentifyPerson,
  MergePeople,
} from "./person/commands.ts"
import {
  ChangeObjectRelationships,
  ChangeRelationships,
  collectObjects,
  collectPeople,
} from "./relationship/commands.ts"
import {
  ChangeMembership,
  collectMembership,
  collectRule,
  CreateSegment,
  DeleteSegment,
  FinishBuild,
  FollowTime,
  ReadHistory,
  UpdateSegment,
  WalkPeople,
} from "./segment/commands.ts"
import { SuppressPerson, UnsuppressPerson } from "./suppression/commands.ts"
import type { Reference, WorkspaceId } from "./values/Identifier.ts"

/**
 * A decoded request of a client or an operator. A command is within the size limits, but its effect is not decided yet.
 */
export const Command = Schema.Union([
  IdentifyPerson,
  DeletePerson,
  SuppressPerson,
  UnsuppressPerson,
  MergePeople,
  AliasPerson,
  RecordEvent,
  AddDevice,
  DeleteDevice,
  ChangeRelationships,
  IdentifyObject,
  DeleteObject,
  ChangeObjectRelationships,
  SubmitForm,
  ChangeMembership,
  ReportMetric,
  UnsubscribeByDelivery,
  CreateSegment,
  UpdateSegment,
  DeleteSegment,
  FollowTime,
  ReadHistory,
  WalkPeople,
  FinishBuild,
  MapForm,
  RegisterDelivery,
  RejectOperation,
  ReportExcess,
])
export type Command = typeof Command.Type

/** The command with the given tag. */
export type CommandOf<Tag extends Command["_tag"]> = Extract<Command, { readonly _tag: Tag }>

/** Returns the kind of log entry that records a command, or null for a command of an operator. */
export const kindOf = (command: Command): ActivityKind | null => {
  switch (command._tag) {
    case "IdentifyPerson":
      return "identify"
    case "DeletePerson":
      return "delete"
    case "SuppressPerson":
      return "suppress"
    case "UnsuppressPerson":
      return "unsuppress"
    case "MergePeople":
    case "AliasPerson":
      return "merge"
    case "AddDevice":
      return "add_device"
    case "DeleteDevice":
      return "delete_device"
    case "ChangeRelationships":
    case "ChangeObjectRelationships":
      return command.action === "add" ? "add_relationships" : "delete_relationships"
    case "IdentifyObject":
      return "object_identify"
    case "DeleteObject":
      return "object_delete"
    case "SubmitForm":
      return "form_submission"
    case "ChangeMembership":
      return command.action === "add" ? "segment_add" : "segment_remove"
    case "ReportMetric":
      return "delivery_metric"
    case "UnsubscribeByDelivery":
      return "unsubscribe"
    case "RecordEvent":
    case "RejectOperation":
      return command.kind
    case "FollowTime":
    case "WalkPeople":
    case "FinishBuild":
      return "segment_change"
    case "CreateSegment":
    case "UpdateSegment":
    case "DeleteSegment":
    case "ReadHistory":
    case "MapForm":
    case "RegisterDelivery":
    case "ReportExcess":
      return null
  }
}

/**
 * Returns references to the people and visitors that a command acts on. The person or visitor that the command is
 * mainly about comes first. People listed in a request about an object are not included.
 */
export const targetsOf = (command: Command): ReadonlyArray<Reference> => {
  switch (command._tag) {
    case "IdentifyPerson":
    case "DeletePerson":
    case "SuppressPerson":
    case "UnsuppressPerson":
    case "AddDevice":
    case "DeleteDevice":
    case "ChangeRelationships":
      return [command.target]
    case "RecordEvent":
      return command.target === null ? [] : [command.target]
    case "MergePeople":
      return [command.primary, command.secondary]
    case "AliasPerson":
      return [command.target, command.previous]
    case "IdentifyObject":
    case "DeleteObject":
    case "ChangeObjectRelationships":
    case "SubmitForm":
    case "ChangeMembership":
    case "ReportMetric":
    case "UnsubscribeByDelivery":
    case "CreateSegment":
    case "UpdateSegment":
    case "DeleteSegment":
    case "FollowTime":
    case "ReadHistory":
    case "WalkPeople":
    case "FinishBuild":
    case "MapForm":
    case "RegisterDelivery":
    case "RejectOperation":
    case "ReportExcess":
      return []
  }
}

/** Returns the keys of all rows that the store must load before commands of a workspace can be decided. */
export const needsOf = (workspace: WorkspaceId, commands: ReadonlyArray<Command>): Needs => {
  const needs = new NeedsCollector(workspace)
  for (const command of commands) {
    collect(needs, command)
    for (const { identifier } of command.faults) {
      if (identifier !== undefined) needs.identifier(identifier.kind, identifier.value)
    }
    noteConcerns(needs.concerns, command)
    if (command.deduplicationKey !== null) needs.deduplication.add(command.deduplicationKey)
  }
  return needs
}

/** Most commands are events without a device, which change nobody. */
const noteConcerns = (concerns: NeedsCollector["concerns"], command: Command): void => {
  concerns.receivedAt = Math.max(concerns.receivedAt, command.receivedAt)
  if (command._tag === "RecordEvent" && command.device === null) {
    const kind = command.kind === "anonymous_event" ? "event" : command.kind
    concerns.events.add(`${kind} ${command.name}`)
  } else concerns.others = true
  if (command._tag === "IdentifyObject" || command._tag === "DeleteObject") concerns.objects = true
}

const collect = (needs: NeedsCollector, command: Command): void => {
  switch (command._tag) {
    case "IdentifyPerson":
      return collectIdentify(needs, command)
    case "DeletePerson":
    case "SuppressPerson":
    case "UnsuppressPerson":
      return needs.reference(command.target)
    case "RecordEvent":
      needs.reference(command.target)
      return needs.device(command.device)
    case "AliasPerson":
      return collectAlias(needs, command)
    case "MergePeople":
      needs.reference(command.primary)
      return needs.reference(command.secondary)
    case "AddDevice":
    case "DeleteDevice":
      needs.reference(command.target)
      return needs.device(command)
    case "ChangeRelationships":
      needs.reference(command.target)
      return collectObjects(needs, command.entries)
    case "IdentifyObject":
    case "ChangeObjectRelationships":
      needs.object(command.object)
      return collectPeople(needs, command.entries)
    case "DeleteObject":
      return needs.object(command.object)
    case "SubmitForm":
      return collectSubmission(needs, command)
    case "ChangeMembership":
      return collectMembership(needs, command)
    case "ReportMetric":
    case "UnsubscribeByDelivery":
      return needs.delivery(command.deliveryId)
    case "RegisterDelivery":
      needs.delivery(command.deliveryId)
      return needs.reference(command.person)
    case "MapForm":
      return needs.form(command.formId)
    case "DeleteSegment":
      return needs.subject(command.segment)
    case "FollowTime":
      return needs.subject(command.person)
    case "CreateSegment":
      return collectRule(needs, command)
    case "UpdateSegment":
      needs.subject(command.segment)
      return collectRule(needs, command)
    case "ReadHistory":
      needs.subject(command.build)
      for (const { subject } of command.found) needs.subject(subject)
      return
    case "WalkPeople":
      needs.subject(command.build)
      for (const person of command.people) needs.subject(person)
      return
    case "FinishBuild":
      return needs.subject(command.build)
    case "RejectOperation":
      for (const { kind, value } of command.sent?.identifiers ?? []) needs.identifier(kind, value)
      return
    case "ReportExcess":
      return
  }
  command satisfies never
}
