import type { UnmergePeople } from "./commands.ts"
import { findSuppressionOfText } from "../decision/findSuppression.ts"
import { DecisionDraft } from "../decision/DecisionDraft.ts"
import { accepted, dropped, type Verdict } from "../decision/Verdict.ts"
import { moveDevices } from "../device/inherit.ts"
import { dropTexts } from "../log/operationTexts.ts"
import { identifierText, svcIdText } from "../values/Identifier.ts"
import type { WorkingSet } from "../WorkingSet.ts"
import { Separation } from "./Separation.ts"
import { ringsApart } from "./ringsApart.ts"

const rule = "contract §6 unmerge"

/**
 * Undoes a merge (contract §6 *unmerge*): the secondary is a person again, with what still is as the merge left it. What
 * cannot come back is named among the refused values.
 */
export const unmergePeople = (state: WorkingSet, command: UnmergePeople): Verdict => {
  const { primary: owner, receipt, receivedAt: at, secondary: key } = command
  const primary = state.subjects.get(owner)
  const attached = state.subjects.get(key)
  const isMerged = attached?._tag === "Attached" && attached.merged && attached.owner === owner
  if (primary?._tag !== "Person" || !isMerged) return dropped(dropTexts.notMerged(), rule)
  const draft = new DecisionDraft(state, command.faults)
  const separation = new Separation(state, command, primary, attached.at, draft)
  const isSuppressed = separation.identifiers.some(({ kind, value }) => {
    return findSuppressionOfText(state, identifierText(kind, value)) !== undefined
  })
  if (isSuppressed) return dropped(dropTexts.suppressedSince(), rule)
  const people = separation.separate()
  draft.changes.push({
    _tag: "PeopleSeparated",
    ...people,
    rings: ringsApart(state, owner, key, receipt),
  })
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
      },
    },
    changes: draft.changes,
    fields: separation.fields,
  })
}
