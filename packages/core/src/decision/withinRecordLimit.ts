import type { Change } from "../Change.ts"
import type { Command } from "../Command.ts"
import { decisionFaults } from "../log/faults.ts"
import { isRecord } from "../state/Subject.ts"
import type { SubjectKey } from "../values/Identifier.ts"
import type { WorkingSet } from "../WorkingSet.ts"
import { rejected, type Verdict } from "./Verdict.ts"

/** Rejects a command that would create more records than its workspace may store (contract §16). */
export const withinRecordLimit = (state: WorkingSet, { workspace }: Command, verdict: Verdict): Verdict => {
  const max = workspace.recordsMax
  if (max === null) return verdict
  const created = new Set(verdict.changes.map(createdRecord).filter((key) => key !== null))
  const added = [...created].filter((key) => !isRecord(state.subjects.get(key))).length
  return added === 0 || state.records + added <= max
    ? verdict
    : rejected([decisionFaults.fullWorkspace("", { max })], "contract §16 full workspaces")
}

/**
 * Returns the key of the record that a change creates if that record does not exist yet. Returns null if the change
 * never creates a record.
 */
const createdRecord = (change: Change): SubjectKey | null => {
  switch (change._tag) {
    case "PersonCreated":
    case "ObjectCreated":
    case "FormMapped":
    case "DeliverySeen":
      return change.key
    case "VisitorSeen":
      return change.knownAs.kind === "anonymous_id" ? null : change.key
    default:
      return null
  }
}
