import { Authorization } from "@inlet/api/management/Authorization"
import { Forbidden, Unauthorized } from "@inlet/api/management/Problem"
import { Effect, Layer, Option, Redacted } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import { isFromConsole } from "../console/requestOrigin.ts"
import { Sessions } from "../console/Sessions.ts"
import { ManagementToken } from "./ManagementToken.ts"
import { details } from "./details.ts"

/**
 * Accepts requests that have the management token, and requests of the console that have a session cookie. The cookie is
 * checked only if the token is missing or wrong.
 */
export const authorization = Layer.effect(
  Authorization,
  Effect.gen(function* () {
    const managementToken = yield* ManagementToken
    const sessions = yield* Sessions
    return Authorization.of({
      bearer: (answer, { credential }) =>
        managementToken.isValid(Redacted.value(credential)) ? answer : Effect.fail(unauthorized),
      session: Effect.fnUntraced(function* (answer, { credential }) {
        const session = yield* sessions.find(Redacted.value(credential))
        if (Option.isNone(session)) {
          yield* HttpEffect.appendPreResponseHandler((_, response) =>
            Effect.succeed(HttpServerResponse.setHeader(response, "www-authenticate", "Bearer")),
          )
          return yield* unauthorized
        }
        if (isFromConsole(yield* HttpServerRequest.HttpServerRequest)) return yield* answer
        return yield* new Forbidden({ detail: details.foreignOrigin() })
      }),
    })
  }),
)

const unauthorized = new Unauthorized({ detail: details.unauthorized() })
