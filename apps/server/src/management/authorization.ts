import { Authorization } from "@inlet/api/management/Authorization"
import { Unauthorized } from "@inlet/api/management/Problem"
import { Effect, Layer, Redacted } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import { ManagementToken } from "./ManagementToken.ts"
import { details } from "./details.ts"

/** Accepts requests that have the management token. */
export const authorization = Layer.effect(
  Authorization,
  Effect.gen(function* () {
    const managementToken = yield* ManagementToken
    return Authorization.of({
      bearer: Effect.fnUntraced(function* (answer, { credential }) {
        if (managementToken.isValid(Redacted.value(credential))) return yield* answer
        yield* HttpEffect.appendPreResponseHandler((_, response) =>
          Effect.succeed(HttpServerResponse.setHeader(response, "www-authenticate", "Bearer")),
        )
        return yield* new Unauthorized({ detail: details.unauthorized() })
      }),
    })
  }),
)
