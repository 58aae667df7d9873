import type { ActivityDocument, ObjectIds } from "@inlethq/contract/activity/ActivityLog"
import type { ActivityKind } from "@inlethq/core/log/ActivityEntry"
import { isJsonObject } from "@inlethq/core/values/Json"

/**
 * Returns the type and id of the object that an entry is or was about. If the object is deleted, they are those in the `data` of
 * the entry, unless a call named it by `svc_object_id`.
 */
export const objectThen = ({
  data,
  kind,
  subject,
}: Pick<ActivityDocument, "data" | "kind"> & { readonly subject: ObjectIds }): ObjectIds => {
  const { object_id: id, object_type_id: type } = subject
  if (id !== null || !isOfObject(kind) || !isJsonObject(data)) return { object_type_id: type, object_id: id }
  const { object_id, object_type_id } = data
  return typeof object_id === "string" && typeof object_type_id === "string"
    ? { object_type_id, object_id }
    : { object_type_id: null, object_id: null }
}

/** Returns whether an entry of this kind that has the type and id of an object in its data is about that object. */
const isOfObject = (kind: ActivityKind | null): boolean =>
  kind === "object_identify" ||
  kind === "object_delete" ||
  kind === "add_relationships" ||
  kind === "delete_relationships"
