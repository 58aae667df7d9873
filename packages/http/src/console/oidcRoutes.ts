import { claimIn, grantsOf } from "@inlethq/contract/access/AccessRules"
import { sumOf } from "@inlethq/contract/access/refusalOf"
import { ConsoleSessions } from "@inlethq/core/ports/ConsoleSessions"
import { minuteMs } from "@inlethq/core/values/Timestamp"
import { TrustedTime } from "@inlethq/engine/time/TrustedTime"
import { Clock, Duration, Effect, Option, Semaphore } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Sessions, type Person } from "../access/Sessions.ts"
import { AuditTrail, unknownActor } from "../audit/AuditTrail.ts"
import { digestOf } from "../credentials/Secret.ts"
import type { OidcSettings } from "../HttpSettings.ts"
import {
  attemptEnd,
  attemptLifetime,
  makeAttemptCookie,
  returnPath,
  type AttemptContent,
} from "../oidc/attemptCookie.ts"
import { failurePage } from "../oidc/failurePage.ts"
import { failed, makeIssuer, type SignedIn, type SignInFailed } from "../oidc/Issuer.ts"
import { redirectPath } from "../oidc/redirectPath.ts"
import { signInTexts } from "../oidc/signInTexts.ts"
import { sessionCookie } from "./sessionCookie.ts"

/** The most requests to the issuer at the same time. Further sign-ins are asked to try again. */
const issuerRequestsMax = 20

/** The most sign-ins that a node remembers to have redeemed. Beyond it, the store alone knows the oldest. */
const redeemedMax = 1000

/** How long a used sign-in is remembered after it has expired, in milliseconds, because clocks of nodes differ. */
const clocksDifferMs = 10 * minuteMs

/** The most values of a claim that the page for whom no rule matches shows. */
const shownValuesMax = 50

/** The most characters of each of them. */
const shownValueLengthMax = 100

/** A failure that is logged is not logged again for this time, in milliseconds. */
const loggedEveryMs = minuteMs

/** GET `/console/oidc` and `/console/oidc/callback`: signing in at the issuer of the settings. */
export const oidcRoutes = (settings: OidcSettings) =>
  HttpRouter.use((router) =>
    Effect.gen(function* () {
      const issuer = yield* makeIssuer(settings)
      const cookie = yield* makeAttemptCookie(settings)
      const answerFailure = yield* makeAnswerFailure
      const limited = yield* makeLimited
      const signIn = yield* makeSignIn(settings)
      const redeemedBefore = makeRedeemedBefore()

      const begin = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
        const { searchParams } = new URL(request.url, settings.consoleUrl.origin)
        const elsewhere = atConsoleUrl(request, searchParams, settings)
        if (elsewhere !== undefined) return redirect(elsewhere)
        const { attempt, url } = yield* limited(issuer.begin)
        const returnTo = returnPath(searchParams.get("return_to"), settings.consoleUrl)
        const sealed = cookie.seal({ ...attempt, returnTo, expiresAt: yield* attemptEnd })
        return HttpServerResponse.setCookieUnsafe(redirect(url), cookie.name, sealed, {
          ...attemptOptions(cookie.isSecure),
          maxAge: attemptLifetime,
        })
      })

      const finish = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
        const { searchParams } = new URL(request.url, settings.consoleUrl.origin)
        const attempt = yield* cookie.open(request.cookies[cookie.name] ?? "")
        if (Option.isNone(attempt) || searchParams.get("state") !== attempt.value.state) {
          return yield* foreign
        }
        const { value } = attempt
        const response = yield* Effect.suspend(() =>
          redeemedBefore(value.state) ? used : limited(issuer.redeem(searchParams, value)),
        ).pipe(
          Effect.flatMap((signedIn) => signIn(signedIn, value)),
          Effect.catchTag("SignInFailed", answerFailure),
        )
        return HttpServerResponse.expireCookieUnsafe(response, cookie.name, attemptOptions(cookie.isSecure))
      })

      yield* router.add("GET", "/console/oidc", (request) =>
        begin(request).pipe(Effect.catchTag("SignInFailed", answerFailure)),
      )
      yield* router.add("GET", redirectPath, (request) =>
        finish(request).pipe(Effect.catchTag("SignInFailed", answerFailure)),
      )
    }),
  )

const foreign = Effect.suspend(() =>
  Effect.fail(
    failed(400, "other_browser", signInTexts.foreign, { minutes: Duration.toMinutes(attemptLifetime) }),
  ),
)

const used = Effect.suspend(() => Effect.fail(failed(400, "used_before", signInTexts.used)))

const busy = Effect.suspend(() => Effect.fail(failed(503, "busy", signInTexts.busy)))

/** Lets only so many requests go to the issuer at the same time. */
const makeLimited = Effect.map(
  Semaphore.make(issuerRequestsMax),
  (permits) =>
    <A>(effect: Effect.Effect<A, SignInFailed>) =>
      permits
        .withPermitsIfAvailable(1)(effect)
        .pipe(Effect.flatMap(Option.match({ onNone: () => busy, onSome: Effect.succeed }))),
)

