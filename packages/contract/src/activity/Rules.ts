import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Requirement, readsOwn } from "../access/Access.ts"
import { ProblemAnswers } from "../access/Authorization.ts"

const RuleDocument = Schema.Struct({
  rule: Schema.String,
  title: Schema.String,
  text: Schema.String,
  url: Schema.String,
}).annotate({
  identifier: "Rule",
  description:
    "a rule that activity entries refer to; `text` is Markdown, `url` is a path in the documentation, relative to the repository",
})

export class RulesGroup extends HttpApiGroup.make("rules")
  .add(
    HttpApiEndpoint.get("get", "/rules/:rule", {
      params: { rule: Schema.String },
      success: RuleDocument,
    }).annotate(Requirement, readsOwn),
  )
  .middleware(ProblemAnswers)
  .annotateMerge(OpenApi.annotations({ title: "Rules" })) {}
