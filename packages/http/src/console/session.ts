import { ConsoleApi, type SessionDocument } from "@inlethq/contract/console/ConsoleApi"
import type { Principal } from "@inlethq/contract/access/Access"
import type { AuditAction } from "@inlethq/contract/access/AuditAction"
import { Forbidden, Unauthorized } from "@inlethq/contract/access/Problem"
import { toIso } from "@inlethq/core/values/Timestamp"
import { Clock, Duration, Effect, Option } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { actorOf, AuditTrail, type Begun } from "../audit/AuditTrail.ts"
import { problemTexts } from "../problems/problemTexts.ts"
import { Principals } from "../access/Principals.ts"
import { WrongTokens } from "../access/WrongTokens.ts"
import { orStoreUnavailable } from "../problems/problems.ts"
import { isFromConsole } from "../access/requestOrigin.ts"
import { sessionLifetime, Sessions, type Session } from "../access/Sessions.ts"
import { SignInLinks } from "../access/SignInLinks.ts"

/** The handlers of `/console/session`: sign in, sign out, and the state of the session. */
export const sessionHandlers = HttpApiBuilder.group(
  ConsoleApi,
  "session",
  Effect.fnUntraced(function* (handlers) {
    const sessions = yield* Sessions
    const links = yield* SignInLinks
    const principals = yield* Principals
    const wrongTokens = yield* WrongTokens
    const trail = yield* AuditTrail

    return handlers.handleAll({
      get: Effect.fn("console.session.get")(function* ({ request }) {
        const cookie = request.cookies[sessions.cookieName] ?? ""
        const session = yield* sessions.find(cookie)
        if (Option.isSome(session)) return signedIn(session.value)
        return { ...signedOut, token_ended: yield* sessions.isTokenGone(cookie) }
      }, orStoreUnavailable),

      signIn: Effect.fn("console.session.signIn")(function* ({ payload, request }) {
        yield* mustBeFromConsole(request)
        const link = "token" in payload ? Option.none() : yield* links.use(payload.login)
        const holder =
          "token" in payload
            ? yield* principals.ofSecret(payload.token)
            : yield* Option.match(link, {
                onNone: () => Effect.succeedNone,
                onSome: ({ principalId }) => principals.ofId(principalId),
              })
        const opener = Option.isSome(link) ? link.value.session : null
        if (Option.isNone(holder)) {
          yield* wrongTokens.count("session.sign_in")
          const problem = "token" in payload ? problemTexts.wrongToken() : problemTexts.signInLinkSpent()
          return yield* new Unauthorized({ detail: problem })
        }
        const now = yield* Clock.currentTimeMillis
        const { cookie, session } = yield* trail.record(
          actionOf("session.sign_in", { ...holder.value.principal, isSession: false }),
          sessions.open(holder.value, opener),
        )
        yield* HttpEffect.appendPreResponseHandler((_, response) =>
          Effect.succeed(
            HttpServerResponse.setCookieUnsafe(response, sessions.cookieName, cookie, {
              ...cookieOptions(request),
              maxAge: Duration.min(sessionLifetime, Duration.millis(session.expiresAt - now)),
            }),
          ),
        )
        return signedIn(session)
      }, orStoreUnavailable),

      signOut: Effect.fn("console.session.signOut")(function* ({ request }) {
        yield* mustBeFromConsole(request)
        const session = yield* sessions.find(request.cookies[sessions.cookieName] ?? "")
        if (Option.isSome(session)) {
          const begun = actionOf("session.sign_out", session.value.principal)
          yield* trail.record(begun, sessions.close(session.value))
        }
        yield* HttpEffect.appendPreResponseHandler((_, response) =>
          Effect.succeed(
            HttpServerResponse.expireCookieUnsafe(response, sessions.cookieName, cookieOptions(request)),
          ),
        )
      }, orStoreUnavailable),
    })
  }),
)

const signedOut: SessionDocument = {
  signed_in: false,
  token_ended: false,
  expires_at: null,
  token: null,
  scope: null,
  workspaces: null,
}

const signedIn = ({ expiresAt, principal }: Session): SessionDocument => ({
  signed_in: true,
  token_ended: false,
  expires_at: toIso(expiresAt),
  token: { id: principal.id, name: principal.name },
  scope: principal.scope,
  workspaces: principal.workspaces,
})

const actionOf = (action: AuditAction, principal: Principal["Service"]): Begun => ({
  action,
  actor: actorOf(principal),
  workspace: null,
  target: null,
})

const mustBeFromConsole = (request: HttpServerRequest.HttpServerRequest) =>
  isFromConsole(request) ? Effect.void : Effect.fail(new Forbidden({ detail: problemTexts.foreignOrigin() }))

/**
 * The cookie is `Secure` if the browser uses https. A proxy may terminate TLS, so the connection to this server does
 * not show which scheme the browser uses.
 */
const cookieOptions = ({ headers }: HttpServerRequest.HttpServerRequest) => ({
  httpOnly: true,
  sameSite: "strict" as const,
  path: "/",
  secure: (headers["origin"] ?? "").startsWith("https:"),
})
