import { Clock, Context, Effect, Layer, Option } from "effect"
import type { KeyLookup } from "@inlethq/core/ports/Registry"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { siteIdLengthMax, type AppScope } from "@inlethq/core/workspace/Credentials"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { makeKeyCache } from "./KeyCache.ts"
import { KeyUses } from "./KeyUses.ts"
import { makeRecentCredentials, type RecentCredentials } from "./RecentCredentials.ts"
import { digestOf, sameDigest } from "./Secret.ts"

/** What an app key opens. */
export interface AppAccess {
  readonly workspace: Workspace
  readonly keyId: string
  readonly scope: AppScope
}

/** Finds the workspace of a client's credentials. Keys that were looked up are cached. */
export class Authenticator extends Context.Service<
  Authenticator,
  {
    /**
     * Returns the workspace of a Track `Authorization` header with Basic credentials. Returns an empty option if the
     * credentials are invalid.
     */
    track(authorization: string | undefined): Effect.Effect<Option.Option<Workspace>, StoreUnavailable>
    /** Returns the workspace of a Pipelines write key. Returns an empty option if the key is invalid. */
    pipelines(writeKey: string): Effect.Effect<Option.Option<Workspace>, StoreUnavailable>
    /** Returns the workspace of an app key and what the key may do. Returns an empty option if the key is invalid. */
    app(key: string): Effect.Effect<Option.Option<AppAccess>, StoreUnavailable>
    /** Clears the cache of keys. */
    readonly forget: Effect.Effect<void>
  }
>()("@inlethq/http/credentials/Authenticator") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const cache = yield* makeKeyCache
      const uses = yield* KeyUses
      const headers = yield* makeRecentCredentials
      const writeKeys = yield* makeRecentCredentials

      /** Looks up `text` with the key and the secret that `read` finds in it, unless `recent` knows the text. */
      const workspaceOf = (
        text: string,
        recent: RecentCredentials,
        read: (text: string) => Credentials | undefined,
      ): Effect.Effect<Option.Option<Workspace>, StoreUnavailable> =>
        Clock.clockWith((clock) => {
          const known = recent.workspaceOf(text, clock.currentTimeMillisUnsafe())
          if (known !== undefined) return known
          const credentials = read(text)
          if (credentials === undefined) return Effect.succeedNone
          const { digest, lookup } = credentials
          return Effect.flatMap(cache.find(lookup), (found) => {
            if (Option.isNone(found) || !sameDigest(found.value.key.digest, digest)) return Effect.succeedNone
            recent.add(text, found.value)
            const workspace = Effect.succeedSome(found.value.workspace)
            return found.value.isUsed ? workspace : Effect.andThen(uses.record(found.value), workspace)
          })
        })

      return Authenticator.of({
        track: (authorization) =>
          authorization === undefined
            ? Effect.succeedNone
            : workspaceOf(authorization, headers, trackCredentials),
        pipelines: (writeKey) => workspaceOf(writeKey, writeKeys, pipelinesCredentials),
        app: Effect.fnUntraced(function* (key) {
          const digest = digestOf(key)
          const found = yield* cache.find({ kind: "app", digest })
          if (Option.isNone(found) || !sameDigest(found.value.key.digest, digest)) return Option.none()
          if (!found.value.isUsed) yield* uses.record(found.value)
          const { key: known, workspace } = found.value
          return Option.some({ workspace, keyId: known.keyId, scope: known.scope ?? "read" })
        }),
        forget: Effect.andThen(
          cache.forget,
          Effect.sync(() => {
            headers.forget()
            writeKeys.forget()
          }),
        ),
      })
    }),
  ).pipe(Layer.provide(KeyUses.layer))
}

/** What a key is looked up with, and the digest of the secret that it must have. */
interface Credentials {
  readonly lookup: KeyLookup
  readonly digest: string
}

const trackCredentials = (authorization: string): Credentials | undefined => {
  const credentials = basicCredentials(authorization)
  const colon = credentials?.indexOf(":") ?? -1
  if (credentials === undefined || colon < 0) return undefined
  const siteId = credentials.slice(0, colon)
  if (siteId.length > siteIdLengthMax) return undefined
  const digest = digestOf(credentials.slice(colon + 1))
  return { lookup: { kind: "track", siteId }, digest }
}

const pipelinesCredentials = (writeKey: string): Credentials => {
  const digest = digestOf(writeKey)
  return { lookup: { kind: "pipelines", digest }, digest }
}

const basic = /^basic\s+(\S+)\s*$/i

/**
 * Decodes the Basic credentials of an `Authorization` header. Accepts both base64 alphabets, with or without padding
 * (contract §3).
 */
export const basicCredentials = (authorization: string | undefined): string | undefined => {
  const encoded = authorization === undefined ? undefined : basic.exec(authorization)?.[1]
  return encoded === undefined ? undefined : Buffer.from(encoded, "base64").toString("utf8")
}
