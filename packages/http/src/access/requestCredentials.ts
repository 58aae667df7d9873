import { Effect, Exit, Option } from "effect"
import { Cookies } from "effect/http"
import type { IncomingHttpHeaders, IncomingMessage } from "node:http"
import { Sessions, type Session } from "./Sessions.ts"
import { Principals, type Holder } from "./Principals.ts"

const bearer = /^bearer +(\S+) *$/i

/** Returns the token of an `Authorization` header, or undefined if it has none. */
export const bearerOf = (authorization: string | undefined): string | undefined =>
  bearer.exec(authorization ?? "")?.[1]

/** Finds out whose credentials a request has, and then calls `decided` with the id of the principal, or null if they are not valid. */
export type Authorize = (request: IncomingMessage, decided: (principal: string | null) => void) => void

/** Makes the check of the credentials that a request needs to take a slot of the `AnswerLimiter`. */
export const makeAuthorize = Effect.gen(function* () {
  const principals = yield* Principals
  const sessions = yield* Sessions
  const principalOf = Effect.fnUntraced(function* ({ authorization, cookie = "" }: IncomingHttpHeaders) {
    const token = bearerOf(authorization)
    // A token counts alone: a wrong one is refused, also beside a session.
    const idOf = Option.match({
      onNone: () => null,
      onSome: ({ principal }: Pick<Session, "principal"> | Holder) => principal.id,
    })
    if (token !== undefined) return idOf(yield* principals.ofSecret(token))
    return idOf(yield* sessions.find(Cookies.parseHeader(cookie)[sessions.cookieName] ?? ""))
  })
  const run = Effect.runForkWith(yield* Effect.context<never>())
  const authorize: Authorize = ({ headers }, decided) =>
    void run(principalOf(headers)).addObserver((exit) => decided(Exit.isSuccess(exit) ? exit.value : null))
  return authorize
})
