import { assign, noAttributes, objectBounds } from "../Attributes.ts"
import type { DeleteObject, IdentifyObject } from "../Command.ts"
import { assigned, objectPayload } from "../relationship/payload.ts"
import { dropped, effective, Effects, type Verdict } from "../Verdict.ts"
import type { WorkingSet } from "../WorkingSet.ts"
import { namedObject, objectFor } from "./objectFor.ts"
import { relatePeople } from "./people.ts"
import { dropReasons } from "../faults.ts"

/** Adds or updates an object, and relates people and visitors to it (track-api §2.2, contract §9). */
export const identifyObject = (seen: WorkingSet, command: IdentifyObject): Verdict => {
  const { assignments, at, receivedAt, workspace } = command
  const effects = new Effects(seen, command.faults)
  const target = objectFor(seen, command, command.object, effects)
  if (target === null) return dropped(dropReasons.unknownSvcObjectId(), "contract §9 svc_object_id")
  const { key, object } = target
  const known = object?.attributes ?? noAttributes
  const entries = assign(known, assignments, at, objectBounds(workspace.limits), effects)
  if (entries.size > 0) effects.changes.push({ _tag: "AttributesAssigned", key, entries, at: receivedAt })
  const parts = relatePeople(seen, command, target, effects)
  return effective(object === null ? "created" : "applied", effects.faults, {
    rule: "track-api §2.2",
    subject: key,
    data: {
      ...objectPayload(command.object),
      attributes: assigned(assignments),
      relationships: [],
    },
    changes: effects.changes,
    fields: effects.fields,
    parts,
  })
}

/** Removes an object and with it everybody's relationship to it (contract §9). */
export const removeObject = (seen: WorkingSet, command: DeleteObject): Verdict => {
  const object = namedObject(seen, command, command.object)
  if (object === null) return dropped(dropReasons.unknownObject(), "contract §9 unknown objects")
  return effective("applied", command.faults, {
    rule: "contract §9 delete object",
    subject: object.key,
    // The entry outlives the object: it names it whichever way the request did.
    data: { object_type_id: object.typeId, object_id: object.objectId },
    changes: [{ _tag: "SubjectDeleted", key: object.key, before: seen.nextSequence }],
  })
}
