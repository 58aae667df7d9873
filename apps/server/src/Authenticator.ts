import { Clock, Context, Effect, Layer, Option } from "effect"
import type { ApiKey } from "@inlet/core/workspace/Credentials"
import { Registry, type KeyLookup } from "@inlet/core/ports/Registry"
import type { StoreUnavailable } from "@inlet/core/ports/Store"
import type { Workspace } from "@inlet/core/workspace/Workspace"
import { digestOf, sameDigest } from "./Secret.ts"

/** How long a key is trusted without asking the store: a revoked one stops within a second on every node (contract §3). */
const trustedMs = 500

/** Keys remembered at a time. */
const rememberedKeysMax = 10_000

interface Remembered {
  readonly key: ApiKey
  readonly workspace: Workspace
  readonly until: number
}

/** Which workspace a client's credentials open. */
export class Authenticator extends Context.Service<
  Authenticator,
  {
    /** For Track: the Basic credentials of an `Authorization` header. */
    track(authorization: string | undefined): Effect.Effect<Option.Option<Workspace>, StoreUnavailable>
    /** For Pipelines: a write key. */
    pipelines(writeKey: string): Effect.Effect<Option.Option<Workspace>, StoreUnavailable>
    /** Trusts nothing remembered any more. */
    readonly forget: Effect.Effect<void>
  }
>()("@inlet/server/Authenticator") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const registry = yield* Registry
      const remembered = new Map<string, Remembered>()

      const lookUp = (name: string, lookup: KeyLookup, digest: string) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          const known = remembered.get(name)
          if (known !== undefined && known.until > now) return Effect.succeed(opened(known, digest))
          return Effect.map(registry.find(lookup), (found) => {
            remembered.delete(name)
            if (Option.isNone(found)) return Option.none()
            if (remembered.size >= rememberedKeysMax) remembered.clear()
            const entry = { ...found.value, until: now + trustedMs }
            remembered.set(name, entry)
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
        forget: Effect.sync(() => remembered.clear()),
      })
    }),
  )
}

const opened = ({ key, workspace }: Remembered, digest: string): Option.Option<Workspace> =>
  sameDigest(key.digest, digest) ? Option.some(workspace) : Option.none()

const basic = /^basic\s+(\S+)\s*$/i

/** The text of Basic credentials in either base64 alphabet, padded or not (contract §3). */
export const basicCredentials = (authorization: string | undefined): string | undefined => {
  const encoded = authorization === undefined ? undefined : basic.exec(authorization)?.[1]
  return encoded === undefined ? undefined : Buffer.from(encoded, "base64").toString("utf8")
}
