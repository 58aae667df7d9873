import type { Assignment } from "../Attributes.ts"
import type { ObjectEntry } from "../Command.ts"
import { svcObjectIdText, type ObjectReference } from "../Identifier.ts"
import type { Json, JsonObject } from "../Json.ts"

/** What an operation said about relationships, as its activity entry shows it. */
export const relationshipsPayload = (entries: ReadonlyArray<ObjectEntry>): ReadonlyArray<Json> =>
  entries.map(({ assignments, object }) => ({
    identifiers: objectPayload(object),
    relationship_attributes: assigned(assignments),
  }))

/** How an operation named an object. */
export const objectPayload = (object: ObjectReference): JsonObject => {
  switch (object._tag) {
    case "ByTypeAndId":
      return { object_type_id: object.typeId, object_id: object.objectId }
    case "BySvcObjectId":
      return { svc_object_id: object.key === null ? null : svcObjectIdText(object.key) }
  }
}

/** What an update set, by name. */
export const assigned = (assignments: ReadonlyArray<Assignment>): JsonObject =>
  Object.fromEntries(assignments.map(({ name, value }) => [name, value]))
