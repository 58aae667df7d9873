import { keepsDeduplicationKey, type ActivityEntry } from "./log/ActivityEntry.ts"
import { onAttributesAssigned } from "./decision/onAttributesAssigned.ts"
import type { Change } from "./fold/Change.ts"
import type { Command } from "./Command.ts"
import { kindOf, targetsOf, verdictOn } from "./CommandTable.ts"
import { onDeliveryRegistered, onMetricReported, onDeliverySeen } from "./delivery/evolution.ts"
import { onDeviceChanged } from "./device/evolution.ts"
import { noteAddress } from "./decision/updateWorkingSet.ts"
import { addProvenance } from "./decision/recordedProvenance.ts"
import { recordEntry } from "./decision/recordEntry.ts"
import { onErasureChanged } from "./erasure/evolution.ts"
import { onFormMapped } from "./form/evolution.ts"
import { addressOfEntry, isClaimed } from "./decision/erasure.ts"
import { duplicateReason } from "./duplicateReason.ts"
import { nextAfter, type Identifier, type Reference, type SubjectKey } from "./values/Identifier.ts"
import { onObjectCreated } from "./object/evolution.ts"
import {
  onOwnerChanged,
  onPersonCreated,
  onSubjectDeleted,
  onOwnIdentifier,
  onIdentifierAssigned,
} from "./person/evolution.ts"
import type { IdentifyPerson } from "./person/commands.ts"
import { onRelationshipAssigned, onRelationshipRemoved } from "./relationship/evolution.ts"
import { withinRecordLimit } from "./decision/withinRecordLimit.ts"
import { withOwners } from "./decision/withOwners.ts"
import { withSettledTimes } from "./decision/withSettledTimes.ts"
import { resolvePerson } from "./decision/resolvePerson.ts"
import {
  onLeafStatesChanged,
  onSegmentJoined,
  onSegmentLeft,
  onSegmentCreated,
  onSegmentUpdated,
} from "./segment/evolution.ts"
import { onBuildChanged } from "./segment/buildEvolution.ts"
import { onSuppressionChanged } from "./suppression/evolution.ts"
import { ignoreIfSuppressed, type NamedIdentifiers } from "./suppression/transitions.ts"
import { duplicate, ignoredBot, withNote, type Verdict } from "./decision/Verdict.ts"
import { noteTexts } from "./log/operationTexts.ts"
import { tookEffect } from "./log/Outcome.ts"
import { placeholderNamed } from "./placeholderNamed.ts"
import { withoutOmittedFields } from "./withoutOmittedFields.ts"
import { onVisitorSeen } from "./visitor/evolution.ts"
import type { WorkingSet } from "./fold/WorkingSet.ts"

/**
 * Decides a command and returns its changes in order. The last change records the command in the activity log. Never
 * throws and never writes into the working set.
 */
export const decide = (state: WorkingSet, given: Command): ReadonlyArray<Change> => {
  const command = withOwners(state, withSettledTimes(state, withoutOmittedFields(state, given)))
  const decided = isDuplicate(state, command)
    ? duplicateOf(state, command)
    : (ignoreIfSuppressed(state, () => suppressibleNames(command)) ??
      ignoreIfBot(command) ??
      withinRecordLimit(state, command, verdictOn(state, command)))
  const placeholder = tookEffect(decided.outcome) ? placeholderNamed(command) : null
  const verdict = withNote(decided, placeholder && noteTexts.placeholderId({ ...placeholder }))
  const recorded = { kind: kindOf(command), anonymousId: anonymousIdOf(command) }
  const entry = recordEntry(state.nextSequence, command, recorded, verdict)
  const hasItems = "entries" in command && command.entries.length > 0
  addProvenance(entry, command.provenance, state, verdict, hasItems)
  const { subject, via } = verdict
  const isElsewhere = via !== undefined && subject !== null
  return [...verdict.changes, { _tag: "OperationRecorded", entry, ...(isElsewhere && { holder: subject }) }]
}

const anonymousIdOf = (command: Command): string | null =>
  command._tag === "RecordEvent" || command._tag === "IdentifyPerson" ? command.anonymousId : null

const nameOf = (command: Command): string | null => (command._tag === "RecordEvent" ? command.name : null)

/**
 * Returns the names that must not be suppressed: references to the people that a command acts on, and the `id` and the
 * `email` that an identify call sets. The caller ignores the command if at least one of these names is suppressed. For a
 * command that releases a suppression, the result has no references, because this command must act on suppressed people.
 */
const suppressibleNames = (command: Command): NamedIdentifiers => ({
  references: command._tag === "UnsuppressPerson" ? [] : targetsOf(command),
  identifiers: command._tag === "IdentifyPerson" ? otherIdentifiers(command) : [],
  name: nameOf(command),
})

