import type { Envelope } from "../fold/Envelope.ts"
import { objectText, type ObjectReference, type SubjectKey } from "../values/Identifier.ts"
import type { DecisionDraft } from "./DecisionDraft.ts"
import { subjectByText, type WorkingSet } from "../fold/WorkingSet.ts"
import type { DataObject } from "../state/DataObject.ts"

/** Returns the object that a reference names, or null if it does not exist. */
export const findObject = (state: WorkingSet, reference: ObjectReference): DataObject | null => {
  const subject = subjectOf(state, reference)
  return subject?._tag === "DataObject" ? subject : null
}

const subjectOf = (state: WorkingSet, reference: ObjectReference) => {
  switch (reference._tag) {
    case "BySvcObjectId":
      return reference.key === null ? undefined : state.subjects.get(reference.key)
    case "ByTypeAndId":
      return subjectByText(state, objectText(reference.typeId, reference.objectId))
  }
}

/**
 * An object that a command acts on. `object` is the state before the command, or null if the command creates the
 * object.
 */
export interface ResolvedObject {
  readonly key: SubjectKey
  readonly object: DataObject | null
  /** The text that stands for the object in the paths of field changes: its type id and its object id. */
  readonly path: string
}

/**
 * Resolves a reference to an object. Creates the object if its type and id are unknown. Returns null for an unknown
 * `svc_object_id` (contract §9).
 */
export const resolveObject = (
  state: WorkingSet,
  { receivedAt: at }: Pick<Envelope, "receivedAt">,
  reference: ObjectReference,
  draft: DecisionDraft,
): ResolvedObject | null => {
  const object = findObject(state, reference)
  if (object !== null) return { key: object.key, object, path: objectPath(object.typeId, object.objectId) }
  if (reference._tag === "BySvcObjectId") return null
  const { objectId, typeId } = reference
  const text = objectText(typeId, objectId)
  const path = objectPath(typeId, objectId)
  const made = draft.createdKey(text)
  if (made !== undefined) return { key: made, object: null, path }
  const key = draft.newKey()
  draft.noteCreated(text, key)
  draft.changes.push({ _tag: "ObjectCreated", key, typeId, objectId, at })
  return { key, object: null, path }
}

/** Returns the text that stands for an object in the paths of field changes. */
export const objectPath = (typeId: string, objectId: string): string => `${typeId}.${objectId}`
