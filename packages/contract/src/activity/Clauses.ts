import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Requirement, readsOwn } from "../access/Access.ts"
import { ProblemAnswers } from "../access/Authorization.ts"

const ClauseDocument = Schema.Struct({
  rule: Schema.String,
  title: Schema.String,
  text: Schema.String,
  url: Schema.String,
}).annotate({
  identifier: "Clause",
  description:
    "a clause of the contract or of a reference, which activity entries name as their `rule`; `text` is Markdown, `url` is a path in the documentation, relative to the repository",
})

export class ClausesGroup extends HttpApiGroup.make("rules")
  .add(
    HttpApiEndpoint.get("get", "/rules/:rule", {
      params: { rule: Schema.String },
      success: ClauseDocument,
    }).annotate(Requirement, readsOwn),
  )
  .middleware(ProblemAnswers)
  .annotateMerge(OpenApi.annotations({ title: "Clauses of the contract" })) {}
