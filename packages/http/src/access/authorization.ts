import { Principal } from "@inlethq/contract/access/Access"
import { Authorization } from "@inlethq/contract/access/Authorization"
import { Forbidden, Unauthorized } from "@inlethq/contract/access/Problem"
import { Effect, Layer, Option, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import { answerHeader } from "../answerHeader.ts"
import { isFromConsole } from "./requestOrigin.ts"
import { Sessions } from "./Sessions.ts"
import { AccessEnds } from "./AccessEnds.ts"
import { LinkMaker } from "./SignInLinks.ts"
import { Principals } from "./Principals.ts"
import { WrongTokens } from "./WrongTokens.ts"
import { orStoreUnavailable } from "../problems/problems.ts"
import { problemTexts } from "../problems/problemTexts.ts"

/**
 * Accepts requests that have a management token, and requests of the console that have a session cookie. The cookie is
 * checked only if there is no token.
 */
export const authorization = Layer.effect(
  Authorization,
  Effect.gen(function* () {
    const principals = yield* Principals
    const sessions = yield* Sessions
    const wrongTokens = yield* WrongTokens
    return Authorization.of({
      bearer: Effect.fnUntraced(function* (answer, { credential }) {
        const token = Redacted.value(credential)
        const holder = yield* orStoreUnavailable(principals.ofSecret(token))
        if (Option.isSome(holder)) {
          return yield* answer.pipe(
            Effect.provideService(Principal, { ...holder.value.principal, isSession: false }),
            Effect.provideService(AccessEnds, principals.ended(token)),
            Effect.provideService(LinkMaker, {
              session: null,
              isValid: Effect.map(principals.ofSecret(token), Option.isSome),
            }),
          )
        }
        if (token !== "") {
          yield* challenge
          yield* wrongTokens.count("access.unknown_token")
          return yield* unauthorized
        }
        const request = yield* HttpServerRequest.HttpServerRequest
        const cookie = request.cookies[sessions.cookieName] ?? ""
        const session = yield* orStoreUnavailable(sessions.find(cookie))
        if (Option.isNone(session)) {
          yield* challenge
          return yield* unauthorized
        }
        if (isFromConsole(request)) {
          return yield* answer.pipe(
            Effect.provideService(Principal, session.value.principal),
            Effect.provideService(AccessEnds, sessions.ended(cookie)),
            Effect.provideService(LinkMaker, {
              session: session.value,
              isValid: Effect.map(sessions.find(cookie), Option.isSome),
            }),
          )
        }
        return yield* new Forbidden({ detail: problemTexts.foreignOrigin() })
      }),
    })
  }),
)

const challenge = answerHeader("www-authenticate", "Bearer")

const unauthorized = new Unauthorized({ detail: problemTexts.unauthorized() })
