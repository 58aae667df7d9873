import { keepsKey, type ActivityEntry } from "./log/ActivityEntry.ts"
import { onAttributesAssigned } from "./decision/attributesAssigned.ts"
import type { Change } from "./Change.ts"
import { actsOn, kindOf, type Command } from "./Command.ts"
import { onRegistered, onReported, onSeen } from "./delivery/evolution.ts"
import { register, report, unsubscribe } from "./delivery/transitions.ts"
import { onDeviceAdded, onDeviceRemoved } from "./device/evolution.ts"
import { addDevice, deleteDevice } from "./device/transitions.ts"
import { noteAddress } from "./decision/workingSetWrites.ts"
import { recordEntry } from "./decision/recordEntry.ts"
import { record } from "./event/transitions.ts"
import { onMapped } from "./form/evolution.ts"
import { mapForm, submit } from "./form/transitions.ts"
import { addressOfEntry, isClaimed } from "./decision/erasure.ts"
import { deduplicationText, nextAfter, type Identifier } from "./values/Identifier.ts"
import { onCreated as onObjectCreated } from "./object/evolution.ts"
import { identifyObject, removeObject } from "./object/transitions.ts"
import {
  onAbsorbed,
  onAttached,
  onCreated as onPersonCreated,
  onDeleted,
  onEmailRemoved,
  onIdentifierConfirmed,
  onIdentifierTaken,
} from "./person/evolution.ts"
import type { IdentifyPerson } from "./person/commands.ts"
import { alias, merge } from "./person/merge.ts"
import { identify, remove } from "./person/transitions.ts"
import { onAssigned, onRemoved } from "./relationship/evolution.ts"
import { receivedInOrder } from "./decision/receivedInOrder.ts"
import { changeObjectRelationships, changeRelationships } from "./relationship/transitions.ts"
import { resolve } from "./decision/resolve.ts"
import { onJoined, onLeft, onSegmentCreated } from "./segment/evolution.ts"
import { changeMembership, createSegment, removeSegment } from "./segment/transitions.ts"
import { onLifted, onSuppressed } from "./suppression/evolution.ts"
import { ignored, suppress, unsuppress, type Named } from "./suppression/transitions.ts"
import { duplicate, rejected, type Verdict } from "./decision/Verdict.ts"
import { exceeded } from "./operation/transitions.ts"
import { onVisitorSeen } from "./visitor/evolution.ts"
import type { WorkingSet } from "./WorkingSet.ts"

/** Decides a command: what it changes, in order, the record of the operation last. Total; reads and never writes. */
export const decide = (seen: WorkingSet, given: Command): ReadonlyArray<Change> => {
  const command = receivedInOrder(seen, given)
  const verdict = isDuplicate(seen, command)
    ? secondArrival(seen, command)
    : (ignored(seen, () => namedBy(command)) ?? judge(seen, command))
  const recorded = { kind: kindOf(command), anonymousId: anonymousIdOf(command) }
  return [
    ...verdict.changes,
    { _tag: "OperationRecorded", entry: recordEntry(seen.nextSequence, command, recorded, verdict) },
  ]
}

const anonymousIdOf = (command: Command): string | null =>
  command._tag === "RecordEvent" || command._tag === "IdentifyPerson" ? command.anonymousId : null

const nameOf = (command: Command): string | null => (command._tag === "RecordEvent" ? command.name : null)

/** Returns the people whose suppression makes a command ignored. Lifting a suppression is never ignored. */
const namedBy = (command: Command): Named => ({
  workspace: command.workspace.id,
  references: command._tag === "UnsuppressPerson" ? [] : actsOn(command),
  identifiers: command._tag === "IdentifyPerson" ? otherIdentifiers(command) : [],
  name: nameOf(command),
})

const otherIdentifiers = ({ email, id }: IdentifyPerson): ReadonlyArray<Identifier> => [
  ...(id === null ? [] : [{ kind: "id", value: id } as const]),
  ...(email === null ? [] : [{ kind: "email", value: email } as const]),
]

const isDuplicate = (seen: WorkingSet, command: Command): boolean =>
  command.deduplicationKey !== null &&
  command._tag !== "RejectOperation" &&
  isClaimed(seen, deduplicationText(command.workspace.id, command.deduplicationKey))

/** A second arrival is about whom the first was about, so that it goes when they do. */
const secondArrival = (seen: WorkingSet, command: Command): Verdict => {
  const name = nameOf(command)
  const [target] = actsOn(command)
  if (target === undefined) return duplicate(null, name)
  const found = resolve(seen, command.workspace.id, target)
  switch (found._tag) {
    case "Somebody":
      return duplicate(found.person.key, name)
    case "Nobody":
      return duplicate(found.visitor?.key ?? null, name)
    case "UnknownSvcId":
      return duplicate(null, name)
  }
}

