import { ConsoleApi, type SessionDocument } from "@inlethq/contract/console/ConsoleApi"
import type { Principal } from "@inlethq/contract/access/Access"
import type { AuditAction } from "@inlethq/contract/access/AuditAction"
import { Forbidden, Unauthorized } from "@inlethq/contract/access/Problem"
import { toIso } from "@inlethq/core/values/Timestamp"
import { Duration, Effect, Option } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { actorOf, AuditTrail, type Begun } from "../audit/AuditTrail.ts"
import { problemTexts } from "../problems/problemTexts.ts"
import { Principals } from "../access/Principals.ts"
import { WrongTokens } from "../access/WrongTokens.ts"
import { orStoreUnavailable } from "../problems/problems.ts"
import { isFromConsole } from "../access/requestOrigin.ts"
import { Sessions, type Session } from "../access/Sessions.ts"
import { SignInLinks } from "../access/SignInLinks.ts"
import { HttpSettings } from "../HttpSettings.ts"
import { sessionCookie } from "./sessionCookie.ts"

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
    const { consoleTokens, oidc } = yield* HttpSettings
    const ways: Ways = {
      tokens: consoleTokens,
      oidc: Option.getOrNull(Option.map(oidc, ({ issuer }) => ({ issuer: issuer.host }))),
    }

    return handlers.handleAll({
      get: Effect.fn("console.session.get")(function* ({ request }) {
        const cookie = request.cookies[sessions.cookieName] ?? ""
        const session = yield* sessions.find(cookie)
        if (Option.isSome(session)) return signedIn(session.value, ways)
        return { ...signedOut, ways, token_ended: yield* sessions.isTokenGone(cookie) }
      }, orStoreUnavailable),

      signIn: Effect.fn("console.session.signIn")(function* ({ payload, request }) {
        yield* mustBeFromConsole(request)
        if (!consoleTokens) return yield* new Forbidden({ detail: problemTexts.noConsoleTokens() })
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
        const { cookie, lifetimeMs, session } = yield* trail.record(
          actionOf("session.sign_in", { ...holder.value.principal, isSession: false }),
          sessions.open(holder.value, opener),
        )
        yield* HttpEffect.appendPreResponseHandler((_, response) =>
          Effect.succeed(
            HttpServerResponse.setCookieUnsafe(response, sessions.cookieName, cookie, {
              ...sessionCookie(usesTls(request)),
              maxAge: Duration.millis(lifetimeMs),
            }),
          ),
        )
        return signedIn(session, ways)
      }, orStoreUnavailable),

      signOut: Effect.fn("console.session.signOut")(function* ({ request }) {
        yield* mustBeFromConsole(request)
        const session = yield* sessions.find(request.cookies[sessions.cookieName] ?? "")
        if (Option.isSome(session)) {
          const begun = actionOf("session.sign_out", session.value.principal)
          yield* trail.record(begun, sessions.end(session.value.sessionId))
        }
        yield* HttpEffect.appendPreResponseHandler((_, response) =>
          Effect.succeed(
            HttpServerResponse.expireCookieUnsafe(
              response,
              sessions.cookieName,
              sessionCookie(usesTls(request)),
            ),
          ),
        )
      }, orStoreUnavailable),
    })
  }),
)

type Ways = SessionDocument["ways"]

const signedOut: Omit<SessionDocument, "ways"> = {
  signed_in: false,
  token_ended: false,
  expires_at: null,
  token: null,
  scope: null,
  workspaces: null,
  grants: [],
}

const signedIn = ({ expiresAt, issuer, principal }: Session, ways: Ways): SessionDocument => ({
  signed_in: true,
  token_ended: false,
  expires_at: toIso(expiresAt),
  token: { id: principal.id, name: principal.name, issuer },
  scope: principal.scope,
  workspaces: principal.workspaces,
  grants: principal.grants,
  ways,
})

const actionOf = (action: AuditAction, principal: Principal["Service"]): Begun => ({
  action,
  actor: actorOf(principal),
  workspace: null,
  target: null,
})

const mustBeFromConsole = (request: HttpServerRequest.HttpServerRequest) =>
  isFromConsole(request) ? Effect.void : Effect.fail(new Forbidden({ detail: problemTexts.foreignOrigin() }))

/** A proxy may terminate TLS, so the connection to this server does not show which scheme the browser uses. */
const usesTls = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  (headers["origin"] ?? "").startsWith("https:")
