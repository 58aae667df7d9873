import { Schema } from "effect"
import { SubjectKey, WorkspaceId } from "../values/Identifier.ts"

/** The attribute that each field of a form sets, by field name. */
export const FieldMapping = Schema.ReadonlyMap(Schema.String, Schema.NonEmptyString)
export type FieldMapping = typeof FieldMapping.Type

/** A form (track-api §2.7). Its first submission creates it. */
export const Form = Schema.TaggedStruct("Form", {
  key: SubjectKey,
  workspace: WorkspaceId,
  formId: Schema.NonEmptyString,
  /** All fields of past submissions, in the order of their first appearance. */
  mapping: FieldMapping,
  createdAt: Schema.Int,
  updatedAt: Schema.Int,
})
export type Form = typeof Form.Type
