import type { Principal } from "@inlethq/contract/access/Access"
import { Digest } from "@inlethq/core/ports/Digest"
import { TrustedTime } from "@inlethq/engine/time/TrustedTime"
import { SignedOutSessions } from "@inlethq/core/ports/SignedOutSessions"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import { Clock, Context, Duration, Effect, Layer, Option } from "effect"
import { randomBytes } from "node:crypto"
import { Principals, type Holder } from "./Principals.ts"
import { reliedOnMs } from "../credentials/reliedOnMs.ts"
import { digestOf, sameDigest } from "../credentials/Secret.ts"
import { endOf } from "./AccessEnds.ts"
import { HttpSettings } from "../HttpSettings.ts"

/** The lifetime of a session. Afterwards the browser must sign in again. */
export const sessionLifetime = Duration.days(7)

const idBytes = 32

/** The number of hex digits in the name of a cookie that tell installations apart. */
const nameDigits = 12

/** The largest number of sessions whose checks a node remembers. Beyond it, the node forgets the oldest check. */
const checkedMax = 1000

/**
 * The most sessions from which a session can descend: each was opened with a sign-in link that the next one made. A session with this
 * many makes no links that can be used.
 */
const ancestorsMax = 3

const cookiePattern = /^(\d{1,16})\.(\w{1,40})\.([\w-]{43}(?:~[\w-]{43}){0,3})\.([0-9a-f]{64})$/

/**
 * A session of a browser. Its cookie contains its expiry time, the id of the token that opened it, a random id and a
 * signature. It may do what the token may do.
 */
export interface Session {
  /** A random id. If a link opened the session that another session made, the id of that one follows, after a tilde. */
  readonly id: string
  readonly expiresAt: EpochMillis
  readonly principal: Principal["Service"]
}

/**
 * The sessions of browsers. A session is a signed cookie, so all nodes of an installation accept it and it survives a
 * restart. The store remembers only the sessions that were signed out. The signature is made with the digest key of the
 * installation and covers the digest of the token that opened the session, which ends when that token is replaced,
 * revoked or expires.
 */
export class Sessions extends Context.Service<
  Sessions,
  {
    /**
     * The name of the cookie. It contains a digest of the installation, because a browser sends the cookies of a host to
     * every port of it.
     */
    readonly cookieName: string
    /**
     * Starts a session of the holder of a token. Returns the session and its cookie. A session that another one has opened, with a
     * sign-in link, ends with that one.
     */
    open(
      holder: Holder,
      opener?: Session | null,
    ): Effect.Effect<{ readonly session: Session; readonly cookie: string }>
    /** Whether a session may open another one. */
    mayOpen(session: Session): boolean
    /**
     * Returns the session that a cookie contains. Returns an empty option if the signature is wrong, if the session or
     * its token has expired, if the session was signed out or its token revoked, or if the server has no console. While the store is unavailable, the last check counts.
     */
    find(cookie: string): Effect.Effect<Option.Option<Session>, StoreUnavailable>
    /**
     * Returns true if a cookie names a token that was revoked or has expired. Without the token the signature cannot be
     * checked, so this says only that no token has the id that the cookie names.
     */
    isTokenGone(cookie: string): Effect.Effect<boolean, StoreUnavailable>
    /** Signs a session out on all nodes. */
    close(session: Session): Effect.Effect<void, StoreUnavailable>
    /** Completes when `find` no longer returns the session of a cookie. */
    ended(cookie: string): Effect.Effect<void>
  }
>()("@inlethq/http/access/Sessions") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const digest = yield* Digest
      const principals = yield* Principals
      const { console } = yield* HttpSettings
      const signedOut = yield* SignedOutSessions
      const trusted = yield* TrustedTime
      const checks = new Map<string, { readonly at: EpochMillis; readonly isSignedOut: boolean }>()
      const remember = (id: string, at: EpochMillis, isSignedOut: boolean) => {
        checks.delete(id)
        checks.set(id, { at, isSignedOut })
        const [oldest] = checks.keys()
        if (checks.size > checkedMax && oldest !== undefined) checks.delete(oldest)
        return isSignedOut
      }
      const isSignedOut = Effect.fnUntraced(function* (id: string, now: EpochMillis) {
        const last = checks.get(id)
        if (last !== undefined && (last.isSignedOut || Math.abs(now - last.at) < reliedOnMs)) {
          return last.isSignedOut
        }
        return yield* signedOut.has(digestOf(id)).pipe(
          Effect.map((found) => remember(id, now, found || checks.get(id)?.isSignedOut === true)),
          Effect.catch((error) => (last === undefined ? Effect.fail(error) : Effect.succeed(false))),
        )
      })
      const signatureOf = (holder: Holder, signed: string): string =>
        digestOf(digest.of(`inlet:session:${holder.digest}:${signed}`))

      const find = Effect.fnUntraced(function* (cookie: string) {
        const [, end = "", holderId = "", id = "", signature = ""] = console
          ? (cookiePattern.exec(cookie) ?? [])
          : []
        if (id === "") return Option.none()
        const now = yield* Clock.currentTimeMillis
        const expiresAt = Number(end)
        const holder = yield* principals.ofId(holderId)
        if (Option.isNone(holder) || expiresAt <= now) return Option.none()
        const signed = signatureOf(holder.value, `${end}.${holderId}.${id}`)
        if (!sameDigest(signature, signed)) return Option.none()
        for (const one of idsIn(id)) if (yield* isSignedOut(one, now)) return Option.none()
        return Option.some(sessionOf(holder.value, id, expiresAt))
      })

      return Sessions.of({
        cookieName: `inlet_session_${digestOf(digest.of("inlet:session")).slice(0, nameDigits)}`,
        mayOpen: ({ id }) => idsIn(id).length <= ancestorsMax,
        open: (holder, opener = null) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            const own = randomBytes(idBytes).toString("base64url")
            const id = opener === null ? own : `${own}~${opener.id}`
            const latest = now + Duration.toMillis(sessionLifetime)
            const expiresAt = opener === null ? latest : Math.min(latest, opener.expiresAt)
            const signed = `${expiresAt}.${holder.principal.id}.${id}`
            return {
              session: sessionOf(holder, id, expiresAt),
              cookie: `${signed}.${signatureOf(holder, signed)}`,
            }
          }),
        find,
        isTokenGone: Effect.fnUntraced(function* (cookie: string) {
          const [, , holderId] = cookiePattern.exec(cookie) ?? []
          return holderId !== undefined && Option.isNone(yield* principals.ofId(holderId))
        }),
        close: Effect.fnUntraced(function* ({ expiresAt, id }) {
          const now = yield* Clock.currentTimeMillis
          const [own = id] = idsIn(id)
          remember(own, now, true)
          yield* signedOut.add(digestOf(own), expiresAt, yield* trusted)
        }),
        ended: (cookie) => endOf(find(cookie)),
      })
    }),
  )
}

/** Returns the ids of a session and of those that opened it, each opened by the next. */
const idsIn = (id: string): ReadonlyArray<string> => id.split("~")

const sessionOf = ({ principal }: Holder, id: string, expiresAt: EpochMillis): Session => ({
  id,
  expiresAt,
  principal: { ...principal, isSession: true },
})
