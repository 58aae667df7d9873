import { WorkspaceId } from "@inlethq/core/values/Identifier"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Requirement, reads } from "../access/Access.ts"
import { ProblemAnswers } from "../access/Authorization.ts"

const SuppressionDocument = Schema.Struct({ suppressed: Schema.Boolean }).annotate({
  identifier: "Suppression",
  description:
    "whether Inlet ignores calls with this identifier, because it is suppressed; only digests are stored, so suppressions cannot be listed",
})

/** Exactly one of `id` and `email` must be given. */
const suppressionQuery = {
  id: Schema.optionalKey(Schema.NonEmptyString),
  email: Schema.optionalKey(Schema.NonEmptyString),
}

export class SuppressionsGroup extends HttpApiGroup.make("suppressions")
  .add(
    HttpApiEndpoint.get("get", "/workspaces/:w/suppressions", {
      params: { w: WorkspaceId },
      query: suppressionQuery,
      success: SuppressionDocument,
    }).annotate(Requirement, reads),
  )
  .middleware(ProblemAnswers)
  .annotateMerge(OpenApi.annotations({ title: "Suppressions" })) {}
