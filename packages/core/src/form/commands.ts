import { Schema } from "effect"
import { envelope } from "../Envelope.ts"
import type { NeedsCollector } from "../Needs.ts"
import { FieldMapping } from "../state/Form.ts"
import { emailIn } from "../values/Identifier.ts"

/** Take what somebody entered into a form (track-api §2.7, §4.3 rule 3). */
export const SubmitForm = Schema.TaggedStruct("SubmitForm", {
  ...envelope,
  formId: Schema.NonEmptyString,
  fields: Schema.Array(Schema.Struct({ name: Schema.String, value: Schema.String })),
})
export type SubmitForm = typeof SubmitForm.Type

/** An operator says which attributes some fields of a form set. */
export const MapForm = Schema.TaggedStruct("MapForm", {
  ...envelope,
  formId: Schema.NonEmptyString,
  mapping: FieldMapping,
})
export type MapForm = typeof MapForm.Type

/** Collects what a submission may name. Any field may hold an identifier: the form that says which is not loaded yet. */
export const collectSubmission = (needs: NeedsCollector, { fields, formId }: SubmitForm): void => {
  needs.form(formId)
  for (const { value } of fields) {
    needs.identifier("id", value)
    needs.identifier("email", emailIn(value))
    needs.identifier("anonymous_id", value)
  }
}
