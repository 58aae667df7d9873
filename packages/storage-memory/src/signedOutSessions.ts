import { Effect, Layer } from "effect"
import { SignedOutSessions } from "@inlethq/core/ports/SignedOutSessions"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"

/** Stores in memory which sessions were signed out. */
export const layer: Layer.Layer<SignedOutSessions> = Layer.sync(SignedOutSessions, () => {
  const expiries = new Map<string, EpochMillis>()
  return SignedOutSessions.of({
    add: (digest, expiresAt, now) =>
      Effect.sync(() => {
        for (const [known, expiry] of expiries) if (expiry <= now) expiries.delete(known)
        expiries.set(digest, expiresAt)
      }),
    has: (digest) => Effect.sync(() => expiries.has(digest)),
  })
})