const otherIdentifiers = ({ email, id }: IdentifyPerson): ReadonlyArray<Identifier> => [
  ...(id === null ? [] : [{ kind: "id", value: id } as const]),
  ...(email === null ? [] : [{ kind: "email", value: email } as const]),
]

const ignoreIfBot = (command: Command): Verdict | undefined =>
  command.workspace.bots === "ignore" &&
  command.provenance?.bot === true &&
  command._tag !== "RejectOperation"
    ? ignoredBot(nameOf(command))
    : undefined

const isDuplicate = (state: WorkingSet, command: Command): boolean =>
  command.deduplicationKey !== null &&
  command._tag !== "RejectOperation" &&
  isClaimed(state, command.deduplicationKey)

/**
 * Returns the verdict on a command with a deduplication key that is already in use. The log entry of this command is
 * about the person or visitor that the command names, so deleting them also erases this entry.
 */
const duplicateOf = (state: WorkingSet, command: Command): Verdict => {
  const [target] = targetsOf(command)
  const subject = target === undefined ? null : subjectNamed(state, target)
  return duplicate(subject, nameOf(command), duplicateReason(state, command, subject))
}

const subjectNamed = (state: WorkingSet, target: Reference): SubjectKey | null => {
  const found = resolvePerson(state, target)
  switch (found._tag) {
    case "KnownPerson":
      return found.person.key
    case "UnknownIdentifier":
      return found.visitor?.key ?? null
    case "UnknownSvcId":
      return null
  }
}

/**
 * Applies a change to a working set, in place. Never throws. A change to an unknown person, object or other subject has
 * no effect.
 */
export const evolve = (state: WorkingSet, change: Change): void => {
  switch (change._tag) {
    case "PersonCreated":
      return onPersonCreated(state, change)
    case "IdentifierAssigned":
      return onIdentifierAssigned(state, change)
    case "EmailRemoved":
    case "IdentifierConfirmed":
      return onOwnIdentifier(state, change)
    case "AttributesAssigned":
      return onAttributesAssigned(state, change)
    case "VisitorSeen":
      return onVisitorSeen(state, change)
    case "VisitorAttached":
    case "PersonAbsorbed":
    case "MovedNameUsed":
    case "PeopleSeparated":
    case "OriginsNoted":
      return onOwnerChanged(state, change)
    case "DeviceAdded":
    case "DeviceRemoved":
      return onDeviceChanged(state, change)
    case "RelationshipAssigned":
      return onRelationshipAssigned(state, change)
    case "RelationshipRemoved":
      return onRelationshipRemoved(state, change)
    case "ObjectCreated":
      return onObjectCreated(state, change)
    case "SegmentCreated":
      return onSegmentCreated(state, change)
    case "SegmentUpdated":
      return onSegmentUpdated(state, change)
    case "RuleProposed":
    case "BuildStarted":
    case "HistoryRead":
    case "PeopleWalked":
    case "PeopleFound":
    case "BuildFinished":
      return onBuildChanged(state, change)
    case "SegmentJoined":
    case "SegmentEntered":
      return onSegmentJoined(state, change)
    case "SegmentLeft":
    case "SegmentExited":
      return onSegmentLeft(state, change)
    case "LeafStatesSet":
    case "LeafStatesRemoved":
      return onLeafStatesChanged(state, change)
    case "FormMapped":
      return onFormMapped(state, change)
    case "DeliverySeen":
      return onDeliverySeen(state, change)
    case "DeliveryRegistered":
      return onDeliveryRegistered(state, change)
    case "MetricReported":
      return onMetricReported(state, change)
    case "IdentifiersSuppressed":
    case "SuppressionLifted":
      return onSuppressionChanged(state, change)
    case "SubjectDeleted":
      return onSubjectDeleted(state, change)
    case "IdentifiersErased":
    case "ErasureRecorded":
    case "ErasureRepeated":
      return onErasureChanged(state, change)
    case "OperationRecorded":
      return onRecorded(state, change.entry)
  }
  change satisfies never
}

const onRecorded = (state: WorkingSet, entry: ActivityEntry): void => {
  const { sequence, subject } = entry
  state.nextSequence = nextAfter(sequence)
  state.latestReceipt = Math.max(entry.receivedAt, state.latestReceipt ?? -Infinity)
  state.written.entries.push(entry)
  if (entry.kind === "merge" && entry.overwritten.length > 0) state.merges.set(sequence, entry)
  const address = addressOfEntry(state.digest, entry, subject === null ? null : state.subjects.get(subject))
  if (address !== null && subject !== null) noteAddress(state, subject, address)
  if (!entry.claimsId || entry.id === null) return
  if (state.claimed.has(entry.id)) state.written.reassigned.add(entry.id)
  state.claimed.set(entry.id, {
    sequence,
    subject: keepsDeduplicationKey(entry) ? null : subject,
    address,
    content: { kind: entry.kind, name: entry.name, data: entry.data },
  })
}
