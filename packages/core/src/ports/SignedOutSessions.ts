import { Context, type Effect } from "effect"
import type { EpochMillis } from "../values/Timestamp.ts"
import type { StoreUnavailable } from "./Store.ts"

/**
 * The sessions of the console that were signed out before they expired. A session is known by a digest, because its id
 * is a secret.
 */
export class SignedOutSessions extends Context.Service<
  SignedOutSessions,
  {
    /** Remembers a session until it expires, and forgets the sessions that have expired at `now`. */
    add(digest: string, expiresAt: EpochMillis, now: EpochMillis): Effect.Effect<void, StoreUnavailable>
    has(digest: string): Effect.Effect<boolean, StoreUnavailable>
  }
>()("@inlethq/core/ports/SignedOutSessions") {}
