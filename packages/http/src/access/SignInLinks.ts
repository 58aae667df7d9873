import { Clock, Context, Duration, Effect, Layer } from "effect"
import { digestOf, newSecret } from "../credentials/Secret.ts"

/** The time for which a sign-in link can be used. */
export const signInLinkLifetime = Duration.minutes(10)

/**
 * The largest number of sign-in links that can be used at the same time. If there are more, the oldest link stops
 * working.
 */
const linksMax = 100

/** Links with which a browser can sign in once. Only digests of their codes are stored, in the memory of this node. */
export class SignInLinks extends Context.Service<
  SignInLinks,
  {
    /** Makes a new sign-in link and returns its code. */
    readonly make: Effect.Effect<string>
    /**
     * Uses up the sign-in link with this code. Returns false if the code is unknown, was used before or has expired.
     */
    use(code: string): Effect.Effect<boolean>
  }
>()("@inlet/http/access/SignInLinks") {
  static readonly layer = Layer.sync(this, () => {
    const endByDigest = new Map<string, number>()
    return SignInLinks.of({
      make: Effect.gen(function* () {
        const code = yield* newSecret
        const [oldest] = endByDigest.keys()
        if (endByDigest.size >= linksMax && oldest !== undefined) endByDigest.delete(oldest)
        const now = yield* Clock.currentTimeMillis
        endByDigest.set(digestOf(code), now + Duration.toMillis(signInLinkLifetime))
        return code
      }),
      use: (code) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const digest = digestOf(code)
          const end = endByDigest.get(digest)
          endByDigest.delete(digest)
          return end !== undefined && end > now
        }),
    })
  })
}
