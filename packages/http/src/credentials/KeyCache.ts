import type { KeyLookup, Registry } from "@inlet/core/ports/Registry"
import type { StoreUnavailable } from "@inlet/core/ports/Store"
import type { EpochMillis } from "@inlet/core/values/Timestamp"
import type { ApiKey } from "@inlet/core/workspace/Credentials"
import type { Workspace } from "@inlet/core/workspace/Workspace"
import { Clock, Effect, Fiber, Option, Semaphore } from "effect"

/**
 * The time for which the result of a look-up is cached. A revoked key must stop working, and a new key must work,
 * within a second on every node (contract §3).
 */
const cachedMs = 500

/**
 * The largest number of entries in the cache of keys, and in the cache of unknown credentials. A full cache is cleared.
 */
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

type LookUp = Effect.Effect<Option.Option<CachedKey>, StoreUnavailable>

/** A cached key. `isUsed` is true once `KeyUses` knows that the key was used since it was looked up. */
export interface CachedKey extends FoundKey {
  isUsed: boolean
  readonly until: number
}

/** Finds keys in the registry. A key that has expired is not found. Concurrent calls for the same credentials share one look-up. */
export class KeyCache {
  private readonly registry: Registry["Service"]
  private readonly keys = new Map<string, CachedKey>()
  /** Unknown credentials are in a separate map, so that many unknown credentials do not evict keys. */
  private readonly unknown = new Map<string, number>()
  private readonly running = new Map<string, Fiber.Fiber<Option.Option<CachedKey>, StoreUnavailable>>()
  private readonly turns = Semaphore.makeUnsafe(lookUpsMax)

  constructor(registry: Registry["Service"]) {
    this.registry = registry
  }

  /**
   * Returns the key that `lookup` finds, from the cache if possible. `name` is the cache key, so different look-ups
   * must have different names.
   */
  find(name: string, lookup: KeyLookup): LookUp {
    return Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const found = this.known(name, now)
      if (found !== undefined) return Effect.succeedSome(found)
      const until = this.unknown.get(name)
      if (until !== undefined && until > now) return Effect.succeedNone
      return this.join(name, lookup)
    })
  }

  /** Returns the key that is cached under this name at the time `now`. */
  known(name: string, now: EpochMillis): CachedKey | undefined {
    const found = this.keys.get(name)
    return found !== undefined && found.until > now ? found : undefined
  }

  /** Forgets all keys, and does not cache the results of look-ups that are running. */
  forget(): void {
    this.keys.clear()
    this.unknown.clear()
    this.running.clear()
  }

  /**
   * Waits for the look-up that runs under this name, or starts one. The look-up runs on a fiber of its own, so that it
   * continues for the other callers if one caller is interrupted.
   */
  private join(name: string, lookup: KeyLookup): LookUp {
    return Effect.gen({ self: this }, function* () {
      const running = this.running.get(name)
      if (running !== undefined) return yield* Fiber.join(running)
      const started = yield* Effect.forkDetach(this.turns.withPermits(1)(this.lookUp(lookup)))
      this.running.set(name, started)
      yield* Effect.forkDetach(this.keep(name, started))
      return yield* Fiber.join(started)
    })
  }

  private lookUp(lookup: KeyLookup): LookUp {
    return Effect.zipWith(this.registry.find(lookup), Clock.currentTimeMillis, (found, now) =>
      Option.flatMap(found, (key) => cachedKey(key, now)),
    )
  }

  private keep(
    name: string,
    running: Fiber.Fiber<Option.Option<CachedKey>, StoreUnavailable>,
  ): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      const exit = yield* Fiber.await(running)
      if (this.running.get(name) !== running) return
      this.running.delete(name)
      this.keys.delete(name)
      this.unknown.delete(name)
      if (exit._tag === "Failure") return
      if (Option.isSome(exit.value)) put(this.keys, name, exit.value.value)
      else put(this.unknown, name, (yield* Clock.currentTimeMillis) + cachedMs)
    })
  }
}

/** Returns a key with the time until which it is cached. Returns an empty option if the key has expired. */
const cachedKey = (found: FoundKey, now: EpochMillis): Option.Option<CachedKey> => {
  const { expiresAt } = found.key
  if (expiresAt !== null && expiresAt <= now) return Option.none()
  const { key } = found
  // The log entries of rejected calls name the key, so each key has a workspace object of its own.
  const workspace = { ...found.workspace, openedBy: { id: key.keyId, name: key.name } }
  return Option.some({
    ...found,
    workspace,
    isUsed: false,
    until: Math.min(now + cachedMs, expiresAt ?? Infinity),
  })
}

const put = <A>(cache: Map<string, A>, name: string, value: A): void => {
  if (cache.size >= cachedKeysMax) cache.clear()
  cache.set(name, value)
}
