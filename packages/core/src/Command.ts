import { Schema } from "effect"
import { RegisterDelivery, ReportMetric, UnsubscribeByDelivery } from "./delivery/commands.ts"
import { AddDevice, DeleteDevice } from "./device/commands.ts"
import { RepeatErasure } from "./erasure/commands.ts"
import { RecordEvent } from "./event/commands.ts"
import { MapForm, SubmitForm } from "./form/commands.ts"
import { DeleteObject, IdentifyObject } from "./object/commands.ts"
import { RejectOperation, ReportExcess } from "./operation/commands.ts"
import { AliasPerson, DeletePerson, IdentifyPerson, MergePeople, UnmergePeople } from "./person/commands.ts"
import { ChangeObjectRelationships, ChangeRelationships } from "./relationship/commands.ts"
import {
  ChangeMembership,
  CreateSegment,
  DeleteSegment,
  FinishBuild,
  FollowTime,
  ReadHistory,
  UpdateSegment,
  WalkPeople,
} from "./segment/commands.ts"
import { SuppressPerson, UnsuppressPerson } from "./suppression/commands.ts"

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
  UnmergePeople,
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
  RepeatErasure,
])
export type Command = typeof Command.Type

/** The command with the given tag. */
export type CommandOf<Tag extends Command["_tag"]> = Extract<Command, { readonly _tag: Tag }>
