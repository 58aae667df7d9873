import { assign, noAttributes, personBounds } from "../state/Attributes.ts"
import { changeDevice } from "../device/putDevice.ts"
import { heldBy } from "../decision/HoldingsBudget.ts"
import type { DecisionDraft } from "../decision/DecisionDraft.ts"
import { dropped, effective, type Verdict } from "../decision/Verdict.ts"
import { dropReasons } from "../log/faults.ts"
import { relate } from "../relationship/relate.ts"
import { remembered } from "../state/Subject.ts"
import type { IdentifierKind } from "../values/Identifier.ts"
import { meet, type Unknown } from "../visitor/transitions.ts"
import type { WorkingSet } from "../WorkingSet.ts"
import type { IdentifyPerson } from "./commands.ts"
import { identifyPayload } from "./identifyPayload.ts"

/** Keeps what was said about an anonymous visitor until somebody is identified with it; creates no person (contract §13). */
export const identifyVisitor = (
  seen: WorkingSet,
  command: IdentifyPerson,
  unknown: Unknown,
  draft: DecisionDraft,
): Verdict => {
  if (command.updateOnly) return dropped(dropReasons.noPersonToUpdate(), "track-api §2.1 _update")
  const { receivedAt, relationships, workspace } = command
  const { change, key } = meet(workspace.id, unknown, receivedAt, draft)
  draft.changes.push(change)
  const visitor = remembered(unknown.visitor, receivedAt)
  const known = visitor?.attributes ?? noAttributes
  const entries = assign(known, command.assignments, command.at, personBounds(workspace.limits), draft)
  if (entries.size > 0) draft.changes.push({ _tag: "AttributesAssigned", key, entries, at: receivedAt })
  if (relationships !== null) {
    relate(seen, command, heldBy(key, visitor), relationships, draft)
  }
  if (command.device !== null) {
    changeDevice(seen, command, { key, holder: visitor }, command.device, draft)
  }
  return effective("pending", draft.faults, {
    rule: "contract §13 anonymous information",
    subject: key,
    data: identifyPayload(command, noneRefused),
    changes: draft.changes,
    fields: draft.fields,
  })
}

const noneRefused: ReadonlySet<IdentifierKind> = new Set()
