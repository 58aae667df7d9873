import { Effect, Exit, Option } from "effect"
import { Cookies } from "effect/http"
import type { IncomingHttpHeaders, IncomingMessage } from "node:http"
import { Sessions } from "./Sessions.ts"
import { Principals } from "./Principals.ts"

const bearer = /^bearer +(\S+) *$/i

/** Returns the token of an `Authorization` header, or undefined if it has none. */
export const bearerOf = (authorization: string | undefined): string | undefined =>
  bearer.exec(authorization ?? "")?.[1]

/** Decides whether a request has valid credentials, and then calls `decided`. */
export type Authorize = (request: IncomingMessage, decided: (isAuthorized: boolean) => void) => void

/** Makes the check of the credentials that a request needs to take a slot of the `AnswerLimiter`. */
export const makeAuthorize = Effect.gen(function* () {
  const principals = yield* Principals
  const sessions = yield* Sessions
  const hasCredentials = Effect.fnUntraced(function* ({ authorization, cookie = "" }: IncomingHttpHeaders) {
    const token = bearerOf(authorization)
    if (token !== undefined && Option.isSome(yield* principals.ofSecret(token))) return true
    const session = Cookies.parseHeader(cookie)[sessions.cookieName]
    return session !== undefined && Option.isSome(yield* sessions.find(session))
  })
  const run = Effect.runForkWith(yield* Effect.context<never>())
  const authorize: Authorize = ({ headers }, decided) =>
    void run(hasCredentials(headers)).addObserver((exit) => decided(Exit.isSuccess(exit) && exit.value))
  return authorize
})
