import { Clock, Context, Effect, Layer, Option } from "effect"
import type { ApiKey } from "@inlet/core/workspace/Credentials"
import { Registry, type KeyLookup } from "@inlet/core/ports/Registry"
import type { StoreUnavailable } from "@inlet/core/ports/Store"
import type { Workspace } from "@inlet/core/workspace/Workspace"
import { digestOf, sameDigest } from "./Secret.ts"

/**
 * The time for which a key is cached after a look-up. A revoked key must stop working within a second on every node
 * (contract §3).
 */
const cachedMs = 500

/** The most keys in the cache. When the cache is full, it is cleared. */
const cachedKeysMax = 10_000

interface CachedKey {
  readonly key: ApiKey
  readonly workspace: Workspace
  readonly until: number
}

/** Finds the workspace of a client's credentials. Keys that were looked up are cached. */
export class Authenticator extends Context.Service<
  Authenticator,
  {
    /**
     * Returns the workspace of a Track `Authorization` header with Basic credentials. Returns `None` if the credentials
     * are invalid.
     */
    track(authorization: string | undefined): Effect.Effect<Option.Option<Workspace>, StoreUnavailable>
    /** Returns the workspace of a Pipelines write key. Returns `None` if the key is invalid. */
    pipelines(writeKey: string): Effect.Effect<Option.Option<Workspace>, StoreUnavailable>
    /** Clears the cache. */
    readonly forget: Effect.Effect<void>
  }
>()("@inlet/server/Authenticator") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const registry = yield* Registry
      const cache = new Map<string, CachedKey>()

      const lookUp = (name: string, lookup: KeyLookup, digest: string) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          const known = cache.get(name)
          if (known !== undefined && known.until > now) return Effect.succeed(opened(known, digest))
          return Effect.map(registry.find(lookup), (found) => {
            cache.delete(name)
            if (Option.isNone(found)) return Option.none()
            if (cache.size >= cachedKeysMax) cache.clear()
            const entry = { ...found.value, until: now + cachedMs }
            cache.set(name, entry)
            return opened(entry, digest)
          })
        })

      return Authenticator.of({
        track: (authorization) => {
          const credentials = basicCredentials(authorization)
          const colon = credentials?.indexOf(":") ?? -1
          if (credentials === undefined || colon < 0) return Effect.succeed(Option.none())
          const siteId = credentials.slice(0, colon)
          const digest = digestOf(credentials.slice(colon + 1))
          return lookUp(`track:${siteId}`, { kind: "track", siteId }, digest)
        },
        pipelines: (writeKey) => {
          const digest = digestOf(writeKey)
          return lookUp(`pipelines:${digest}`, { kind: "pipelines", digest }, digest)
        },
        forget: Effect.sync(() => cache.clear()),
      })
    }),
  )
}

const opened = ({ key, workspace }: CachedKey, digest: string): Option.Option<Workspace> =>
  sameDigest(key.digest, digest) ? Option.some(workspace) : Option.none()

const basic = /^basic\s+(\S+)\s*$/i

/**
 * Decodes the Basic credentials of an `Authorization` header. Accepts both base64 alphabets, with or without padding
 * (contract §3).
 */
export const basicCredentials = (authorization: string | undefined): string | undefined => {
  const encoded = authorization === undefined ? undefined : basic.exec(authorization)?.[1]
  return encoded === undefined ? undefined : Buffer.from(encoded, "base64").toString("utf8")
}
