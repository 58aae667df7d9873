import { assignAttributes } from "../attributes/assignAttributes.ts"
import { noAttributes } from "../state/Attributes.ts"
import { personBounds } from "../attributes/attributeBounds.ts"
import { applyDeviceChange } from "../device/upsertDevice.ts"
import { holdingsOf } from "../decision/HoldingsBudget.ts"
import type { DecisionDraft } from "../decision/DecisionDraft.ts"
import { dropped, accepted, type Verdict } from "../decision/Verdict.ts"
import { dropTexts } from "../log/operationTexts.ts"
import { applyRelationshipChange } from "../relationship/applyRelationshipChange.ts"
import { unlessExpired } from "../state/Subject.ts"
import type { IdentifierKind } from "../values/Identifier.ts"
import { ensureVisitor, type UnknownIdentifier } from "../visitor/transitions.ts"
import type { WorkingSet } from "../fold/WorkingSet.ts"
import type { IdentifyPerson } from "./commands.ts"
import { identifyPayload } from "./identifyPayload.ts"

/**
 * Stores attributes, relationships and devices of an anonymous visitor until a person is identified with the visitor's
 * anonymous id. Creates no person (contract §13).
 */
export const identifyVisitor = (
  state: WorkingSet,
  command: IdentifyPerson,
  unknown: UnknownIdentifier,
  draft: DecisionDraft,
): Verdict => {
  if (command.updateOnly) return dropped(dropTexts.noPersonToUpdate(), "track-api §2.1 _update")
  const { receivedAt, relationships, workspace } = command
  const { change, key } = ensureVisitor(unknown, receivedAt, draft)
  draft.changes.push(change)
  const visitor = unlessExpired(unknown.visitor, receivedAt)
  const known = visitor?.attributes ?? noAttributes
  const entries = assignAttributes(known, command.assignments, command, personBounds(workspace.limits), draft)
  if (entries.size > 0) draft.changes.push({ _tag: "AttributesAssigned", key, entries, at: receivedAt })
  if (relationships !== null) {
    applyRelationshipChange(state, command, holdingsOf(key, visitor), relationships, draft)
  }
  if (command.device !== null) {
    applyDeviceChange(state, command, { key, holder: visitor }, command.device, draft)
  }
  return accepted("pending", draft.faults, {
    rule: "contract §13 anonymous information",
    subject: key,
    data: identifyPayload(command, noneRefused),
    changes: draft.changes,
    fields: draft.fields,
  })
}

const noneRefused: ReadonlySet<IdentifierKind> = new Set()
