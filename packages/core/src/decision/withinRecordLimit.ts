import type { Change } from "../Change.ts"
import type { Envelope } from "../Envelope.ts"
import { decisionTexts } from "../log/operationTexts.ts"
import { isRecord } from "../state/Subject.ts"
import type { SubjectKey } from "../values/Identifier.ts"
import type { WorkingSet } from "../WorkingSet.ts"
import { rejected, type Verdict } from "./Verdict.ts"

/**
 * Rejects a command that would leave its workspace with more records than it had before and than it may store (contract
 * §16). A command that is rejected for another reason keeps that reason, but creates no record.
 */
export const withinRecordLimit = (state: WorkingSet, { workspace }: Envelope, verdict: Verdict): Verdict => {
  const max = workspace.recordsMax
  if (max === null) return verdict
  const growth = recordGrowth(state, verdict.changes)
  if (growth <= 0 || state.records + growth <= max) return verdict
  if (verdict.outcome === "rejected" || verdict.outcome === "ignored") return { ...verdict, changes: [] }
  const { name, subject } = verdict
  return {
    ...rejected([decisionTexts.fullWorkspace("", { max })], "contract §16 full workspaces"),
    name,
    subject: subject !== null && state.subjects.has(subject) ? subject : null,
  }
}

/** Returns the number of records that changes create, minus the number of records that they remove. */
const recordGrowth = (state: WorkingSet, changes: ReadonlyArray<Change>): number => {
  const isStored = (key: SubjectKey) => isRecord(state.subjects.get(key))
  const created = new Set<SubjectKey>()
  const removed = new Set<SubjectKey>()
  for (const change of changes) {
    switch (change._tag) {
      case "PersonCreated":
      case "ObjectCreated":
      case "FormMapped":
      case "DeliverySeen":
        if (!isStored(change.key)) created.add(change.key)
        break
      case "VisitorSeen":
        if (change.knownAs.kind !== "anonymous_id" && !isStored(change.key)) created.add(change.key)
        break
      case "VisitorAttached":
      case "PersonAbsorbed":
      case "SubjectDeleted":
        if (isStored(change.key)) removed.add(change.key)
        break
      default:
        break
    }
  }
  return created.size - removed.size
}
