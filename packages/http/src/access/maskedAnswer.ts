import { Forbidden } from "@inlethq/contract/access/Problem"
import type { Digest } from "@inlethq/core/ports/Digest"
import { Effect, Predicate, Schema } from "effect"
import { HttpBody, HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { problemTexts } from "../problems/problemTexts.ts"
import { maskedDocument } from "./maskedDocument.ts"

const isStream = Predicate.or(Predicate.isTagged("StreamNdjson"), Predicate.isTagged("StreamSse"))
const isBytes = Predicate.isTagged("StreamUint8Array")

const decodeJson = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Json))

/** Masks the document that an endpoint answers, and refuses endpoints that answer a stream before they run. */
export const maskedAnswer = <E, R>(
  answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
  endpoint: Pick<HttpApiEndpoint.Top, "success">,
  digest: Digest["Service"],
): Effect.Effect<HttpServerResponse.HttpServerResponse, E | Forbidden, R> =>
  [...endpoint.success].some((success) => isStream(success) || isBytes(success))
    ? Effect.fail(refused)
    : Effect.flatMap(answer, (response) => maskedResponse(response, digest))

const refused = new Forbidden({ detail: problemTexts.maskedStream() })

const maskedResponse = Effect.fnUntraced(function* (
  response: HttpServerResponse.HttpServerResponse,
  digest: Digest["Service"],
) {
  const { body } = response
  if (body._tag === "Empty") return response
  if (body._tag === "Stream" || body._tag === "FormData") return yield* refused
  const text = yield* Effect.promise(() => HttpServerResponse.toWeb(response).text())
  // What is no JSON cannot be masked.
  const document = yield* Effect.mapError(decodeJson(text), () => refused)
  const masked = JSON.stringify(maskedDocument(document, digest.of))
  return HttpServerResponse.setBody(
    response,
    HttpBody.text(masked, response.headers["content-type"] ?? "application/json"),
  )
})
