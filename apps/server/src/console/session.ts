import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { ConsoleApi, type SessionDocument } from "@inlet/api/console/ConsoleApi"
import { sessionCookie } from "@inlet/api/management/Authorization"
import { Forbidden, TooManyRequests, Unauthorized } from "@inlet/api/management/Problem"
import { toIso } from "@inlet/core/values/Timestamp"
import { Duration, Effect, Layer, Option } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import * as RateLimiter from "effect/persistence/RateLimiter"
import { hash } from "node:crypto"
import { details } from "../management/details.ts"
import { ManagementToken } from "../management/ManagementToken.ts"
import { isFromConsole } from "./requestOrigin.ts"
import { sessionLifetime, Sessions, type Session } from "./Sessions.ts"
import { SignInLinks } from "./SignInLinks.ts"

/**
 * The largest number of failed sign-in attempts within `failuresWindow` from the addresses of one group (see
 * `addressGroups`).
 */
const failuresMax = 10

/** The period in which failed attempts to sign in are counted. */
const failuresWindow = Duration.minutes(1)

/**
 * Addresses are hashed into this many groups, and failed attempts are counted for each group. Therefore the counters
 * need a fixed amount of memory.
 */
const addressGroups = 256

/** The handlers of `/console/session`: sign in, sign out, and the state of the session. */
export const sessionHandlers = HttpApiBuilder.group(
  ConsoleApi,
  "session",
  Effect.fnUntraced(function* (handlers) {
    const sessions = yield* Sessions
    const links = yield* SignInLinks
    const token = yield* ManagementToken
    const limiter = yield* RateLimiter.RateLimiter

    return handlers.handleAll({
      get: Effect.fn("console.session.get")(function* ({ request }) {
        return documentOf(yield* sessions.find(request.cookies[sessionCookie.key] ?? ""))
      }),

      signIn: Effect.fn("console.session.signIn")(function* ({ payload, request }) {
        yield* mustBeFromConsole(request)
        const countFailed = countFailures(limiter, request)
        // A sign-in attempt counts as failed until its token or link is checked, so that simultaneous attempts cannot
        // exceed the limit.
        yield* countFailed(1)
        if ("token" in payload) {
          if (!token.isValid(payload.token)) return yield* new Unauthorized({ detail: details.wrongToken() })
        } else if (!(yield* links.use(payload.login))) {
          return yield* new Unauthorized({ detail: details.signInLinkSpent() })
        }
        yield* countFailed(-1)
        const { cookie, session } = yield* sessions.open
        yield* HttpEffect.appendPreResponseHandler((_, response) =>
          Effect.succeed(
            HttpServerResponse.setCookieUnsafe(response, sessionCookie.key, cookie, {
              ...cookieOptions(request),
              maxAge: sessionLifetime,
            }),
          ),
        )
        return documentOf(Option.some(session))
      }),

      signOut: Effect.fn("console.session.signOut")(function* ({ request }) {
        yield* mustBeFromConsole(request)
        const session = yield* sessions.find(request.cookies[sessionCookie.key] ?? "")
        if (Option.isSome(session)) yield* sessions.close(session.value)
        yield* HttpEffect.appendPreResponseHandler((_, response) =>
          Effect.succeed(
            HttpServerResponse.expireCookieUnsafe(response, sessionCookie.key, cookieOptions(request)),
          ),
        )
      }),
    })
  }),
).pipe(Layer.provide(RateLimiter.layer.pipe(Layer.provide(RateLimiter.layerStoreMemory))))

const documentOf = (session: Option.Option<Session>): SessionDocument => ({
  signed_in: Option.isSome(session),
  expires_at: Option.isSome(session) ? toIso(session.value.expiresAt) : null,
})

const mustBeFromConsole = (request: HttpServerRequest.HttpServerRequest) =>
  isFromConsole(request) ? Effect.void : Effect.fail(new Forbidden({ detail: details.foreignOrigin() }))

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

/**
 * Returns a function that adds a number to the count of failed sign-in attempts from the address of a request. The
 * function fails with a 429 if the count is then above `failuresMax`. A negative number subtracts attempts.
 */
const countFailures = (limiter: RateLimiter.RateLimiter, request: HttpServerRequest.HttpServerRequest) => {
  const address = NodeHttpServerRequest.toIncomingMessage(request).socket.remoteAddress ?? ""
  const group = hash("sha256", address, "buffer").readUInt32BE() % addressGroups
  return (tokens: number) =>
    limiter.consume({ key: `sign-in:${group}`, limit: failuresMax, window: failuresWindow, tokens }).pipe(
      Effect.catchTag("RateLimiterError", ({ reason }) =>
        Effect.andThen(
          HttpEffect.appendPreResponseHandler((_, response) =>
            Effect.succeed(
              HttpServerResponse.setHeader(response, "retry-after", String(secondsUntil(reason))),
            ),
          ),
          Effect.fail(new TooManyRequests({ detail: details.tooManySignIns({ attempts: failuresMax }) })),
        ),
      ),
    )
}

const secondsUntil = (reason: RateLimiter.RateLimiterError["reason"]): number =>
  Math.ceil(Duration.toSeconds("retryAfter" in reason ? reason.retryAfter : failuresWindow))
