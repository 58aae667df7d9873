import { Context, type Effect, type Option } from "effect"
import type { Page, PageRequest } from "../values/Page.ts"
import type { EpochMillis } from "../values/Timestamp.ts"
import type { ConsoleSession } from "../workspace/ConsoleSession.ts"
import type { StoreUnavailable } from "./Store.ts"

/** The most open sessions of one principal. The next one ends the oldest of them. */
export const sessionsPerPrincipalMax = 100

/** The most sign-ins that are remembered as used. Beyond it, nobody signs in before some are forgotten. */
export const spentSignInsMax = 1000

/** The place of a session in the list: by its creation, and those of one moment by their id. */
export interface SessionPlace {
  readonly createdAt: EpochMillis
  readonly sessionId: string
}

/** The open sessions of the console, and the sign-ins at an issuer that cannot be used again. A change is durable when its effect succeeds. */
export class ConsoleSessions extends Context.Service<
  ConsoleSessions,
  {
    /** Adds a session, and forgets the sessions that have expired at `now`. */
    add(session: ConsoleSession, now: EpochMillis): Effect.Effect<void, StoreUnavailable>
    /** Returns a session unless it has ended. It may have expired. */
    find(sessionId: string): Effect.Effect<Option.Option<ConsoleSession>, StoreUnavailable>
    /** Ends a session and returns it. */
    end(sessionId: string): Effect.Effect<Option.Option<ConsoleSession>, StoreUnavailable>
    /** Reads a page of the sessions that have not expired at `now`. */
    list(
      page: PageRequest<SessionPlace>,
      now: EpochMillis,
    ): Effect.Effect<Page<ConsoleSession, SessionPlace>, StoreUnavailable>
    /**
     * Uses up a sign-in until `expiresAt`, and forgets those that have expired at `now`. The sign-in is known by a digest. `used`
     * means that it was used before, and `full` that `spentSignInsMax` are remembered.
     */
    spend(
      digest: string,
      expiresAt: EpochMillis,
      now: EpochMillis,
    ): Effect.Effect<"spent" | "used" | "full", StoreUnavailable>
  }
>()("@inlethq/core/ports/ConsoleSessions") {}
