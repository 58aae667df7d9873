import type { JsonObject } from "@inlethq/core/values/Json"
import type { BodyExample } from "./Operation.ts"
import { rateHeaders, response, schemaNamed, type trackErrorSchemas } from "./responses.ts"

export const trackSecurity: ReadonlyArray<JsonObject> = [{ trackKey: [] }]

export type ErrorName = keyof typeof trackErrorSchemas

/** Responses by their status. */
export type Answers = Readonly<Record<string, JsonObject>>

export const applied = response("Applied, or ignored as the activity log says.", {
  schema: { type: "object" },
  headers: rateHeaders,
})

export const metaError = schemaNamed("MetaError")

export const invalid = (errors: ErrorName): JsonObject =>
  response("The request is invalid. Nothing was applied.", {
    schema: schemaNamed(errors),
    headers: rateHeaders,
  })

export const example = (body: BodyExample["body"], name = "example"): BodyExample => ({ name, body })
