import type { Principal } from "@inlethq/contract/access/Access"
import { ManagementTokens } from "@inlethq/core/ports/ManagementTokens"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { minuteMs, type EpochMillis } from "@inlethq/core/values/Timestamp"
import type { NamedToken } from "@inlethq/core/workspace/NamedToken"
import { Clock, Context, Duration, Effect, Exit, Latch, Layer, Option } from "effect"
import { reliedOnMs } from "../credentials/reliedOnMs.ts"
import { digestOf, newSecret, sameDigest } from "../credentials/Secret.ts"
import { endOf } from "./AccessEnds.ts"
import { ManagementToken } from "./ManagementToken.ts"

/** How a named token begins, so that people and secret scanners recognise it. */
const secretPrefix = "imt_"

/** The number of leading characters of a named token that are stored and shown. */
const shownCharacters = 12

const secretPattern = /^imt_[0-9a-f]{48}$/

/** The time that the use of a token waits to be written, together with the uses of other tokens. */
const writeUsesAfter = Duration.seconds(10)

/** The id of the installation's own token. */
export const installationId = "installation"

/** The id of a sign-in link, which the server prints when it starts. */
export const signInLinkId = "sign_in_link"

/** The holder of a credential. `digest` changes when the credential is replaced. */
export interface Holder {
  readonly principal: Omit<Principal["Service"], "isSession">
  readonly digest: string
}

type Found = Effect.Effect<Option.Option<Holder>, StoreUnavailable>

/** Returns a new named token, and its beginning, which may be shown. */
export const newNamedSecret = Effect.map(newSecret, (random) => {
  const secret = `${secretPrefix}${random}`
  return { secret, digest: digestOf(secret), prefix: secret.slice(0, shownCharacters) }
})

/** Finds out who sends a request: the installation's own token or a named token that has not expired. */
export class Principals extends Context.Service<
  Principals,
  {
    /** Returns the holder of a token, and records that the token was used. */
    ofSecret(secret: string): Found
    /** Completes when `ofSecret` no longer returns a holder. */
    ended(secret: string): Effect.Effect<void>
    /** Returns the holder with an id, such as `installation`, and records the use of its token. */
    ofId(id: string): Found
    /** Returns the holder with an id, without recording a use. */
    peek(id: string): Found
    /** Forgets the named tokens. Must be called after every change to them. */
    readonly forget: Effect.Effect<void>
  }
>()("@inlethq/http/access/Principals") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const own = yield* ManagementToken
      const tokens = yield* ManagementTokens
      const recordUse = yield* makeRecordUse(tokens)
      // A guess never reaches the store, because every token is in memory.
      const [named, forget] = yield* Effect.cachedInvalidateWithTTL(tokens.all, (exit) =>
        Exit.isSuccess(exit) ? reliedOnMs : 0,
      )
      const find = (isWanted: (token: NamedToken) => boolean, isUse = true): Found =>
        Effect.gen(function* () {
          const token = (yield* named).find(isWanted)
          const now = yield* Clock.currentTimeMillis
          if (token === undefined || (token.expiresAt !== null && token.expiresAt <= now))
            return Option.none()
          if (isUse) recordUse(token, now)
          return Option.some(holderOf(token))
        })

      const ofSecret = (secret: string): Found => {
        if (own.isValid(secret)) return Effect.succeedSome(ownHolder(installationId, own.digest()))
        if (!secretPattern.test(secret)) return Effect.succeedNone
        const digest = digestOf(secret)
        return find((token) => sameDigest(token.digest, digest))
      }

      const withId = (id: string, isUse = true): Found =>
        id === installationId || id === signInLinkId
          ? Effect.succeedSome(ownHolder(id, own.digest()))
          : find(({ tokenId }) => tokenId === id, isUse)

      return Principals.of({
        ofSecret,
        ended: (secret) => endOf(ofSecret(secret)),
        ofId: (id) => withId(id),
        peek: (id) => withId(id, false),
        forget,
      })
    }),
  )
}

const everything = { scope: "admin", workspaces: null } as const

const ownHolder = (id: typeof installationId | typeof signInLinkId, digest: string): Holder => ({
  principal: {
    id,
    name: id === installationId ? "the installation's token" : "sign-in link",
    ...everything,
    grants: [everything],
  },
  digest,
})

const holderOf = ({ digest, masked = false, name, scope, tokenId, workspaces }: NamedToken): Holder => ({
  principal: {
    id: tokenId,
    name,
    grants: [{ scope, workspaces }],
    scope,
    workspaces,
    ...(masked ? { isMasked: masked } : {}),
  },
  digest,
})

/**
 * Returns a function that remembers the use of a token. The uses are written in the background, one write for all
 * tokens, and only once a minute for each token.
 */
const makeRecordUse = Effect.fnUntraced(function* (tokens: ManagementTokens["Service"]) {
  let uses = new Map<string, EpochMillis>()
  const write = Effect.suspend(() => {
    if (uses.size === 0) return Effect.void
    const written = uses
    uses = new Map()
    return tokens.used(written)
  }).pipe(Effect.ignoreCause({ log: "Warn", message: "the last uses of management tokens were not stored" }))
  const wasUsed = yield* Latch.make(false)
  const writeOnce = Effect.gen(function* () {
    yield* wasUsed.await
    yield* wasUsed.close
    yield* Effect.sleep(writeUsesAfter)
    yield* write
  })
  yield* Effect.forkScoped(Effect.forever(writeOnce))
  yield* Effect.addFinalizer(() => write)
  return ({ tokenId, usedAt }: NamedToken, now: EpochMillis): void => {
    const minute = now - (now % minuteMs)
    if (minute <= (usedAt ?? -1)) return
    uses.set(tokenId, minute)
    wasUsed.openUnsafe()
  }
})
