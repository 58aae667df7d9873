import { Authorization } from "@inlet/api/management/Authorization"
import { Unauthorized } from "@inlet/api/management/Problem"
import { Effect, Layer, Redacted } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import { ManagementToken } from "./ManagementToken.ts"
import { digestOf, sameDigest } from "../Secret.ts"
import { details } from "./details.ts"

/** Checks the bearer token against the digest of the management token, in constant time. */
export const authorization = Layer.effect(
  Authorization,
  Effect.gen(function* () {
    const { digest } = yield* ManagementToken
    return Authorization.of({
      bearer: Effect.fnUntraced(function* (answer, { credential }) {
        if (sameDigest(digestOf(Redacted.value(credential)), digest)) return yield* answer
        yield* HttpEffect.appendPreResponseHandler((_, response) =>
          Effect.succeed(HttpServerResponse.setHeader(response, "www-authenticate", "Bearer")),
        )
        return yield* new Unauthorized({ detail: details.unauthorized() })
      }),
    })
  }),
)
