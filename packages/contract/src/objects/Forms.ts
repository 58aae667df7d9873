import type { Form } from "@inlethq/core/state/Form"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import { toIso } from "@inlethq/core/values/Timestamp"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Requirement, reads, writes } from "../access/Access.ts"
import { ProblemAnswers } from "../access/Authorization.ts"
import { FormCursor } from "../values/Cursor.ts"
import { IsoTime } from "../values/IsoTime.ts"
import { Page, pageQuery } from "../values/Page.ts"
import { PathId } from "../values/PathId.ts"

/** A form and the attributes that its fields set. */
export const FormDocument = Schema.Struct({
  form_id: Schema.String,
  fields: Schema.Array(Schema.String),
  mapping: Schema.Record(Schema.String, Schema.String),
  created_at: IsoTime,
  updated_at: IsoTime,
}).annotate({
  identifier: "Form",
  description:
    "a form's fields, in the order in which they were first submitted, and the attribute that each field sets; fields mapped to `id` or `email` identify the respondent",
})
export type FormDocument = typeof FormDocument.Type

const FormPatch = Schema.Struct({ mapping: Schema.Record(Schema.String, Schema.NonEmptyString) }).annotate({
  identifier: "FormPatch",
  description:
    "the attribute that each field sets; new fields are added, and fields that are not listed stay unchanged",
})

const params = { w: WorkspaceId, form_id: PathId }

export class FormsGroup extends HttpApiGroup.make("forms")
  .add(
    HttpApiEndpoint.get("list", "/workspaces/:w/forms", {
      params: { w: WorkspaceId },
      query: pageQuery(FormCursor),
      success: Page(FormDocument, FormCursor),
    }).annotate(Requirement, reads),
    HttpApiEndpoint.get("get", "/workspaces/:w/forms/:form_id", { params, success: FormDocument }).annotate(
      Requirement,
      reads,
    ),
    HttpApiEndpoint.patch("update", "/workspaces/:w/forms/:form_id", {
      params,
      payload: FormPatch,
      success: FormDocument,
    }).annotate(Requirement, writes("form.update")),
  )
  .middleware(ProblemAnswers)
  .annotateMerge(OpenApi.annotations({ title: "Forms" })) {}

export const formDocument = (form: Form): FormDocument => ({
  form_id: form.formId,
  fields: [...form.mapping.keys()],
  mapping: Object.fromEntries(form.mapping),
  created_at: toIso(form.createdAt),
  updated_at: toIso(form.updatedAt),
})
