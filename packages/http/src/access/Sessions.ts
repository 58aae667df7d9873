import type { Principal } from "@inlethq/contract/access/Access"
import { sumOf } from "@inlethq/contract/access/refusalOf"
import { Digest } from "@inlethq/core/ports/Digest"
import { ConsoleSessions, type SessionPlace } from "@inlethq/core/ports/ConsoleSessions"
import type { Page, PageRequest } from "@inlethq/core/values/Page"
import { TrustedTime } from "@inlethq/engine/time/TrustedTime"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import type { ConsoleSession, Grant } from "@inlethq/core/workspace/ConsoleSession"
import { Clock, Context, Duration, Effect, Layer, Option } from "effect"
import { randomBytes } from "node:crypto"
import { Principals, signInLinkId, type Holder } from "./Principals.ts"
import { reliedOnMs } from "../credentials/reliedOnMs.ts"
import { digestOf, sameDigest } from "../credentials/Secret.ts"
import { endOf } from "./AccessEnds.ts"
import { HttpSettings, type OidcSettings } from "../HttpSettings.ts"

/** The lifetime of a session that a token opened. Afterwards the browser must sign in again. */
export const sessionLifetime = Duration.days(7)

/** The lifetime of a session of a person. What the person may do was decided when it began. */
const personSessionLifetime = Duration.hours(12)

/** Stands in the cookie of a person in place of the id of a token. No token has it, because ids of tokens are longer. */
const personMark = "oidc"

const idBytes = 32

/** The number of hex digits of the digest that names a session in lists. */
const listedDigits = 20

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
 * signature. It may do what the token may do, or what the rules allowed the person when it began.
 */
export interface Session {
  /** A random id. If a link opened the session that another session made, the id of that one follows, after a tilde. */
  readonly id: string
  /** The name of the session in lists. */
  readonly sessionId: string
  readonly expiresAt: EpochMillis
  readonly principal: Principal["Service"]
  /** The address of the issuer that signed the person in; null if a token opened the session. */
  readonly issuer: string | null
}

/** Somebody whom an issuer has signed in. */
export interface Person {
  readonly issuer: string
  readonly subject: string
  readonly name: string
  readonly grants: ReadonlyArray<Grant>
}

/** A session as lists show it. */
export interface OpenSession extends ConsoleSession {
  /** What it may do now. */
  readonly grants: ReadonlyArray<Grant>
}

/** A new session, and the value of its cookie. */
interface Opened {
  readonly session: Session
  readonly cookie: string
  readonly lifetimeMs: number
}

/**
 * The sessions of browsers. The cookie is signed with the digest key of the installation, so a node knows a forged one without asking
 * the store. The signature covers the digest of the token that opened the session, which ends when that token is replaced, revoked or
 * expires. The store knows the open sessions, so a session ends on every node when it is signed out or revoked.
 */
export class Sessions extends Context.Service<
  Sessions,
  {
    /**
     * The name of the cookie. It contains a digest of the installation, because a browser sends the cookies of a host to
     * every port of it.
     */
    readonly cookieName: string
    /** Starts a session of the holder of a token. A session that another one has opened, with a sign-in link, ends with that one. */
    open(holder: Holder, opener?: Session | null): Effect.Effect<Opened, StoreUnavailable>
    /** Starts a session of a person. Dies if no issuer is configured. */
    openFor(person: Person): Effect.Effect<Opened, StoreUnavailable>
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
    /** Reads a page of the sessions that a browser can use, with what each may do. */
    list(page: PageRequest<SessionPlace>): Effect.Effect<Page<OpenSession, SessionPlace>, StoreUnavailable>
    /** Ends a session on all nodes. Returns it, unless it had ended. */
    end(sessionId: string): Effect.Effect<Option.Option<ConsoleSession>, StoreUnavailable>
    /** Completes when `find` no longer returns the session of a cookie. */
    ended(cookie: string): Effect.Effect<void>
  }
