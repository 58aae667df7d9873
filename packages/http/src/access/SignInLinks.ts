import { Clock, Context, Duration, Effect, Layer, Option } from "effect"
import type { EpochMillis } from "@inlet/core/values/Timestamp"
import { digestOf, newSecret } from "../credentials/Secret.ts"

/** The time for which a sign-in link can be used. */
export const signInLinkLifetime = Duration.minutes(10)

/**
 * The largest number of sign-in links that can be used at the same time. If there are more, the oldest link stops
 * working.
 */
const linksMax = 100

/** A new link: its code, and the time from which it is refused. */
interface MadeLink {
  readonly code: string
  readonly expiresAt: EpochMillis
}

/** Links with which a browser can sign in once. Only digests of their codes are stored, in the memory of this node. */
export class SignInLinks extends Context.Service<
  SignInLinks,
  {
    /** Makes a link that signs in with the rights of the principal with this id. */
    make(principalId: string): Effect.Effect<MadeLink>
    /**
     * Uses up the sign-in link with this code, and returns the id of its principal. Returns an empty option if the code
     * is unknown, was used before or has expired.
     */
    use(code: string): Effect.Effect<Option.Option<string>>
  }
>()("@inlet/http/access/SignInLinks") {
  static readonly layer = Layer.sync(this, () => {
    const links = new Map<string, { readonly principalId: string; readonly expiresAt: EpochMillis }>()
    return SignInLinks.of({
      make: Effect.fnUntraced(function* (principalId) {
        const code = yield* newSecret
        const [oldest] = links.keys()
        if (links.size >= linksMax && oldest !== undefined) links.delete(oldest)
        const expiresAt = (yield* Clock.currentTimeMillis) + Duration.toMillis(signInLinkLifetime)
        links.set(digestOf(code), { principalId, expiresAt })
        return { code, expiresAt }
      }),
      use: (code) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const digest = digestOf(code)
          const link = links.get(digest)
          links.delete(digest)
          return link !== undefined && link.expiresAt > now ? Option.some(link.principalId) : Option.none()
        }),
    })
  })
}
