import type { ChangeObjectRelationships, ChangeRelationships } from "../Command.ts"
import { heldBy } from "../HoldingsBudget.ts"
import { holderFor, knownHolder, showCreated } from "../holderFor.ts"
import type { SubjectKey } from "../Identifier.ts"
import { namedObject, objectFor } from "../object/objectFor.ts"
import { relatePeople, unrelatePeople } from "../object/people.ts"
import { dropped, effective, Effects, type Verdict } from "../Verdict.ts"
import { noteNamed } from "../visitor/transitions.ts"
import type { WorkingSet } from "../WorkingSet.ts"
import { objectPayload, relationshipsPayload } from "./payload.ts"
import { relate } from "./relate.ts"
import { dropReasons } from "../faults.ts"

const rule = "track-api §2.3"

/** Adds or removes relationships from the person's side; adding creates whoever and whatever is unknown (contract §6, §9). */
export const changeRelationships = (seen: WorkingSet, command: ChangeRelationships): Verdict =>
  command.action === "add" ? addRelationships(seen, command) : removeRelationships(seen, command)

const addRelationships = (seen: WorkingSet, command: ChangeRelationships): Verdict => {
  const effects = new Effects(seen, command.faults)
  const owner = holderFor(seen, command, command.target, effects)
  if (owner === null) return dropped(dropReasons.unknownSvcId(), rule)
  showCreated(owner, effects.fields)
  const { holder, key, outcome } = owner
  relate(seen, command, heldBy(key, holder), command, effects)
  return recorded(command, key, outcome, effects)
}

/** Somebody unknown has none; nobody is created for it. */
const removeRelationships = (seen: WorkingSet, command: ChangeRelationships): Verdict => {
  const holder = knownHolder(seen, command, command.target)
  if (holder === null) return dropped(dropReasons.noPerson(), "contract §6 relationships of the unknown")
  const effects = new Effects(seen, command.faults)
  effects.changes.push(...noteNamed(holder, command.receivedAt))
  relate(seen, command, holder, command, effects)
  return recorded(command, holder.key, "applied", effects)
}

const recorded = (
  { entries }: ChangeRelationships,
  subject: SubjectKey,
  outcome: "applied" | "created" | "pending",
  { changes, faults, fields }: Effects,
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
  const effects = new Effects(seen, command.faults)
  const known = namedObject(seen, command, command.object)
  if (known === null && command.action === "delete")
    return dropped(dropReasons.unknownObject(), "contract §9 unknown objects")
  const target = objectFor(seen, command, command.object, effects)
  if (target === null) return dropped(dropReasons.unknownSvcObjectId(), "contract §9 svc_object_id")
  const parts =
    command.action === "add"
      ? relatePeople(seen, command, target, effects)
      : unrelatePeople(seen, command, target, effects)
  return effective(target.object === null ? "created" : "applied", effects.faults, {
    rule,
    subject: target.key,
    data: { ...objectPayload(command.object), relationships: [] },
    changes: effects.changes,
    fields: effects.fields,
    parts,
  })
}