>()("@inlethq/http/access/Sessions") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const digest = yield* Digest
      const principals = yield* Principals
      const { console, consoleTokens, oidc } = yield* HttpSettings
      const store = yield* ConsoleSessions
      const trusted = yield* TrustedTime
      const { find: row, forget } = rowsOf(store)
      const signatureOf = (secret: string, signed: string): string =>
        digestOf(digest.of(`inlet:session:${secret}:${signed}`))

      /** What the signature of a cookie covers besides the cookie, and the principal if it is a token. */
      const openerOf = (holderId: string): Effect.Effect<Option.Option<Opener>, StoreUnavailable> => {
        if (holderId === personMark) return Effect.succeed(Option.map(oidc, issuerOpener))
        return consoleTokens ? principals.ofId(holderId) : Effect.succeedNone
      }

      const find = Effect.fnUntraced(function* (cookie: string) {
        const [, end = "", holderId = "", id = "", signature = ""] = console
          ? (cookiePattern.exec(cookie) ?? [])
          : []
        if (id === "") return Option.none()
        const now = yield* Clock.currentTimeMillis
        const expiresAt = Number(end)
        const opener = yield* openerOf(holderId)
        if (Option.isNone(opener) || expiresAt <= now) return Option.none()
        const signed = signatureOf(opener.value.digest, `${end}.${holderId}.${id}`)
        if (!sameDigest(signature, signed)) return Option.none()
        const [own, ...ancestors] = idsIn(id)
        const found = yield* row(sessionIdOf(own), now)
        for (const one of ancestors) {
          if (Option.isNone(yield* row(sessionIdOf(one), now))) return Option.none()
        }
        return Option.map(found, (stored) => sessionOf(id, stored, opener.value.principal))
      })

      const openAs = Effect.fnUntraced(function* (
        { digest: secret, principal }: Opener,
        { descends = null, kept, lifetime, mark }: Opening,
      ) {
        const now = yield* Clock.currentTimeMillis
        const own = randomBytes(idBytes).toString("base64url")
        const id = descends === null ? own : `${own}~${descends.id}`
        const latest = now + Duration.toMillis(lifetime)
        const expiresAt = descends === null ? latest : Math.min(latest, descends.expiresAt)
        const ancestors = descends === null ? [] : idsIn(descends.id).map(sessionIdOf)
        const added = { ...kept, ancestors, sessionId: sessionIdOf(own), createdAt: now, expiresAt }
        yield* store.add(added, yield* trusted)
        const signed = `${expiresAt}.${mark}.${id}`
        const cookie = `${signed}.${signatureOf(secret, signed)}`
        return { session: sessionOf(id, added, principal), cookie, lifetimeMs: expiresAt - now }
      })

      return Sessions.of({
        cookieName: `inlet_session_${digestOf(digest.of("inlet:session")).slice(0, nameDigits)}`,
        mayOpen: ({ id, issuer }) => issuer === null && idsIn(id).length <= ancestorsMax,
        open: (holder, opener = null) => openAs(holder, tokenOpening(holder, opener)),
        openFor: (person) =>
          Option.match(oidc, {
            onNone: () => Effect.die("no issuer is configured"),
            onSome: (settings) => openAs(issuerOpener(settings), personOpening(person)),
          }),
        find,
        list: (page) => readOpen(store, page, rightsWith({ consoleTokens, oidc }, principals, row)),
        isTokenGone: Effect.fnUntraced(function* (cookie: string) {
          const [, , holderId] = cookiePattern.exec(cookie) ?? []
          if (holderId === undefined || holderId === personMark) return false
          return Option.isNone(yield* principals.ofId(holderId))
        }),
        end: Effect.fnUntraced(function* (sessionId: string) {
          forget(sessionId, yield* Clock.currentTimeMillis)
          return yield* store.end(sessionId)
        }),
        ended: (cookie) => endOf(find(cookie)),
      })
    }),
  )
}

/** Who may open sessions: what their signatures cover, and the principal, which is null if the session itself names it. */
interface Opener {
  readonly digest: string
  readonly principal: Holder["principal"] | null
}

/** The sessions of an issuer end when the server trusts another one. */
const issuerOpener = ({ clientId, issuer }: OidcSettings): Opener => ({
  digest: digestOf(`${issuer.href} ${clientId}`),
  principal: null,
})

/** A session that begins: what is kept of who opens it, and the session that made the link, if a link opens it. */
interface Opening {
  readonly kept: Pick<ConsoleSession, "kind" | "principalId" | "name" | "issuer" | "grants">
  readonly lifetime: Duration.Duration
  /** Stands in the cookie for who opens it. */
  readonly mark: string
  readonly descends?: Session | null
}

const tokenOpening = ({ principal: { id, name } }: Holder, descends: Session | null): Opening => {
  const kind = id === signInLinkId || descends !== null ? "link" : "token"
  const kept = { kind, principalId: id, name, issuer: null, grants: [] } as const
  return { kept, lifetime: sessionLifetime, mark: id, descends }
}

