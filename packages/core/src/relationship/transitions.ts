import type { ChangeObjectRelationships, ChangeRelationships } from "./commands.ts"
import { heldBy } from "../decision/HoldingsBudget.ts"
import { resolveHolder, knownHolder, showCreated } from "../decision/resolveHolder.ts"
import type { SubjectKey } from "../values/Identifier.ts"
import { namedObject, resolveObject } from "../decision/resolveObject.ts"
import { relatePeople, unrelatePeople } from "./people.ts"
import { dropped, effective, type Verdict } from "../decision/Verdict.ts"
import { DecisionDraft } from "../decision/DecisionDraft.ts"
import { noteNamed } from "../visitor/transitions.ts"
import type { WorkingSet } from "../WorkingSet.ts"
import { objectPayload, relationshipsPayload } from "./payload.ts"
import { relate } from "./relate.ts"
import { dropReasons } from "../log/faults.ts"

const rule = "track-api §2.3"

/** Adds or removes relationships from the person's side; adding creates whoever and whatever is unknown (contract §6, §9). */
export const changeRelationships = (seen: WorkingSet, command: ChangeRelationships): Verdict =>
  command.action === "add" ? addRelationships(seen, command) : removeRelationships(seen, command)

const addRelationships = (seen: WorkingSet, command: ChangeRelationships): Verdict => {
  const draft = new DecisionDraft(seen, command.faults)
  const owner = resolveHolder(seen, command, command.target, draft)
  if (owner === null) return dropped(dropReasons.unknownSvcId(), rule)
  showCreated(owner, draft.fields)
  const { holder, key, outcome } = owner
  relate(seen, command, heldBy(key, holder), command, draft)
  return recorded(command, key, outcome, draft)
}

/** Somebody unknown has none; nobody is created for it. */
const removeRelationships = (seen: WorkingSet, command: ChangeRelationships): Verdict => {
  const holder = knownHolder(seen, command, command.target)
  if (holder === null) return dropped(dropReasons.noPerson(), "contract §6 relationships of the unknown")
  const draft = new DecisionDraft(seen, command.faults)
  draft.changes.push(...noteNamed(holder, command.receivedAt))
  relate(seen, command, holder, command, draft)
  return recorded(command, holder.key, "applied", draft)
}

const recorded = (
  { entries }: ChangeRelationships,
  subject: SubjectKey,
  outcome: "applied" | "created" | "pending",
  { changes, faults, fields }: DecisionDraft,
): Verdict =>
  effective(outcome, faults, {
    rule,
    subject,
    data: { relationships: relationshipsPayload(entries) },
    changes,
    fields,
  })

/** Adds or removes relationships from the object's side; adding creates whoever and whatever is unknown (contract §9). */
export const changeObjectRelationships = (seen: WorkingSet, command: ChangeObjectRelationships): Verdict => {
  const draft = new DecisionDraft(seen, command.faults)
  const known = namedObject(seen, command, command.object)
  if (known === null && command.action === "delete")
    return dropped(dropReasons.unknownObject(), "contract §9 unknown objects")
  const target = resolveObject(seen, command, command.object, draft)
  if (target === null) return dropped(dropReasons.unknownSvcObjectId(), "contract §9 svc_object_id")
  const parts =
    command.action === "add"
      ? relatePeople(seen, command, target, draft)
      : unrelatePeople(seen, command, target, draft)
  return effective(target.object === null ? "created" : "applied", draft.faults, {
    rule,
    subject: target.key,
    data: { ...objectPayload(command.object), relationships: [] },
    changes: draft.changes,
    fields: draft.fields,
    parts,
  })
}
