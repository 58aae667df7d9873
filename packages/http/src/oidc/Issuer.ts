import { claimIn, type Claims } from "@inlethq/contract/access/AccessRules"
import type { ErrorText } from "@inlethq/core/log/ErrorText"
import { Duration, Effect, Exit, Predicate, Redacted, Schema } from "effect"
import * as oauth from "oauth4webapi"
import type { OidcSettings } from "../HttpSettings.ts"
import { AnswerTooLarge, boundedFetch, IssuerAway, issuerAnswerKbMax } from "./boundedFetch.ts"
import { redirectPath } from "./redirectPath.ts"
import { signInTexts } from "./signInTexts.ts"

/** The difference of clocks that is tolerated in the times of a token, in seconds. */
const clockToleranceSeconds = 90

/**
 * The time for which the metadata of an issuer are relied on. It is short, so that signing in says at once that the issuer is away. Its
 * keys are read at each sign-in.
 */
const metadataLifetime = Duration.seconds(10)

/** The longest subject of a token, in characters (OpenID Connect Core §2). */
const subjectLengthMax = 255

/** The longest name of a person that is kept, in characters. */
const nameLengthMax = 200

/** Why a sign-in at the issuer fails. `code` is what the log has of it. It never contains a code, a token or a claim. */
export class SignInFailed extends Schema.TaggedError<SignInFailed>()("SignInFailed", {
  status: Schema.Int,
  code: Schema.String,
  message: Schema.String,
  remedy: Schema.String,
}) {}

/** What one sign-in remembers between its beginning and its end. All are random. */
export interface Attempt {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** Whom the issuer has signed in. */
export interface SignedIn {
  readonly issuer: string
  readonly subject: string
  readonly name: string
  readonly claims: Claims
}

/** An issuer of OpenID Connect. */
export interface Issuer {
  /** Returns a new attempt to sign in, and the address at the issuer where it goes on. */
  readonly begin: Effect.Effect<{ readonly attempt: Attempt; readonly url: string }, SignInFailed>
  /** Redeems the code with which the issuer sent the browser back. Returns whom the issuer has signed in. */
  redeem(query: URLSearchParams, attempt: Attempt): Effect.Effect<SignedIn, SignInFailed>
  /** Fails unless the issuer answers as one. */
  readonly check: Effect.Effect<void, SignInFailed>
}

/** Makes the access to the issuer of the settings. Nothing is asked of it before somebody signs in. */
export const makeIssuer = Effect.fnUntraced(function* (settings: OidcSettings) {
  const { access, clientId, clientSecret, consoleUrl, issuer } = settings
  const client: oauth.Client = { client_id: clientId, [oauth.clockTolerance]: clockToleranceSeconds }
  const redirectUri = new URL(redirectPath, consoleUrl.origin).href
  const isInsecure = issuer.protocol === "http:"
  const options = { [oauth.customFetch]: boundedFetch, [oauth.allowInsecureRequests]: isInsecure }
  const asked = <A>(step: Step, ask: () => Promise<A>) =>
    Effect.tryPromise({ try: ask, catch: (cause) => failureOf(step, cause, issuer.host) })

  const [metadata] = yield* Effect.cachedInvalidateWithTTL(
    asked("discovery", async () => {
      const answer = await oauth.discoveryRequest(issuer, { ...options, algorithm: "oidc" })
      return oauth.processDiscoveryResponse(issuer, answer)
    }),
    (exit) => (Exit.isSuccess(exit) ? metadataLifetime : 0),
  )

  const redeem = Effect.fnUntraced(function* (query: URLSearchParams, attempt: Attempt) {
    // The keys of the issuer are kept for each object, so a copy has them read again.
    const server = { ...(yield* metadata) }
    const callback = yield* asked("callback", async () =>
      oauth.validateAuthResponse(server, client, query, attempt.state),
    )
    const answer = yield* asked("exchange", () =>
      oauth.authorizationCodeGrantRequest(
        server,
        client,
        authenticationFor(server, Redacted.value(clientSecret)),
        callback,
        redirectUri,
        attempt.verifier,
        options,
      ),
    )
    const { accessToken, token } = yield* asked("token", async () => {
      const expected = { expectedNonce: attempt.nonce, requireIdToken: true }
      const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer, expected)
      await oauth.validateApplicationLevelSignature(server, answer, options)
      const token = oauth.getValidatedIdTokenClaims(tokens)
      if (token === undefined || token.sub.length > subjectLengthMax) throw new WrongSubject()
      return { accessToken: tokens.access_token, token }
    })
    const claims = yield* asked("exchange", () =>
      claimsOf(server, client, token, accessToken, { claim: access.claim, options }),
    )
    const name = (nameIn(claims) ?? token.sub).slice(0, nameLengthMax)
    return { issuer: server.issuer, subject: token.sub, name, claims }
  })

  return {
    redeem,
    check: Effect.asVoid(metadata),
    begin: Effect.gen(function* () {
      const server = yield* metadata
      const attempt = newAttempt()
      const challenge = yield* Effect.promise(() => oauth.calculatePKCECodeChallenge(attempt.verifier))
      const url = yield* asked("discovery", async () => authorizationUrl(server, isInsecure))
      const parameters = {
        response_type: "code",
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: scopesFor(server, access.claim),
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: challenge,
        code_challenge_method: "S256",
      }
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
      return { attempt, url: url.href }
    }),
  } satisfies Issuer
})

