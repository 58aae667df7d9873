import type { ChangeObjectRelationships, ChangeRelationships } from "./commands.ts"
import { holdingsOf } from "../decision/HoldingsBudget.ts"
import { resolveHolder, findHolder, noteCreatedBy } from "../decision/resolveHolder.ts"
import type { SubjectKey } from "../values/Identifier.ts"
import { findObject, resolveObject } from "../decision/resolveObject.ts"
import { relatePeople, unrelatePeople } from "./relatePeople.ts"
import { dropped, accepted, type Verdict } from "../decision/Verdict.ts"
import { DecisionDraft } from "../decision/DecisionDraft.ts"
import { refreshVisitor } from "../visitor/transitions.ts"
import type { WorkingSet } from "../fold/WorkingSet.ts"
import { objectPayload, relationshipsPayload } from "./payload.ts"
import { applyRelationshipChange } from "./applyRelationshipChange.ts"
import { dropTexts } from "../log/operationTexts.ts"

const rule = "track-api §2.3"

/** Adds or removes relationships of a person. Adding creates unknown people and objects (contract §6, §9). */
export const changeRelationships = (state: WorkingSet, command: ChangeRelationships): Verdict =>
  command.action === "add" ? addRelationships(state, command) : removeRelationships(state, command)

const addRelationships = (state: WorkingSet, command: ChangeRelationships): Verdict => {
  const draft = new DecisionDraft(state, command.faults)
  const owner = resolveHolder(state, command, command.target, draft)
  if (owner === null) return dropped(dropTexts.unknownSvcId(), rule)
  noteCreatedBy(owner, draft.fields)
  const { holder, key, outcome } = owner
  applyRelationshipChange(state, command, holdingsOf(key, holder), command, draft)
  return recorded(command, key, outcome, draft)
}

/** Removes relationships of a person. If the person is unknown, the command is dropped and creates no person. */
const removeRelationships = (state: WorkingSet, command: ChangeRelationships): Verdict => {
  const holder = findHolder(state, command, command.target)
  if (holder === null) return dropped(dropTexts.noPerson(), "contract §6 relationships of unknown people")
  const draft = new DecisionDraft(state, command.faults)
  draft.changes.push(...refreshVisitor(holder, command.receivedAt))
  applyRelationshipChange(state, command, holder, command, draft)
  return recorded(command, holder.key, "applied", draft)
}

const recorded = (
  { entries, workspace }: ChangeRelationships,
  subject: SubjectKey,
  outcome: "applied" | "created" | "pending",
  { changes, faults, fields }: DecisionDraft,
): Verdict =>
  accepted(outcome, faults, {
    rule,
    subject,
    data: { relationships: relationshipsPayload(workspace.id, entries) },
    changes,
    fields,
  })

/** Adds or removes relationships of an object. Adding creates unknown people and objects (contract §9). */
export const changeObjectRelationships = (state: WorkingSet, command: ChangeObjectRelationships): Verdict => {
  const draft = new DecisionDraft(state, command.faults)
  const known = findObject(state, command.object)
  if (known === null && command.action === "delete")
    return dropped(dropTexts.unknownObject(), "contract §9 unknown objects")
  const target = resolveObject(state, command, command.object, draft)
  if (target === null) return dropped(dropTexts.unknownSvcObjectId(), "contract §9 svc_object_id")
  const parts =
    command.action === "add"
      ? relatePeople(state, command, target, draft)
      : unrelatePeople(state, command, target, draft)
  return accepted(target.object === null ? "created" : "applied", draft.faults, {
    rule,
    subject: target.key,
    data: { ...objectPayload(command.workspace.id, command.object), relationships: [] },
    changes: draft.changes,
    fields: draft.fields,
    parts,
  })
}
