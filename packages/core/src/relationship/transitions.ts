import type { ChangeObjectRelationships, ChangeRelationships } from "../Command.ts"
import { holderFor, knownHolder } from "../holderFor.ts"
import { namedObject, objectFor } from "../object/objectFor.ts"
import { peoplePayload, relatePeople, unrelatePeople } from "../object/people.ts"
import { dropped, effective, Effects, type Verdict } from "../Verdict.ts"
import type { WorkingSet } from "../WorkingSet.ts"
import { noRelationships } from "./Relationships.ts"
import { objectPayload, relationshipsPayload } from "./payload.ts"
import { relate } from "./relate.ts"

const rule = "track-api §2.3"

/** Adds or removes relationships from the person's side; adding creates whoever and whatever is unknown (contract §6, §9). */
export const changeRelationships = (seen: WorkingSet, command: ChangeRelationships): Verdict => {
  const effects = new Effects(seen, command.faults)
  const known = knownHolder(seen, command, command.target)
  if (command.action === "delete" && known === null)
    return dropped("nobody has the relationships", "contract §6")
  const holder = holderFor(seen, command, command.target, effects)
  if (holder === null) return dropped("unknown svc_id", rule)
  const { key, outcome } = holder
  const relationships = holder.holder?.relationships ?? noRelationships
  relate(seen, command, { key, relationships }, command, effects)
  return effective(outcome, effects.faults, {
    rule,
    subject: key,
    data: { relationships: relationshipsPayload(command.entries) },
    changes: effects.changes,
    fields: effects.fields,
  })
}

/** Adds or removes relationships from the object's side; adding creates whoever and whatever is unknown (contract §9). */
export const changeObjectRelationships = (seen: WorkingSet, command: ChangeObjectRelationships): Verdict => {
  const effects = new Effects(seen, command.faults)
  const known = namedObject(seen, command, command.object)
  if (known === null && command.action === "delete") return dropped("no such object", "contract §6")
  const target = objectFor(seen, command, command.object, effects)
  if (target === null) return dropped("no object has this svc_object_id", "contract §9")
  const people =
    command.action === "add"
      ? relatePeople(seen, command, target, effects)
      : unrelatePeople(seen, command, target, effects)
  return effective(target.object === null ? "created" : "applied", effects.faults, {
    rule,
    subject: target.key,
    data: { ...objectPayload(command.object), relationships: peoplePayload(people) },
    changes: effects.changes,
    fields: effects.fields,
  })
}
