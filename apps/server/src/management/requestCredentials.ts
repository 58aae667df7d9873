import type { StoreUnavailable } from "@inlet/core/ports/Store"
import { Effect, Exit, Option } from "effect"
import { Cookies } from "effect/http"
import type { IncomingHttpHeaders } from "node:http"
import { Sessions } from "../console/Sessions.ts"
import type { Authorize } from "./AnswerLimiter.ts"
import { ManagementToken } from "./ManagementToken.ts"

const bearer = /^bearer +(\S+) *$/i

/** Returns the token of an `Authorization` header, or undefined if it has none. */
export const bearerOf = (authorization: string | undefined): string | undefined =>
  bearer.exec(authorization ?? "")?.[1]

/** Makes the check of the credentials that a request needs to take a slot of the `AnswerLimiter`. */
export const makeAuthorize = Effect.gen(function* () {
  const managementToken = yield* ManagementToken
  const sessions = yield* Sessions
  const hasCredentials = ({
    authorization,
    cookie = "",
  }: IncomingHttpHeaders): Effect.Effect<boolean, StoreUnavailable> => {
    const token = bearerOf(authorization)
    if (token !== undefined && managementToken.isValid(token)) return Effect.succeed(true)
    const session = Cookies.parseHeader(cookie)[sessions.cookieName]
    return session === undefined ? Effect.succeed(false) : Effect.map(sessions.find(session), Option.isSome)
  }
  const run = Effect.runForkWith(yield* Effect.context<never>())
  const authorize: Authorize = ({ headers }, decided) =>
    void run(hasCredentials(headers)).addObserver((exit) => decided(Exit.isSuccess(exit) && exit.value))
  return authorize
})
