import { assignmentsToJson } from "../state/Attributes.ts"
import type { ObjectEntry } from "./commands.ts"
import { svcObjectIdText, type ObjectReference, type WorkspaceId } from "../values/Identifier.ts"
import type { Json, JsonObject } from "../values/Json.ts"

/** Returns the relationships in a request as JSON for the log entry. */
export const relationshipsPayload = (
  workspace: WorkspaceId,
  entries: ReadonlyArray<ObjectEntry>,
): ReadonlyArray<Json> =>
  entries.map(({ assignments, object }) => ({
    identifiers: objectPayload(workspace, object),
    relationship_attributes: assignmentsToJson(assignments),
  }))

/** Returns the object reference in a request as JSON for the log entry. */
export const objectPayload = (workspace: WorkspaceId, object: ObjectReference): JsonObject => {
  switch (object._tag) {
    case "ByTypeAndId":
      return { object_type_id: object.typeId, object_id: object.objectId }
    case "BySvcObjectId":
      return {
        svc_object_id: object.key === null ? (object.text ?? null) : svcObjectIdText(workspace, object.key),
      }
  }
}
