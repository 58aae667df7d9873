import type { Envelope } from "../Envelope.ts"
import { objectText, type ObjectReference, type SubjectKey } from "../values/Identifier.ts"
import type { DecisionDraft } from "./DecisionDraft.ts"
import { found, type WorkingSet } from "../WorkingSet.ts"
import type { DataObject } from "../state/DataObject.ts"
import { decisionFaults } from "../log/faults.ts"

/** The object that a reference names; null where there is none. */
export const namedObject = (
  seen: WorkingSet,
  { workspace }: Pick<Envelope, "workspace">,
  reference: ObjectReference,
): DataObject | null => {
  const subject = subjectOf(seen, workspace.id, reference)
  return subject?._tag === "DataObject" && subject.workspace === workspace.id ? subject : null
}

const subjectOf = (seen: WorkingSet, workspace: Envelope["workspace"]["id"], reference: ObjectReference) => {
  switch (reference._tag) {
    case "BySvcObjectId":
      return reference.key === null ? undefined : seen.subjects.get(reference.key)
    case "ByTypeAndId":
      return found(seen, objectText(workspace, reference.typeId, reference.objectId))
  }
}

/** An object that a command acts on: one that is there, or one that the command makes. */
export interface ActedOn {
  readonly key: SubjectKey
  readonly object: DataObject | null
  /** What a list of changes calls it. */
  readonly path: string
}

/** The object that a reference names, made where there is none; null for an unknown `svc_object_id` (contract §9). */
export const resolveObject = (
  seen: WorkingSet,
  command: Pick<Envelope, "workspace" | "receivedAt">,
  reference: ObjectReference,
  draft: DecisionDraft,
): ActedOn | null => {
  const object = namedObject(seen, command, reference)
  if (object !== null) return { key: object.key, object, path: pathOf(object.typeId, object.objectId) }
  if (reference._tag === "BySvcObjectId") return null
  const { objectId, typeId } = reference
  const workspace = command.workspace.id
  const text = objectText(workspace, typeId, objectId)
  const path = pathOf(typeId, objectId)
  const made = draft.made(text)
  if (made !== undefined) return { key: made, object: null, path }
  const key = draft.newKey()
  draft.make(text, key)
  draft.changes.push({ _tag: "ObjectCreated", key, workspace, typeId, objectId, at: command.receivedAt })
  return { key, object: null, path }
}

/** What a list of changes calls an object. */
export const pathOf = (typeId: string, objectId: string): string => `${typeId}.${objectId}`

/** What an entry says of an object that a request names by a `svc_object_id` that none has. */
export const unknownObject = decisionFaults.unknownObject
