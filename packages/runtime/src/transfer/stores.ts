import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { StoreUnavailable } from "@inlethq/core/ports/Store"
import { CopyRefused } from "@inlethq/storage/transfer/copyStore"
import type { TransferSource, TransferTarget } from "@inlethq/storage/transfer/Transfer"
import * as Postgres from "@inlethq/storage-postgres/transfer/openForCopy"
import { parseConnectionUrl } from "@inlethq/storage-postgres/engine/ConnectionUrl"
import * as Sqlite from "@inlethq/storage-sqlite/transfer/openForCopy"
import { Effect, Redacted, Result, type Scope } from "effect"
import { readDigestKey, writeDigestKey } from "../digestKey.ts"
import { digestOf } from "@inlethq/http/credentials/Secret"
import { readToken, writeToken } from "./tokenFile.ts"
import { transferTexts } from "./transferTexts.ts"

/** A store that an operator names: a data directory, or the URL of a PostgreSQL database. */
export type StoreName =
  | { readonly kind: "directory"; readonly directory: string }
  | {
      readonly kind: "postgres"
      readonly url: string
      /** The password of a URL that has none. */
      readonly password: string | undefined
      readonly secret: string | undefined
    }

/** The secrets that the servers of an installation share. */
export interface Secrets {
  readonly digestKey: Uint8Array
  readonly tokenDigest: string | null
  /** The management token; null if the store has only the token's digest, or no token. */
  readonly token: string | null
}

/** A store that was opened as the source of a copy. */
export interface OpenedSource {
  readonly name: string
  readonly source: TransferSource
  readonly secrets: Secrets
}

/** A store that was opened as the target of a copy. */
export interface OpenedTarget {
  readonly name: string
  readonly target: TransferTarget
  saveSecrets(secrets: Secrets): Effect.Effect<void, StoreUnavailable | CopyRefused>
  /** Fails if the store hashes suppressed identifiers with a key other than `key`. */
  expectDigestKey(key: Uint8Array): Effect.Effect<void, StoreUnavailable | CopyRefused>
}

const secretBytesMin = 32

const described = (store: StoreName): string =>
  store.kind === "directory" ? `the data directory ${store.directory}` : "the PostgreSQL database"

const refuse = (problem: string) => Effect.fail(new CopyRefused({ problem }))

/** Runs blocking calls of the file system. */
const onFiles = <A>(operation: string, run: () => A): Effect.Effect<A, StoreUnavailable> =>
  Effect.try({ try: run, catch: (cause) => new StoreUnavailable({ operation, cause }) })

/** Opens the source of a copy. Runs `onWait` if it has to wait until no server uses the source. */
export const openSource = Effect.fnUntraced(function* (
  store: StoreName,
  onWait: Effect.Effect<void>,
): Effect.fn.Return<OpenedSource, Sqlite.Errors | Postgres.Errors | CopyRefused, Scope.Scope> {
  const name = described(store)
  if (store.kind === "postgres") {
    const { source, ...secrets } = yield* Postgres.openSource(yield* connectionOf(store, "from"), onWait)
    return { name, source, secrets: { ...secrets, token: null } }
  }
  const { directory } = store
  if (!existsSync(join(directory, "inlet.db"))) return yield* refuse(transferTexts.noData({ directory }))
  const source = yield* Sqlite.openSource(directory)
  const digestKey = yield* onFiles("read the digest key", () => readDigestKey(directory))
  if (digestKey === undefined) return yield* refuse(transferTexts.noKey({ directory }))
  const token = yield* onFiles("read the management token", () => readToken(directory))
  const tokenDigest = token === null ? null : digestOf(token)
  return { name, source, secrets: { digestKey, token, tokenDigest } }
})

/** Opens the target of a copy. Runs `onWait` if it has to wait until no server uses the target. */
export const openTarget = Effect.fnUntraced(function* (
  store: StoreName,
  onWait: Effect.Effect<void>,
): Effect.fn.Return<OpenedTarget, Sqlite.Errors | Postgres.Errors | CopyRefused, Scope.Scope> {
  const name = described(store)
  if (store.kind === "postgres") {
    const { readSecrets, ...opened } = yield* Postgres.openTarget(yield* connectionOf(store, "to"), onWait)
    const expectDigestKey = (key: Uint8Array) =>
      readSecrets.pipe(
        Effect.catchTag("UnusableServer", ({ message }) => refuse(message)),
        Effect.flatMap(({ digestKey }) => expectSameKey(name, digestKey, key)),
      )
    return { name, ...opened, expectDigestKey }
  }
  const { directory } = store
  const target = yield* Sqlite.openTarget(directory)
  const readKey = onFiles("read the digest key", () => readDigestKey(directory))
  return {
    name,
    target,
    expectDigestKey: (key) => Effect.flatMap(readKey, (found) => expectSameKey(name, found, key)),
    saveSecrets: ({ digestKey, token }) =>
      Effect.gen(function* () {
        const found = yield* readKey
        if (found !== undefined && !found.equals(digestKey)) {
          return yield* refuse(transferTexts.occupied({ target: name }))
        }
        yield* onFiles("write the digest key", () => {
          if (found === undefined) writeDigestKey(directory, digestKey)
          if (token !== null) writeToken(directory, token)
        })
      }),
  }
})

const expectSameKey = (target: string, found: Uint8Array | undefined, key: Uint8Array) =>
  found !== undefined && Buffer.from(found).equals(key)
    ? Effect.void
    : refuse(transferTexts.otherDigests({ target }))

const connectionOf = Effect.fnUntraced(function* (
  { password, secret, url }: Extract<StoreName, { kind: "postgres" }>,
  option: "from" | "to",
) {
  const parsed = parseConnectionUrl(url)
  if (Result.isFailure(parsed)) {
    return yield* refuse(transferTexts.wrongUrl({ option, problem: parsed.failure.problem }))
  }
  if (secret === undefined || Buffer.byteLength(secret) < secretBytesMin) {
    return yield* refuse(transferTexts.noSecret({ option: option.toUpperCase(), bytes: secretBytesMin }))
  }
  const connection =
    parsed.success.password === undefined && password !== undefined
      ? { ...parsed.success, password: Redacted.make(password) }
      : parsed.success
  return { connection, secret: Redacted.make(secret) }
})

/** Returns whether two stores are the same data directory. */
export const isSameDirectory = (from: StoreName, to: StoreName): boolean =>
  from.kind === "directory" && to.kind === "directory" && resolve(from.directory) === resolve(to.directory)
