import { Schema } from "effect"
import { envelope } from "../Envelope.ts"
import type { NeedsCollector } from "../Needs.ts"
import { FieldMapping } from "../state/Form.ts"
import { emailIn } from "../values/Identifier.ts"

/** Submit a form (track-api §2.7, §4.3 rule 3). */
export const SubmitForm = Schema.TaggedStruct("SubmitForm", {
  ...envelope,
  formId: Schema.NonEmptyString,
  fields: Schema.Array(Schema.Struct({ name: Schema.String, value: Schema.String })),
})
export type SubmitForm = typeof SubmitForm.Type

/** Choose the attributes that some fields of a form set. Only operators send this. */
export const MapForm = Schema.TaggedStruct("MapForm", {
  ...envelope,
  formId: Schema.NonEmptyString,
  mapping: FieldMapping,
})
export type MapForm = typeof MapForm.Type

/**
 * Collects everything that a form submission may name. Any field's value may be an identifier, because the mapping of
 * the form, which defines the identifier fields, is not loaded yet.
 */
export const collectSubmission = (needs: NeedsCollector, { fields, formId }: SubmitForm): void => {
  needs.form(formId)
  for (const { value } of fields) {
    needs.identifier("id", value)
    needs.identifier("email", emailIn(value))
    needs.identifier("anonymous_id", value)
  }
}
