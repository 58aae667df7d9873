import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { opensOwn, Requirement } from "../access/Access.ts"
import { ProblemAnswers } from "../access/Authorization.ts"
import { IsoTime } from "../values/IsoTime.ts"
import { Conflict } from "../access/Problem.ts"

const SignInLink = Schema.Struct({
  path: Schema.String.annotate({
    description: "the path on this server that signs a browser in once, with a secret in its fragment",
  }),
  expires_at: IsoTime,
}).annotate({ identifier: "SignInLink", description: "a new link to the console" })

export class SignInLinksGroup extends HttpApiGroup.make("signInLinks")
  .add(
    HttpApiEndpoint.post("create", "/sign-in-links", {
      success: SignInLink.pipe(HttpApiSchema.status(201)),
      error: Conflict,
    }).annotate(Requirement, opensOwn("session.link")),
  )
  .middleware(ProblemAnswers)
  .annotateMerge(OpenApi.annotations({ title: "Sign-in links" })) {}
