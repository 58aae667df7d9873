import { Digest } from "@inlet/core/ports/Digest"
import type { EpochMillis } from "@inlet/core/values/Timestamp"
import { Clock, Context, Duration, Effect, Layer, Option } from "effect"
import { randomBytes } from "node:crypto"
import { ManagementToken } from "../management/ManagementToken.ts"
import { digestOf, sameDigest } from "../Secret.ts"

/** The lifetime of a session. Afterwards the browser must sign in again. */
export const sessionLifetime = Duration.days(7)

const idBytes = 32

/** The number of hex digits in the name of a cookie that tell installations apart. */
const nameDigits = 12

/**
 * The largest number of sessions that a node remembers as signed out. If there are more, the node forgets the oldest
 * session.
 */
const signedOutMax = 10_000

const cookiePattern = /^(\d{1,16})\.([\w-]{43})\.([0-9a-f]{64})$/

/** A session of a browser. Its cookie contains its expiry time, a random id and a signature. */
export interface Session {
  readonly id: string
  readonly expiresAt: EpochMillis
}

/**
 * The sessions of browsers. A session is a signed cookie, so all nodes of an installation accept it without shared state,
 * and it survives a restart. The signature is made with the digest key of the installation and covers the digest of the
 * management token. Therefore a new management token ends all sessions.
 */
export class Sessions extends Context.Service<
  Sessions,
  {
    /**
     * The name of the cookie. It contains a digest of the installation, because a browser sends the cookies of a host to
     * every port of it.
     */
    readonly cookieName: string
    /** Starts a session. Returns the session and its cookie. */
    readonly open: Effect.Effect<{ readonly session: Session; readonly cookie: string }>
    /**
     * Returns the session that a cookie contains. Returns an empty option if the signature is wrong, or if the session
     * has expired or was signed out.
     */
    find(cookie: string): Effect.Effect<Option.Option<Session>>
    /**
     * Makes this node refuse a session from now on. Other nodes accept a copy of the session's cookie until it expires.
     */
    close(session: Session): Effect.Effect<void>
  }
>()("@inlet/server/console/Sessions") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const digest = yield* Digest
      const token = yield* ManagementToken
      const signedOut = new Set<string>()
      const signatureOf = (signed: string): string =>
        digestOf(digest.of(`inlet:session:${token.digest()}:${signed}`))

      return Sessions.of({
        cookieName: `inlet_session_${digestOf(digest.of("inlet:session")).slice(0, nameDigits)}`,
        open: Effect.map(Clock.currentTimeMillis, (now) => {
          const id = randomBytes(idBytes).toString("base64url")
          const expiresAt = now + Duration.toMillis(sessionLifetime)
          const signed = `${expiresAt}.${id}`
          return { session: { id, expiresAt }, cookie: `${signed}.${signatureOf(signed)}` }
        }),
        find: (cookie) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            const [, end = "", id = "", signature = ""] = cookiePattern.exec(cookie) ?? []
            if (id === "" || !sameDigest(signature, signatureOf(`${end}.${id}`))) return Option.none()
            const session = { id, expiresAt: Number(end) }
            return session.expiresAt > now && !signedOut.has(id) ? Option.some(session) : Option.none()
          }),
        close: ({ id }) =>
          Effect.sync(() => {
            signedOut.add(id)
            const [oldest] = signedOut
            if (signedOut.size > signedOutMax && oldest !== undefined) signedOut.delete(oldest)
          }),
      })
    }),
  )
}