/** Returns what a session may do, or nothing if no browser can use it. */
const rightsWith = (
  { consoleTokens, oidc }: Pick<HttpSettings["Service"], "consoleTokens" | "oidc">,
  principals: Principals["Service"],
  row: ReturnType<typeof rowsOf>["find"],
) =>
  Effect.fnUntraced(function* (stored: ConsoleSession) {
    const now = yield* Clock.currentTimeMillis
    for (const one of stored.ancestors) if (Option.isNone(yield* row(one, now))) return Option.none()
    if (stored.issuer !== null) return Option.as(Option.filter(oidc, isIssuer(stored.issuer)), stored.grants)
    if (!consoleTokens) return Option.none()
    return Option.map(yield* principals.peek(stored.principalId), ({ principal }) => principal.grants)
  })

const isIssuer =
  (issuer: string) =>
  (settings: OidcSettings): boolean =>
    URL.canParse(issuer) && new URL(issuer).href === settings.issuer.href

/** Reads pages until one is full of sessions that have rights. The others are forgotten when they expire. */
const readOpen = Effect.fnUntraced(function* (
  store: ConsoleSessions["Service"],
  { after, limit, order }: PageRequest<SessionPlace>,
  rightsOf: (stored: ConsoleSession) => Effect.Effect<Option.Option<ReadonlyArray<Grant>>, StoreUnavailable>,
) {
  const now = yield* Clock.currentTimeMillis
  const items: Array<OpenSession> = []
  let place = after
  for (;;) {
    const page = yield* store.list({ after: place, limit, order }, now)
    for (const stored of page.items) {
      const grants = yield* rightsOf(stored)
      if (Option.isSome(grants)) items.push({ ...stored, grants: grants.value })
      if (items.length > limit) return { items: items.slice(0, limit), next: items.at(limit - 1) ?? null }
    }
    if (page.next === null) return { items, next: null }
    place = page.next
  }
})

const personOpening = ({ grants, issuer, name, subject }: Person): Opening => ({
  kept: { kind: "person", principalId: `${issuer} ${subject}`, name, issuer, grants },
  lifetime: personSessionLifetime,
  mark: personMark,
})

/** Reads sessions from the store, and relies on each for `reliedOnMs`. An ended one stays ended, whatever the store says. */
const rowsOf = (store: ConsoleSessions["Service"]) => {
  interface Check {
    readonly at: EpochMillis
    readonly row: Option.Option<ConsoleSession>
  }
  const checks = new Map<string, Check>()
  const remember = (sessionId: string, check: Check): Check["row"] => {
    checks.delete(sessionId)
    checks.set(sessionId, check)
    const [oldest] = checks.keys()
    if (checks.size > checkedMax && oldest !== undefined) checks.delete(oldest)
    return check.row
  }
  const hasEnded = (sessionId: string): boolean => {
    const last = checks.get(sessionId)
    return last !== undefined && Option.isNone(last.row)
  }
  return {
    forget: (sessionId: string, at: EpochMillis) => remember(sessionId, { at, row: Option.none() }),
    find: (sessionId: string, now: EpochMillis): Effect.Effect<Check["row"], StoreUnavailable> => {
      const last = checks.get(sessionId)
      if (last !== undefined && (Option.isNone(last.row) || Math.abs(now - last.at) < reliedOnMs)) {
        return Effect.succeed(last.row)
      }
      return store.find(sessionId).pipe(
        Effect.map((row) => remember(sessionId, { at: now, row: hasEnded(sessionId) ? Option.none() : row })),
        Effect.catch((error) => (last === undefined ? Effect.fail(error) : Effect.succeed(last.row))),
      )
    },
  }
}

/** Returns the ids of a session and of those that opened it, each opened by the next. */
const idsIn = (id: string): readonly [string, ...ReadonlyArray<string>] => {
  const [own = id, ...ancestors] = id.split("~")
  return [own, ...ancestors]
}

/** Returns the name under which the store and lists have the session with a secret id. */
const sessionIdOf = (own: string): string => digestOf(own).slice(0, listedDigits)

const sessionOf = (
  id: string,
  { expiresAt, grants, issuer, name, principalId, sessionId }: ConsoleSession,
  token: Holder["principal"] | null,
): Session => ({
  id,
  sessionId,
  expiresAt,
  issuer,
  principal: { ...(token ?? { id: principalId, name, grants, ...sumOf(grants) }), isSession: true },
})