const newAttempt = (): Attempt => ({
  state: oauth.generateRandomState(),
  nonce: oauth.generateRandomNonce(),
  verifier: oauth.generateRandomCodeVerifier(),
})

class WrongSubject extends Error {}

const authorizationUrl = (server: oauth.AuthorizationServer, isInsecure: boolean): URL => {
  const url = new URL(server.authorization_endpoint ?? "")
  oauth.checkProtocol(url, !isInsecure)
  return url
}

/** Adds what the issuer tells only on request, if the token lacks the name or the claim of the rules. */
const claimsOf = async (
  server: oauth.AuthorizationServer,
  client: oauth.Client,
  token: oauth.IDToken,
  accessToken: string,
  { claim, options }: { readonly claim: string; readonly options: oauth.UserInfoRequestOptions },
): Promise<Claims> => {
  const { problem, values } = claimIn(token, claim)
  const isComplete = (values.length > 0 || problem !== null) && nameIn(token) !== undefined
  if (isComplete || server.userinfo_endpoint === undefined) return token
  const answer = await oauth.userInfoRequest(server, client, accessToken, options)
  return { ...(await oauth.processUserInfoResponse(server, client, token.sub, answer)), ...token }
}

const authenticationFor = (
  { token_endpoint_auth_methods_supported: methods = ["client_secret_basic"] }: oauth.AuthorizationServer,
  secret: string,
): oauth.ClientAuth =>
  methods.includes("client_secret_basic") ? oauth.ClientSecretBasic(secret) : oauth.ClientSecretPost(secret)

/** Some issuers want a scope of its own for groups, and some refuse scopes that they do not know. */
const scopesFor = ({ scopes_supported }: oauth.AuthorizationServer, claim: string): string => {
  const scopes = ["openid", "profile", "email"]
  const isKnown = scopes_supported?.includes(claim) === true && !scopes.includes(claim)
  return (isKnown ? [...scopes, claim] : scopes).join(" ")
}

const nameIn = (claims: Claims): string | undefined =>
  [claims["name"], claims["preferred_username"], claims["email"]].find(
    (name): name is string => typeof name === "string" && name.trim() !== "",
  )

/** What the issuer was asked for. */
type Step = "discovery" | "callback" | "exchange" | "token"

/**
 * Returns the failure that a person sees. It has only the issuer's own error code: texts beside it, and the causes of errors, may
 * have a code, a token or claims.
 */
const failureOf = (step: Step, cause: unknown, issuer: string): SignInFailed => {
  if (cause instanceof AnswerTooLarge)
    return failed(502, "answer_too_large", signInTexts.tooLarge, { issuer, kb: issuerAnswerKbMax })
  if (cause instanceof IssuerAway) return failed(503, "issuer_away", signInTexts.away, { issuer })
  if (cause instanceof oauth.AuthorizationResponseError)
    return failed(403, safe(cause.error), signInTexts.refused, { issuer, code: safe(cause.error) })
  if (cause instanceof oauth.ResponseBodyError) {
    const code = safe(cause.error)
    return code === "invalid_grant"
      ? failed(400, code, signInTexts.code, { issuer, code })
      : failed(502, code, signInTexts.client, { issuer, code })
  }
  if (cause instanceof oauth.WWWAuthenticateChallengeError)
    return failed(502, "invalid_client", signInTexts.client, { issuer, code: "invalid_client" })
  const code = cause instanceof Error && "code" in cause ? safe(String(cause.code)) : "unknown"
  switch (step) {
    case "callback":
      return failed(400, "other_issuer", signInTexts.otherIssuer, { issuer })
    case "token":
      return failed(403, "token_refused", signInTexts.token, { issuer, problem: tokenProblem(cause, code) })
    case "discovery":
    case "exchange":
      return failed(502, code, signInTexts.wrongAnswer, { issuer, code })
  }
}

const claimProblems: Readonly<Record<string, string>> = {
  aud: "it is for another client",
  azp: "it is for another client",
  iss: "it is of another issuer",
  nonce: "it belongs to another sign-in",
  exp: "it has expired",
  nbf: "it is not valid yet",
}

const tokenProblem = (cause: unknown, code: string): string => {
  const claim = cause instanceof oauth.OperationProcessingError ? claimNamedBy(cause.cause) : undefined
  if (claim !== undefined) return claimProblems[claim] ?? "one of its claims is wrong"
  const isOfKey = code === oauth.KEY_SELECTION || cause instanceof oauth.UnsupportedOperationError
  return isOfKey || code === oauth.INVALID_RESPONSE
    ? "it is not signed with a key of the issuer, or is no token of OpenID Connect"
    : "it is no token of OpenID Connect"
}

const claimNamedBy = (cause: unknown): string | undefined =>
  Predicate.hasProperty(cause, "claim") && typeof cause.claim === "string" ? cause.claim : undefined

/** Error codes are short words of ASCII (RFC 6749 §5.2). Anything else is not shown. */
const safe = (code: string): string => (/^[\w.-]{1,60}$/.test(code) ? code : "unknown")

/** Returns the failure that a page and the log show. */
export const failed = <T extends string>(
  status: number,
  code: string,
  text: ErrorText<T>,
  ...values: Parameters<ErrorText<T>>
): SignInFailed => new SignInFailed({ status, code, message: text(...values), remedy: text.remedy })