const judge = (seen: WorkingSet, command: Command): Verdict => {
  switch (command._tag) {
    case "IdentifyPerson":
      return identify(seen, command)
    case "DeletePerson":
      return remove(seen, command)
    case "SuppressPerson":
      return suppress(seen, command)
    case "UnsuppressPerson":
      return unsuppress(seen, command)
    case "MergePeople":
      return merge(seen, command)
    case "AliasPerson":
      return alias(seen, command)
    case "RecordEvent":
      return record(seen, command)
    case "AddDevice":
      return addDevice(seen, command)
    case "DeleteDevice":
      return deleteDevice(seen, command)
    case "ChangeRelationships":
      return changeRelationships(seen, command)
    case "IdentifyObject":
      return identifyObject(seen, command)
    case "DeleteObject":
      return removeObject(seen, command)
    case "ChangeObjectRelationships":
      return changeObjectRelationships(seen, command)
    case "SubmitForm":
      return submit(seen, command)
    case "ChangeMembership":
      return changeMembership(seen, command)
    case "ReportMetric":
      return report(seen, command)
    case "UnsubscribeByDelivery":
      return unsubscribe(seen, command)
    case "CreateSegment":
      return createSegment(seen, command)
    case "DeleteSegment":
      return removeSegment(seen, command)
    case "MapForm":
      return mapForm(seen, command)
    case "RegisterDelivery":
      return register(seen, command)
    case "RejectOperation":
      return rejected(command.faults)
    case "ReportExcess":
      return exceeded(command)
  }
}

/** Brings a working set forward by one change, in place. Total: a change about nobody has no effect. */
export const evolve = (seen: WorkingSet, change: Change): void => {
  switch (change._tag) {
    case "PersonCreated":
      return onPersonCreated(seen, change)
    case "IdentifierTaken":
      return onIdentifierTaken(seen, change)
    case "EmailRemoved":
      return onEmailRemoved(seen, change)
    case "IdentifierConfirmed":
      return onIdentifierConfirmed(seen, change)
    case "AttributesAssigned":
      return onAttributesAssigned(seen, change)
    case "VisitorSeen":
      return onVisitorSeen(seen, change)
    case "VisitorAttached":
      return onAttached(seen, change)
    case "PersonAbsorbed":
      return onAbsorbed(seen, change)
    case "DeviceAdded":
      return onDeviceAdded(seen, change)
    case "DeviceRemoved":
      return onDeviceRemoved(seen, change)
    case "RelationshipAssigned":
      return onAssigned(seen, change)
    case "RelationshipRemoved":
      return onRemoved(seen, change)
    case "ObjectCreated":
      return onObjectCreated(seen, change)
    case "SegmentCreated":
      return onSegmentCreated(seen, change)
    case "SegmentJoined":
      return onJoined(seen, change)
    case "SegmentLeft":
      return onLeft(seen, change)
    case "FormMapped":
      return onMapped(seen, change)
    case "DeliverySeen":
      return onSeen(seen, change)
    case "DeliveryRegistered":
      return onRegistered(seen, change)
    case "MetricReported":
      return onReported(seen, change)
    case "IdentifiersSuppressed":
      return onSuppressed(seen, change)
    case "SuppressionLifted":
      return onLifted(seen, change)
    case "SubjectDeleted":
      return onDeleted(seen, change)
    case "OperationRecorded":
      return onRecorded(seen, change.entry)
  }
}

const onRecorded = (seen: WorkingSet, entry: ActivityEntry): void => {
  const { sequence, subject } = entry
  seen.nextSequence = nextAfter(sequence)
  if (entry.receivedAt > (seen.latestReceipts.get(entry.workspace) ?? -Infinity))
    seen.latestReceipts.set(entry.workspace, entry.receivedAt)
  seen.written.entries.push(entry)
  const address = addressOfEntry(seen.digest, entry, subject === null ? null : seen.subjects.get(subject))
  if (address !== null && subject !== null) noteAddress(seen, subject, address)
  if (!entry.claimsId || entry.id === null) return
  const text = deduplicationText(entry.workspace, entry.id)
  if (seen.claimed.has(text)) seen.written.reclaimed.add(text)
  seen.claimed.set(text, { sequence, subject: keepsKey(entry) ? null : subject, address })
}
