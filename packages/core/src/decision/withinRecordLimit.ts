import type { Change } from "../fold/Change.ts"
import type { Envelope } from "../fold/Envelope.ts"
import { decisionTexts } from "../log/operationTexts.ts"
import { isRecord } from "../state/Subject.ts"
import type { SubjectKey } from "../values/Identifier.ts"
import type { WorkingSet } from "../fold/WorkingSet.ts"
import { withKeptCall } from "./keptCall.ts"
import { rejected, type Verdict } from "./Verdict.ts"

/**
 * Rejects a command that would leave its workspace with more records than it had before and than it may store (contract
 * §5). A command that is rejected for another reason keeps that reason, but creates no record.
 */
export const withinRecordLimit = (state: WorkingSet, command: Envelope, verdict: Verdict): Verdict => {
  const max = command.workspace.recordsMax
  if (max === null) return verdict
  const growth = recordGrowth(state, verdict.changes)
  if (growth <= 0 || state.records + growth <= max) return verdict
  if (verdict.outcome === "rejected" || verdict.outcome === "ignored") return { ...verdict, changes: [] }
  const { name, subject } = verdict
  return withKeptCall(state, command, {
    ...rejected([decisionTexts.fullWorkspace("", { max })], "contract §5 full workspaces"),
    name,
    subject: subject !== null && state.subjects.has(subject) ? subject : null,
  })
}

/** Returns the number of records that changes create, minus the number of records that they remove. */
const recordGrowth = (state: WorkingSet, changes: ReadonlyArray<Change>): number => {
  const created = new Set<SubjectKey>()
  const removed = new Set<SubjectKey>()
  for (const change of changes) {
    const record = recordOf(change)
    if (record === null) continue
    const isStored = isRecord(state.subjects.get(record.key))
    if (record.isCreated && !isStored) created.add(record.key)
    if (!record.isCreated && isStored) removed.add(record.key)
  }
  return created.size - removed.size
}

/** Returns the record that a change creates or removes, or null for a change of one that exists. */
const recordOf = (change: Change): { readonly key: SubjectKey; readonly isCreated: boolean } | null => {
  switch (change._tag) {
    case "PersonCreated":
    case "ObjectCreated":
    case "FormMapped":
    case "DeliverySeen":
      return { key: change.key, isCreated: true }
    case "VisitorSeen":
      return change.knownAs.kind === "anonymous_id" ? null : { key: change.key, isCreated: true }
    case "PeopleSeparated":
      return { key: change.secondary.key, isCreated: true }
    case "VisitorAttached":
    case "PersonAbsorbed":
    case "SubjectDeleted":
      return { key: change.key, isCreated: false }
    case "IdentifierAssigned":
    case "EmailRemoved":
    case "IdentifierConfirmed":
    case "AttributesAssigned":
    case "DeviceAdded":
    case "DeviceRemoved":
    case "RelationshipAssigned":
    case "RelationshipRemoved":
    case "SegmentCreated":
    case "SegmentUpdated":
    case "RuleProposed":
    case "BuildStarted":
    case "HistoryRead":
    case "PeopleWalked":
    case "PeopleFound":
    case "BuildFinished":
    case "SegmentJoined":
    case "SegmentLeft":
    case "SegmentEntered":
    case "SegmentExited":
    case "OriginsNoted":
    case "MovedNameUsed":
    case "LeafStatesSet":
    case "LeafStatesRemoved":
    case "DeliveryRegistered":
    case "MetricReported":
    case "IdentifiersSuppressed":
    case "SuppressionLifted":
    case "IdentifiersErased":
    case "ErasureRecorded":
    case "ErasureRepeated":
    case "OperationRecorded":
      return null
  }
}
