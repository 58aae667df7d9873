import { Schema } from "effect"
import { envelope } from "../fold/Envelope.ts"
import type { NeedsCollector } from "../fold/Needs.ts"
import { FieldMapping } from "../state/Form.ts"
import { emailIn } from "../values/Identifier.ts"

/** Submit a form (track-api §2.7, §4.3 rule 3). */
export const SubmitForm = Schema.TaggedStruct("SubmitForm", {
  ...envelope,
  formId: Schema.NonEmptyString,
  fields: Schema.Array(Schema.Struct({ name: Schema.String, value: Schema.String })),
})
export type SubmitForm = typeof SubmitForm.Type

/** Map fields of a form to the attributes that the fields set. Only operators send this. */
export const MapForm = Schema.TaggedStruct("MapForm", {
  ...envelope,
  formId: Schema.NonEmptyString,
  mapping: FieldMapping,
})
export type MapForm = typeof MapForm.Type

/**
 * Adds the form of a submission, and all identifiers that the submission may contain, to the keys that the store must
 * load. Every field may be an identifier, because the form's mapping, which says which fields are identifiers, is not
 * loaded yet.
 */
export const collectSubmission = (needs: NeedsCollector, { fields, formId }: SubmitForm): void => {
  needs.form(formId)
  for (const { value } of fields) {
    needs.identifier("id", value)
    needs.identifier("email", emailIn(value))
    needs.identifier("anonymous_id", value)
  }
}
