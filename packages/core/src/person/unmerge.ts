import type { UnmergePeople } from "./commands.ts"
import { findSuppressionOfText } from "../decision/findSuppression.ts"
import { DecisionDraft } from "../decision/DecisionDraft.ts"
import { accepted, dropped, type Verdict } from "../decision/Verdict.ts"
import { moveDevices } from "../device/inherit.ts"
import type { Fault } from "../log/Outcome.ts"
import { dropTexts } from "../log/operationTexts.ts"
import { identifierText, svcIdText } from "../values/Identifier.ts"
import type { WorkingSet } from "../fold/WorkingSet.ts"
import { Separation } from "./Separation.ts"

const rule = "contract §6 unmerge"

/**
 * Returns everything that would not come back if a merge was undone: what its entry would list, without a limit, and what
 * was deleted.
 */
export const staysAfterUnmerge = (state: WorkingSet, command: UnmergePeople): ReadonlyArray<Fault> => {
  const merged = mergedIn(state, command)
  if (merged === undefined) return []
  const draft = new DecisionDraft(state, command.faults)
  const separation = new Separation(state, command, merged.primary, merged.attached.at, draft)
  separation.separate()
  return [...draft.faults, ...separation.deleted()]
}

/**
 * Undoes a merge (contract §6 *unmerge*): the secondary is a person again, with what still is as the merge left it. What
 * cannot come back is named among the refused values.
 */
export const unmergePeople = (state: WorkingSet, command: UnmergePeople): Verdict => {
  const { divide, erases, primary: owner, receivedAt: at, secondary: key } = command
  const merged = mergedIn(state, command)
  if (merged === undefined) return dropped(dropTexts.notMerged(), rule)
  const { attached, primary } = merged
  const draft = new DecisionDraft(state, command.faults)
  const separation = new Separation(state, command, primary, attached.at, draft)
  const isSuppressed = separation.identifiers.some(({ kind, value }) => {
    return findSuppressionOfText(state, identifierText(kind, value)) !== undefined
  })
  if (isSuppressed) return dropped(dropTexts.suppressedSince(), rule)
  const people = separation.separate()
  draft.changes.push({ _tag: "PeopleSeparated", ...people, ...(erases === true && { erases }) })
  for (const { identifier, setAt, visitor } of separation.visitors) {
    draft.changes.push(
      { _tag: "VisitorAttached", key: visitor.key, owner: key, at, since: 0 },
      { _tag: "IdentifierAssigned", key, identifier, at, setAt },
    )
    moveDevices(command, people.secondary, visitor.devices, draft)
  }
  return accepted("applied", draft.faults, {
    rule,
    subject: owner,
    data: {
      unmerge: {
        primary: { svc_id: svcIdText(primary.workspace, owner) },
        secondary: { svc_id: svcIdText(primary.workspace, key) },
        ...(divide && { divide }),
      },
    },
    changes: draft.changes,
    fields: separation.fields,
  })
}

/** Returns both sides of a merge, or undefined if the secondary does not belong to the primary any more. */
const mergedIn = ({ subjects }: WorkingSet, { primary: owner, secondary }: UnmergePeople) => {
  const primary = subjects.get(owner)
  const attached = subjects.get(secondary)
  const isMerged = attached?._tag === "Attached" && attached.merged && attached.owner === owner
  return primary?._tag === "Person" && isMerged ? { primary, attached } : undefined
}
