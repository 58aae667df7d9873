import type { Command } from "./Command.ts"
import type { Verdict } from "./decision/Verdict.ts"
import { collectRepeated } from "./erasure/commands.ts"
import { repeatErasure } from "./erasure/transitions.ts"
import { registerDelivery, reportMetric, unsubscribeByDelivery } from "./delivery/transitions.ts"
import { addDevice, deleteDevice } from "./device/transitions.ts"
import { recordEvent } from "./event/transitions.ts"
import { collectSubmission } from "./form/commands.ts"
import { mapForm, submitForm } from "./form/transitions.ts"
import type { ActivityKind } from "./log/ActivityEntry.ts"
import { NeedsCollector, type Needs } from "./fold/Needs.ts"
import { deleteObject, identifyObject } from "./object/transitions.ts"
import { collectSent } from "./operation/commands.ts"
import { rejectOperation, reportExcess } from "./operation/transitions.ts"
import { collectAlias, collectErased, collectIdentify, collectUnmerge } from "./person/commands.ts"
import { aliasPerson, mergePeople } from "./person/merge.ts"
import { deletePerson, identifyPerson } from "./person/transitions.ts"
import { unmergePeople } from "./person/unmerge.ts"
import { collectObjects, collectPeople } from "./relationship/commands.ts"
import { changeObjectRelationships, changeRelationships } from "./relationship/transitions.ts"
import { finishBuild, readHistory, walkPeople } from "./segment/buildTransitions.ts"
import { collectHistory, collectMembership, collectRule, collectWalk } from "./segment/commands.ts"
import {
  changeMembership,
  createSegment,
  deleteSegment,
  followTime,
  updateSegment,
} from "./segment/transitions.ts"
import { suppressPerson, unsuppressPerson } from "./suppression/transitions.ts"
import type { Reference, WorkspaceId } from "./values/Identifier.ts"
import type { WorkingSet } from "./fold/WorkingSet.ts"

type Tag = Command["_tag"]

/** All commands that have one of the given tags, as a type that TypeScript can relate to their rows. */
type Tagged<Tags extends Tag> = {
  [T in Tags]: Extract<Command, { readonly _tag: T }> & { readonly _tag: T }
}[Tags]

/** What is done with the commands of one tag. */
interface Row<C extends Command> {
  /** The kind of log entry that records the command, or null for a command of an operator. */
  readonly kind: (command: C) => ActivityKind | null
  /**
   * References to the people and visitors that the command acts on. The person or visitor that the command is mainly about
   * comes first. People listed in a request about an object are not included.
   */
  readonly targets: (command: C) => ReadonlyArray<Reference>
  /** Adds the keys of the rows that the store must load before the command can be decided. */
  readonly needs: (needs: NeedsCollector, command: C) => void
  /** Decides the command, without writing into the working set. */
  readonly decide: (state: WorkingSet, command: C) => Verdict
}

const target = (command: { readonly target: Reference }): ReadonlyArray<Reference> => [command.target]

const nobody = (): ReadonlyArray<Reference> => []

const operators = (): null => null

const segmentChange = (): ActivityKind => "segment_change"

const relationshipKind = ({ action }: { readonly action: "add" | "delete" }): ActivityKind =>
  action === "add" ? "add_relationships" : "delete_relationships"

