import { Digest } from "@inlethq/core/ports/Digest"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import { Clock, Duration, Effect, Option, Schema } from "effect"
import { digestOf, sameDigest } from "../credentials/Secret.ts"
import type { OidcSettings } from "../HttpSettings.ts"

/** The time for which a sign-in at the issuer may take. */
export const attemptLifetime = Duration.minutes(10)

/** The longest address to which a sign-in returns, in characters. A longer one becomes the start page. */
const returnToLengthMax = 1000

/** The number of hex digits in the name of a cookie that tell installations apart. */
const nameDigits = 12

/** The longest cookie that is looked at, in characters. */
const cookieLengthMax = 4000

const Content = Schema.fromJsonString(
  Schema.Struct({
    state: Schema.NonEmptyString,
    nonce: Schema.NonEmptyString,
    verifier: Schema.NonEmptyString,
    returnTo: Schema.String,
    expiresAt: Schema.Int,
  }),
)
export type AttemptContent = typeof Content.Type

const decodeContent = Schema.decodeUnknownOption(Content)
const encodeContent = Schema.encodeSync(Content)

/** The cookie in which a browser keeps its sign-in while it is at the issuer. Every node can read it. */
export interface AttemptCookie {
  readonly name: string
  readonly isSecure: boolean
  seal(content: AttemptContent): string
  /** Returns the content, unless it was changed, has expired or belongs to another issuer. */
  open(cookie: string): Effect.Effect<Option.Option<AttemptContent>>
}

/** Returns the time at which a sign-in that begins now expires. */
export const attemptEnd = Effect.map(
  Clock.currentTimeMillis,
  (now): EpochMillis => now + Duration.toMillis(attemptLifetime),
)

/** Makes the cookie for the issuer of the settings. Browsers refuse the prefix `__Host-` without TLS. */
export const makeAttemptCookie = Effect.fnUntraced(function* ({
  clientId,
  consoleUrl,
  issuer,
}: OidcSettings) {
  const digest = yield* Digest
  const isSecure = consoleUrl.protocol === "https:"
  const installation = digestOf(digest.of("inlet:session")).slice(0, nameDigits)
  const signatureOf = (text: string) => digestOf(digest.of(`inlet:oidc:${issuer.href} ${clientId}:${text}`))
  return {
    name: `${isSecure ? "__Host-" : ""}inlet_oidc_${installation}`,
    isSecure,
    seal: (content) => {
      const text = Buffer.from(encodeContent(content)).toString("base64url")
      return `${text}.${signatureOf(text)}`
    },
    open: Effect.fnUntraced(function* (cookie) {
      const [text = "", signature = "", ...others] = cookie.length > cookieLengthMax ? [] : cookie.split(".")
      if (others.length > 0 || !sameDigest(signature, signatureOf(text))) return Option.none()
      const content = decodeContent(Buffer.from(text, "base64url").toString())
      const now = yield* Clock.currentTimeMillis
      return Option.filter(content, ({ expiresAt }) => expiresAt > now)
    }),
  } satisfies AttemptCookie
})

/**
 * Returns the path within the console to which a sign-in returns. Anything else, such as an address of another host, becomes the start
 * page. The fragment is left out, because it can sign somebody else in.
 */
export const returnPath = (asked: string | null, consoleUrl: URL): string => {
  const start = "/console/"
  if (asked === null || asked.length > returnToLengthMax || !URL.canParse(asked, consoleUrl.origin))
    return start
  const { origin, pathname, search } = new URL(asked, consoleUrl.origin)
  const isInside = origin === consoleUrl.origin && pathname.startsWith(start)
  return isInside && !pathname.startsWith("/console/oidc") ? pathname + search : start
}
