import { pipelinesDocument } from "@inlethq/wire/openapi/pipelinesDocument"
import { trackDocument } from "@inlethq/wire/openapi/trackDocument"
import type { JsonObject } from "@inlethq/core/values/Json"
import { Effect } from "effect"
import { json } from "./Answer.ts"
import type { Endpoint } from "./Call.ts"

/** Responds with an OpenAPI document. It needs no key, because it contains nothing of a workspace. */
const answerWith = (document: JsonObject): Endpoint => {
  const answer = json(200, document)
  return () => Effect.sync(() => answer)
}

export const trackOpenApi = answerWith(trackDocument)
export const pipelinesOpenApi = answerWith(pipelinesDocument)
