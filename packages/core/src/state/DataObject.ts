import { Schema } from "effect"
import { Attributes } from "./Attributes.ts"
import { SubjectKey, WorkspaceId } from "../values/Identifier.ts"

/** An object, such as a company or a course (track-api §2.2). Requests and answers call its key `svc_object_id`. */
export const DataObject = Schema.TaggedStruct("DataObject", {
  key: SubjectKey,
  workspace: WorkspaceId,
  typeId: Schema.NonEmptyString,
  objectId: Schema.NonEmptyString,
  attributes: Attributes,
  createdAt: Schema.Int,
  updatedAt: Schema.Int,
  /** The key of the build that comes to the people related to the object since it changed; null if there is none. */
  settling: Schema.NullOr(SubjectKey),
})
export type DataObject = typeof DataObject.Type
