import { Schema } from "effect"
import { SubjectKey, WorkspaceId } from "../values/Identifier.ts"

/** Maps the name of each form field to the attribute that the field sets. */
export const FieldMapping = Schema.ReadonlyMap(Schema.String, Schema.NonEmptyString)
export type FieldMapping = typeof FieldMapping.Type

/** A form (track-api §2.7). Its first submission creates it. */
export const Form = Schema.TaggedStruct("Form", {
  key: SubjectKey,
  workspace: WorkspaceId,
  formId: Schema.NonEmptyString,
  /**
   * Maps each known field of the form to the attribute that the field sets, in the order in which the fields became
   * known.
   */
  mapping: FieldMapping,
  createdAt: Schema.Int,
  updatedAt: Schema.Int,
})
export type Form = typeof Form.Type
