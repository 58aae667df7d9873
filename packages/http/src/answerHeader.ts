import { Effect } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"

/** The value of `Retry-After` in 503 responses, in seconds. */
export const retryAfterSeconds = 1

/** Sets a header of the response to the current request, whether the request succeeds or fails. */
export const answerHeader = (name: string, value: string) =>
  HttpEffect.appendPreResponseHandler((_, response) =>
    Effect.succeed(HttpServerResponse.setHeader(response, name, value)),
  )
