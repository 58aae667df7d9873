import { Schema } from "effect"
import { SubjectKey, WorkspaceId } from "../values/Identifier.ts"

/** Which attribute each field of a form sets, by the name of the field. */
export const FieldMapping = Schema.ReadonlyMap(Schema.String, Schema.NonEmptyString)
export type FieldMapping = typeof FieldMapping.Type

/** A form connection (track-api §2.7): registered by its first submission. */
export const Form = Schema.TaggedStruct("Form", {
  key: SubjectKey,
  workspace: WorkspaceId,
  formId: Schema.NonEmptyString,
  /** The fields that submissions held and the attribute that each sets, in the order in which they were first seen. */
  mapping: FieldMapping,
  createdAt: Schema.Int,
  updatedAt: Schema.Int,
})
export type Form = typeof Form.Type
