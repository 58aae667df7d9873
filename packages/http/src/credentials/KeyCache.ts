import { Registry, type KeyLookup } from "@inlethq/core/ports/Registry"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import type { ApiKey } from "@inlethq/core/workspace/Credentials"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Cache, Clock, Effect, Exit, Option, Semaphore } from "effect"
import { reliedOnMs } from "./reliedOnMs.ts"

/** The largest number of keys in the cache of each protocol, known or not. The least recently used leave first. */
const cachedKeysMax = 10_000

/**
 * The largest number of keys that are looked up in the database at the same time. The limit leaves connections to the
 * database free for commits.
 */
const lookUpsMax = 4

/** A key with its workspace. */
interface FoundKey {
  readonly key: ApiKey
  readonly workspace: Workspace
}

/** A key as it was looked up. `isUsed` is true once `KeyUses` knows that the key was used since then. */
export interface CachedKey extends FoundKey {
  isUsed: boolean
  readonly until: EpochMillis
  /** True once a key was revoked or changed, perhaps this one. */
  readonly isForgotten: () => boolean
}

/** Finds keys in the registry, with one look-up for all calls that want the same key. */
export interface KeyCache {
  /** Returns the key that a look-up finds. A key that has expired is not found. */
  readonly find: (lookup: KeyLookup) => Effect.Effect<Option.Option<CachedKey>, StoreUnavailable>
  /** Forgets all keys, also those of look-ups that are running. */
  readonly forget: Effect.Effect<void>
}

export const makeKeyCache: Effect.Effect<KeyCache, never, Registry> = Effect.gen(function* () {
  const registry = yield* Registry
  const turns = yield* Semaphore.make(lookUpsMax)
  let generation = {}
  const lookUp = (lookup: KeyLookup) =>
    Effect.suspend(() => {
      const started = generation
      const isForgotten = () => generation !== started
      return Effect.zipWith(registry.find(lookup), Clock.currentTimeMillis, (found, now) =>
        Option.map(found, (key) => cachedKey(key, now, isForgotten)),
      )
    }).pipe(turns.withPermits(1))
  const cacheOf = (lookup: (text: string) => KeyLookup) =>
    Cache.makeWith((text: string) => lookUp(lookup(text)), {
      capacity: cachedKeysMax,
      timeToLive: (exit) => (Exit.isSuccess(exit) ? reliedOnMs : 0),
    })
  // Texts as keys, because clients choose them: objects as keys would be hashed by a function whose collisions are known.
  const sites = yield* cacheOf((siteId) => ({ kind: "track", siteId }))
  const writeKeys = yield* cacheOf((digest) => ({ kind: "pipelines", digest }))
  const appKeys = yield* cacheOf((digest) => ({ kind: "app", digest }))
  const cached = (lookup: KeyLookup) => {
    switch (lookup.kind) {
      case "track":
        return Cache.get(sites, lookup.siteId)
      case "pipelines":
        return Cache.get(writeKeys, lookup.digest)
      case "app":
        return Cache.get(appKeys, lookup.digest)
    }
  }
  return {
    find: (lookup) =>
      Effect.zipWith(cached(lookup), Clock.currentTimeMillis, (found, now) =>
        Option.filter(found, ({ key }) => key.expiresAt === null || key.expiresAt > now),
      ),
    forget: Effect.suspend(() => {
      generation = {}
      return Effect.forEach([sites, writeKeys, appKeys], Cache.invalidateAll, { discard: true })
    }),
  }
})

const cachedKey = (found: FoundKey, now: EpochMillis, isForgotten: () => boolean): CachedKey => {
  const { key } = found
  // The log entries of rejected calls name the key, so each key has a workspace object of its own.
  const workspace = { ...found.workspace, openedBy: { id: key.keyId, name: key.name } }
  const until = Math.min(now + reliedOnMs, key.expiresAt ?? Infinity)
  return { ...found, workspace, isUsed: false, until, isForgotten }
}
