import { assignAttributes } from "../attributes/assignAttributes.ts"
import { noAttributes, assignmentsToJson } from "../state/Attributes.ts"
import { objectBounds } from "../attributes/attributeBounds.ts"
import type { DeleteObject, IdentifyObject } from "./commands.ts"
import { objectPayload } from "../relationship/payload.ts"
import { dropped, accepted, type Verdict } from "../decision/Verdict.ts"
import { DecisionDraft } from "../decision/DecisionDraft.ts"
import type { WorkingSet } from "../fold/WorkingSet.ts"
import { findObject, resolveObject } from "../decision/resolveObject.ts"
import { relatePeople } from "../relationship/relatePeople.ts"
import { dropTexts } from "../log/operationTexts.ts"

/** Adds or updates an object, and relates people and visitors to it (track-api §2.2, contract §9). */
export const identifyObject = (state: WorkingSet, command: IdentifyObject): Verdict => {
  const { assignments, receivedAt, workspace } = command
  const draft = new DecisionDraft(state, command.faults)
  const target = resolveObject(state, command, command.object, draft)
  if (target === null) return dropped(dropTexts.unknownSvcObjectId(), "contract §9 svc_object_id")
  const { key, object } = target
  const known = object?.attributes ?? noAttributes
  const entries = assignAttributes(known, assignments, command, objectBounds(workspace.limits), draft)
  if (entries.size > 0) draft.changes.push({ _tag: "AttributesAssigned", key, entries, at: receivedAt })
  const parts = relatePeople(state, command, target, draft)
  return accepted(object === null ? "created" : "applied", draft.faults, {
    rule: "track-api §2.2",
    subject: key,
    data: {
      ...objectPayload(workspace.id, command.object),
      attributes: assignmentsToJson(assignments),
      relationships: [],
    },
    changes: draft.changes,
    fields: draft.fields,
    parts,
  })
}

/** Deletes an object and all relationships to it (contract §9). */
export const deleteObject = (state: WorkingSet, command: DeleteObject): Verdict => {
  const object = findObject(state, command.object)
  if (object === null) return dropped(dropTexts.unknownObject(), "contract §9 unknown objects")
  return accepted("applied", command.faults, {
    rule: "contract §9 delete object",
    subject: object.key,
    // The log entry outlives the object, so it must contain the object's type and id even if the request used
    // `svc_object_id`.
    data: { object_type_id: object.typeId, object_id: object.objectId },
    changes: [{ _tag: "SubjectDeleted", key: object.key, before: state.nextSequence }],
  })
}
