import { Clock, Context, Duration, Effect, Layer, Option } from "effect"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import { digestOf, newSecret } from "../credentials/Secret.ts"
import type { Session } from "./Sessions.ts"

/** The time for which a sign-in link can be used. */
export const signInLinkLifetime = Duration.minutes(10)

/** The largest number of sign-in links of one principal that can be used at the same time. Beyond it, their oldest link stops working. */
const linksPerPrincipalMax = 10

/** The largest number of links of all principals. Beyond it, whoever has the most links loses the oldest of them. */
const linksMax = 1000

/** With what a link is made. The link ends with it. */
export interface MadeWith {
  /** The session that made the link, or null if a token or the server itself did. */
  readonly session: Session | null
  /** Whether the session or the token is still valid. */
  readonly isValid: Effect.Effect<boolean, StoreUnavailable>
}

/** With what the current request could make a sign-in link. */
export const LinkMaker = Context.Reference<MadeWith>("@inlethq/http/access/SignInLinks/LinkMaker", {
  defaultValue: () => ({ session: null, isValid: Effect.succeed(true) }),
})

/** A new link: its code, and the time from which it is refused. */
interface MadeLink {
  readonly code: string
  readonly expiresAt: EpochMillis
}

/** A link that was used: whose rights it gives, and the session that made it. */
interface UsedLink {
  readonly principalId: string
  readonly session: Session | null
}

interface StoredLink extends MadeWith {
  readonly principalId: string
  readonly expiresAt: EpochMillis
}

/** Links with which a browser can sign in once. Only digests of their codes are stored, in the memory of this node. */
export class SignInLinks extends Context.Service<
  SignInLinks,
  {
    /** Makes a link that signs in with the rights of the principal with this id, as long as the request's credential is valid. */
    make(principalId: string): Effect.Effect<MadeLink>
    /**
     * Uses up the sign-in link with this code. Returns an empty option if the code is unknown, was used before or has expired, or
     * if the session or token that made it has ended.
     */
    use(code: string): Effect.Effect<Option.Option<UsedLink>, StoreUnavailable>
  }
>()("@inlethq/http/access/SignInLinks") {
  static readonly layer = Layer.sync(this, () => {
    const links = new Map<string, StoredLink>()
    return SignInLinks.of({
      make: Effect.fnUntraced(function* (principalId) {
        const code = yield* newSecret
        const made = yield* LinkMaker
        const now = yield* Clock.currentTimeMillis
        const expiresAt = now + Duration.toMillis(signInLinkLifetime)
        dropExpired(links, now)
        if (linksOf(links, principalId).length >= linksPerPrincipalMax) dropOldest(links, principalId)
        if (links.size >= linksMax) dropOldest(links, mostLinks(links))
        links.set(digestOf(code), { ...made, principalId, expiresAt })
        return { code, expiresAt }
      }),
      use: Effect.fnUntraced(function* (code) {
        const now = yield* Clock.currentTimeMillis
        const digest = digestOf(code)
        const link = links.get(digest)
        links.delete(digest)
        if (link === undefined || link.expiresAt <= now || !(yield* link.isValid)) return Option.none()
        const { principalId, session } = link
        return Option.some({ principalId, session })
      }),
    })
  })
}

type Links = Map<string, StoredLink>

const linksOf = (links: Links, principalId: string): ReadonlyArray<string> =>
  [...links].flatMap(([digest, link]) => (link.principalId === principalId ? [digest] : []))

const dropOldest = (links: Links, principalId: string): void => {
  const [oldest] = linksOf(links, principalId)
  if (oldest !== undefined) links.delete(oldest)
}

const dropExpired = (links: Links, now: EpochMillis): void => {
  for (const [digest, { expiresAt }] of links) if (expiresAt <= now) links.delete(digest)
}

const mostLinks = (links: Links): string => {
  const counts = new Map<string, number>()
  for (const { principalId } of links.values()) counts.set(principalId, (counts.get(principalId) ?? 0) + 1)
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? ""
}
