import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Duration, Effect, Schedule, type Option } from "effect"
import type { CachedKey } from "./KeyCache.ts"

/** The largest number of remembered credentials. If there are more, all are forgotten. */
const credentialsMax = 10_000

/** Longer credentials are not remembered. Base64 may contain any number of characters that a decoder skips. */
const lengthMax = 256

/**
 * All credentials are forgotten at this interval, because they contain secrets. Those still in use are remembered again
 * at once.
 */
const forgetEvery = Duration.minutes(1)

interface Recent {
  readonly key: CachedKey
  readonly workspace: Effect.Effect<Option.Option<Workspace>>
}

/**
 * Remembers the credentials, as the client wrote them, that had the right secret of a cached key. Decoding and digesting
 * the same text at every call would cost as much as parsing the body of an event. They count only as long as the cache
 * of keys would return the very key that they were compared with.
 */
export class RecentCredentials {
  private readonly recent = new Map<string, Recent>()

  /** Returns the workspace of remembered credentials, or undefined if the credentials must be checked. */
  workspaceOf(text: string, now: EpochMillis): Effect.Effect<Option.Option<Workspace>> | undefined {
    const recent = this.recent.get(text)
    if (recent === undefined) return undefined
    const { key, workspace } = recent
    return key.isUsed && key.until > now && !key.isForgotten() ? workspace : undefined
  }

  /** Remembers credentials with the secret of `key`. */
  add(text: string, key: CachedKey): void {
    if (text.length > lengthMax) return
    if (this.recent.size >= credentialsMax) this.forget()
    this.recent.set(text, { key, workspace: Effect.succeedSome(key.workspace) })
  }

  forget(): void {
    this.recent.clear()
  }
}

/** Makes an empty memory of credentials, which forgets them also if no more calls arrive. */
export const makeRecentCredentials = Effect.gen(function* () {
  const recent = new RecentCredentials()
  const forget = Effect.sync(() => recent.forget())
  yield* Effect.forkScoped(Effect.repeat(forget, Schedule.spaced(forgetEvery)))
  return recent
})
