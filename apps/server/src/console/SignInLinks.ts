import { Clock, Context, Duration, Effect, Layer } from "effect"
import { digestOf, newSecret } from "../Secret.ts"

/** The time for which a sign-in link works. */
export const signInLinkLifetime = Duration.minutes(10)

/** The most links that work at the same time. A new link beyond this number replaces the oldest. */
const linksMax = 100

/** The links that sign a browser in once. Only their digests are kept, in the memory of this node. */
export class SignInLinks extends Context.Service<
  SignInLinks,
  {
    /** Returns the code of a new link. */
    readonly make: Effect.Effect<string>
    /** Uses up the link with this code. Returns false if the code is unknown, was used before or has expired. */
    use(code: string): Effect.Effect<boolean>
  }
>()("@inlet/server/console/SignInLinks") {
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