/** Returns a function that says whether this node has redeemed the code of a sign-in before. */
const makeRedeemedBefore = () => {
  const redeemed = new Set<string>()
  return (state: string): boolean => {
    if (redeemed.has(state)) return true
    redeemed.add(state)
    const [oldest] = redeemed
    if (redeemed.size > redeemedMax && oldest !== undefined) redeemed.delete(oldest)
    return false
  }
}

/** Returns a function that opens the session of whom the issuer has signed in, if a rule lets them in. */
const makeSignIn = Effect.fnUntraced(function* ({ access, consoleUrl, issuer: { host } }: OidcSettings) {
  const sessions = yield* Sessions
  const store = yield* ConsoleSessions
  const trail = yield* AuditTrail
  const trusted = yield* TrustedTime
  const isSecure = consoleUrl.protocol === "https:"

  return Effect.fnUntraced(
    function* ({ claims, ...who }: SignedIn, { expiresAt, returnTo, state }: AttemptContent) {
      const spent = yield* store.spend(digestOf(state), expiresAt + clocksDifferMs, yield* trusted)
      if (spent !== "spent") return yield* spent === "used" ? used : busy
      const found = claimIn(claims, access.claim)
      const grants = grantsOf(access, found.values)
      if (grants.length === 0) return yield* nobody(who, found, access.claim, host)
      const person: Person = { ...who, grants }
      const { id, kind } = { id: `${who.issuer} ${who.subject}`, kind: "session" as const }
      const { cookie, lifetimeMs } = yield* trail.record(
        {
          action: "session.sign_in",
          actor: { kind, id, name: who.name },
          workspace: null,
          target: null,
          details: { issuer: who.issuer, ...sumOf(grants) },
        },
        sessions.openFor(person),
      )
      return HttpServerResponse.setCookieUnsafe(redirect(returnTo), sessions.cookieName, cookie, {
        ...sessionCookie(isSecure),
        maxAge: Duration.millis(lifetimeMs),
      })
    },
    Effect.catchTag("StoreUnavailable", () =>
      Effect.fail(failed(503, "store_unavailable", signInTexts.store)),
    ),
  )
})

/** Fails with why no rule lets somebody in. Only the page has the values of the claim. */
const nobody = (
  { name }: Pick<SignedIn, "name">,
  { problem, values }: ReturnType<typeof claimIn>,
  claim: string,
  issuer: string,
) => {
  if (problem === "overage")
    return Effect.fail(failed(403, "overage", signInTexts.overage, { name, issuer, claim }))
  if (problem === "unverified") {
    return Effect.fail(failed(403, "unverified_email", signInTexts.unverified, { name, issuer }))
  }
  const shown = values.slice(0, shownValuesMax).map((value) => value.slice(0, shownValueLengthMax))
  const more = values.length > shown.length ? ` and ${values.length - shown.length} more` : ""
  const text = shown.length === 0 ? "no value" : `${shown.join(", ")}${more}`
  return Effect.fail(failed(403, "no_rule", signInTexts.nobody, { name, claim, values: text }))
}

/** Returns a function that answers a failed sign-in with a page, and counts it in the audit log. */
const makeAnswerFailure = Effect.gen(function* () {
  const trail = yield* AuditTrail
  const logged = new Map<string, number>()
  return Effect.fnUntraced(function* (failure: SignInFailed) {
    const { code, status } = failure
    const details = { reason: code }
    yield* trail.refused(
      { action: "session.sign_in", actor: unknownActor, workspace: null, target: null, details },
      status,
    )
    const now = yield* Clock.currentTimeMillis
    if (status >= 500 && Math.abs(now - (logged.get(code) ?? -loggedEveryMs)) >= loggedEveryMs) {
      logged.set(code, now)
      yield* Effect.logWarning("a person could not sign in to the console").pipe(
        Effect.annotateLogs({ reason: code, message: failure.message }),
      )
    }
    return failurePage(failure)
  })
})

/**
 * Returns the address at which a sign-in must begin, if a browser has come by another one: its cookie would not come back. Only the
 * first request is sent there, because a proxy may change `Host`.
 */
const atConsoleUrl = (
  { headers }: HttpServerRequest.HttpServerRequest,
  query: URLSearchParams,
  { consoleUrl }: OidcSettings,
): string | undefined => {
  if (headers["host"] === consoleUrl.host || query.has("here")) return undefined
  const url = new URL("/console/oidc", consoleUrl.origin)
  const returnTo = query.get("return_to")
  if (returnTo !== null) url.searchParams.set("return_to", returnPath(returnTo, consoleUrl))
  url.searchParams.set("here", "1")
  return url.href
}

const redirect = (location: string) =>
  HttpServerResponse.redirect(location, {
    status: 303,
    headers: { "cache-control": "no-store", "referrer-policy": "no-referrer" },
  })

/** The issuer sends the browser back from another site, so the cookie cannot be `Strict`. */
const attemptOptions = (secure: boolean) => ({
  httpOnly: true,
  sameSite: "lax" as const,
  path: "/",
  secure,
})