const table: { readonly [T in Tag]: Row<Tagged<T>> } = {
  IdentifyPerson: {
    kind: () => "identify",
    targets: target,
    needs: (needs, command) => {
      needs.looksBack = true
      collectIdentify(needs, command)
    },
    decide: identifyPerson,
  },
  DeletePerson: {
    kind: () => "delete",
    targets: target,
    needs: collectErased,
    decide: deletePerson,
  },
  SuppressPerson: {
    kind: () => "suppress",
    targets: target,
    needs: collectErased,
    decide: suppressPerson,
  },
  UnsuppressPerson: {
    kind: () => "unsuppress",
    targets: target,
    needs: (needs, { target }) => needs.reference(target),
    decide: unsuppressPerson,
  },
  MergePeople: {
    kind: () => "merge",
    targets: ({ primary, secondary }) => [primary, secondary],
    needs: (needs, { primary, secondary }) => {
      needs.merges = true
      needs.looksBack = true
      needs.reference(primary)
      needs.reference(secondary)
    },
    decide: mergePeople,
  },
  AliasPerson: {
    kind: () => "merge",
    targets: ({ previous, target }) => [target, previous],
    needs: (needs, command) => {
      needs.merges = true
      needs.looksBack = true
      collectAlias(needs, command)
    },
    decide: aliasPerson,
  },
  UnmergePeople: {
    kind: () => "unmerge",
    targets: nobody,
    needs: collectUnmerge,
    decide: unmergePeople,
  },
  RecordEvent: {
    kind: ({ kind }) => kind,
    targets: ({ target }) => (target === null ? [] : [target]),
    needs: (needs, { device, target }) => {
      needs.reference(target, needs.concerns.eventTargets)
      needs.device(device)
    },
    decide: recordEvent,
  },
  AddDevice: {
    kind: () => "add_device",
    targets: target,
    needs: (needs, command) => {
      needs.reference(command.target)
      needs.device(command)
    },
    decide: addDevice,
  },
  DeleteDevice: {
    kind: () => "delete_device",
    targets: target,
    needs: (needs, command) => {
      needs.reference(command.target)
      needs.device(command)
    },
    decide: deleteDevice,
  },
  ChangeRelationships: {
    kind: relationshipKind,
    targets: target,
    needs: (needs, { entries, target }) => {
      needs.reference(target)
      collectObjects(needs, entries)
    },
    decide: changeRelationships,
  },
  IdentifyObject: {
    kind: () => "object_identify",
    targets: nobody,
    needs: (needs, { entries, object }) => {
      needs.object(object)
      collectPeople(needs, entries)
    },
    decide: identifyObject,
  },
  DeleteObject: {
    kind: () => "object_delete",
    targets: nobody,
    needs: (needs, { object }) => needs.object(object),
    decide: deleteObject,
  },
  ChangeObjectRelationships: {
    kind: relationshipKind,
    targets: nobody,
    needs: (needs, { entries, object }) => {
      needs.object(object)
      collectPeople(needs, entries)
    },
    decide: changeObjectRelationships,
  },
  SubmitForm: {
    kind: () => "form_submission",
    targets: nobody,
    needs: (needs, command) => {
      needs.looksBack = true
      collectSubmission(needs, command)
    },
    decide: submitForm,
  },
  ChangeMembership: {
    kind: ({ action }) => (action === "add" ? "segment_add" : "segment_remove"),
    targets: nobody,
    needs: collectMembership,
    decide: changeMembership,
  },
  ReportMetric: {
    kind: () => "delivery_metric",
    targets: nobody,
    needs: (needs, { deliveryId }) => needs.delivery(deliveryId),
    decide: reportMetric,
  },
  UnsubscribeByDelivery: {
    kind: () => "unsubscribe",
    targets: nobody,
    needs: (needs, { deliveryId }) => needs.delivery(deliveryId),
    decide: unsubscribeByDelivery,
  },
  CreateSegment: {
    kind: operators,
    targets: nobody,
    needs: collectRule,
    decide: createSegment,
  },
  UpdateSegment: {
    kind: operators,
    targets: nobody,
    needs: (needs, command) => {
      needs.subject(command.segment)
      collectRule(needs, command)
    },
    decide: updateSegment,
  },
  DeleteSegment: {
    kind: operators,
    targets: nobody,
    needs: (needs, { segment }) => needs.subject(segment),
    decide: deleteSegment,
  },
  FollowTime: {
    kind: segmentChange,
    targets: nobody,
    needs: (needs, { person }) => needs.subject(person),
    decide: followTime,
  },
  ReadHistory: {
    kind: operators,
    targets: nobody,
    needs: collectHistory,
    decide: readHistory,
  },
  WalkPeople: {
    kind: segmentChange,
    targets: nobody,
    needs: collectWalk,
    decide: walkPeople,
  },
  FinishBuild: {
    kind: segmentChange,
    targets: nobody,
    needs: (needs, { build }) => needs.subject(build),
    decide: finishBuild,
  },
  MapForm: {
    kind: operators,
    targets: nobody,
    needs: (needs, { formId }) => needs.form(formId),
    decide: mapForm,
  },
  RegisterDelivery: {
    kind: operators,
    targets: nobody,
    needs: (needs, { deliveryId, person }) => {
      needs.delivery(deliveryId)
      needs.reference(person)
    },
    decide: registerDelivery,
  },
  RejectOperation: {
    kind: ({ kind }) => kind,
    targets: nobody,
    needs: () => undefined,
    decide: rejectOperation,
  },
  ReportExcess: {
    kind: operators,
    targets: nobody,
    needs: () => undefined,
    decide: (_, command) => reportExcess(command),
  },
  RepeatErasure: { kind: operators, targets: nobody, needs: collectRepeated, decide: repeatErasure },
}

const rowOf = <T extends Tag>(command: Tagged<T>): Row<Tagged<T>> => table[command._tag]

export const kindOf = (command: Command): ActivityKind | null => rowOf(command).kind(command)

export const targetsOf = (command: Command): ReadonlyArray<Reference> => rowOf(command).targets(command)

export const verdictOn = (state: WorkingSet, command: Command): Verdict =>
  rowOf(command).decide(state, command)

/** Returns the keys of all rows that the store must load before commands of a workspace can be decided. */
export const needsOf = (workspace: WorkspaceId, commands: ReadonlyArray<Command>): Needs => {
  const needs = new NeedsCollector(workspace)
  for (const command of commands) {
    rowOf(command).needs(needs, command)
    for (const { identifier } of command.faults) {
      if (identifier !== undefined) needs.identifier(identifier.kind, identifier.value)
    }
    if (command.sent !== undefined) collectSent(needs, command.sent)
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
  } else if (command._tag === "IdentifyPerson" && command.device === null && command.relationships === null) {
    concerns.identifies.push(command.assignments)
    concerns.renames ||= command.id !== null || command.email !== null || command.anonymousId !== null
  } else concerns.others = true
  if (command._tag === "IdentifyObject" || command._tag === "DeleteObject") concerns.objects = true
  concerns.deletesObjects ||= command._tag === "DeleteObject"
}
