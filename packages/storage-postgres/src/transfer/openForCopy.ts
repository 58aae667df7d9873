import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { text } from "@inlethq/storage/columns/columns"
import type { TransferSource, TransferTarget } from "@inlethq/storage/transfer/Transfer"
import { Clock, Effect, type Redacted, type Scope } from "effect"
import type { ConnectionSettings } from "../engine/ConnectionUrl.ts"
import { installation, type Database } from "../engine/Database.ts"
import { UnusableServer } from "../engine/openErrors.ts"
import { postgresTexts } from "../engine/postgresTexts.ts"
import { digestKeyName, tokenName } from "../installation/Installation.ts"
import { unwrapKey, wrapKey } from "../installation/wrapKey.ts"
import { openDatabase, type DatabaseOpenError } from "../openDatabase.ts"
import { silentSecondsMax } from "../engine/bounds.ts"
import { transferSource } from "./source.ts"
import { transferTarget } from "./target.ts"

/** The secrets that servers on one database share. Copying a whole database also saves these secrets in the target. */
export interface SharedSecrets {
  /** The key with which the digests of suppressed identifiers are computed. */
  readonly digestKey: Uint8Array
  /** The SHA-256 of the management token in hex. Null if the token is set in the environment. */
  readonly tokenDigest: string | null
}

export interface PostgresSource extends SharedSecrets {
  readonly source: TransferSource
}

export interface PostgresTarget {
  readonly target: TransferTarget
  /** Saves the shared secrets. Replaces the secrets that an earlier, interrupted copy has saved. */
  saveSecrets(secrets: SharedSecrets): Effect.Effect<void, StoreUnavailable>
  /** Reads the secrets of the servers on the database. Fails if a server still uses the database. */
  readonly readSecrets: Effect.Effect<SharedSecrets, UnusableServer | StoreUnavailable>
}

export type Errors = DatabaseOpenError | StoreUnavailable

interface Options {
  readonly connection: ConnectionSettings
  readonly secret: Redacted.Redacted
}

/** The longest time, in milliseconds, for which copying may read from the source. */
const copyMsMax = 24 * 60 * 60 * 1000

/**
 * The longest time in milliseconds that copying waits until no server uses the database. A killed server seems to use
 * the database for `silentSecondsMax` more seconds, because of its record, which is longer than its leases last.
 */
const serverWaitMs = (silentSecondsMax + 5) * 1000
const leasePollMs = 500

/**
 * Opens a database to copy its data, as they are now, to another store. If a server uses the database, or was killed a
 * moment ago, runs `onWait` and waits. Fails if a server still uses the database after `serverWaitMs`.
 */
export const openSource = (
  { connection: settings, secret }: Options,
  onWait: Effect.Effect<void>,
): Effect.Effect<PostgresSource, Errors, Scope.Scope> =>
  Effect.gen(function* () {
    const database = yield* openDatabase(settings)
    const secrets = yield* readSecrets(database, secret, onWait)
    const snapshot = yield* database.snapshot("read a consistent copy", copyMsMax)
    return { ...secrets, source: transferSource(snapshot) }
  })

/** Reads the secrets of the servers on a database. First waits until no server uses the database. */
const readSecrets = (
  database: Database["Service"],
  secret: Redacted.Redacted,
  onWait: Effect.Effect<void>,
): Effect.Effect<SharedSecrets, UnusableServer | StoreUnavailable> =>
  Effect.gen(function* () {
    yield* waitUntilUnused(database, onWait)
    const found = yield* database.query("read the digest key", "SELECT name, value FROM installation")
    const values = new Map(found.map((row) => [text(row["name"]), text(row["value"])]))
    const digestKey = unwrapKey(secret, digestKeyName, values.get(digestKeyName) ?? "")
    if (digestKey === undefined) return yield* new UnusableServer({ problem: postgresTexts.otherSecret() })
    return { digestKey, tokenDigest: values.get(tokenName) ?? null }
  })

/**
 * Reads whether a server uses the database. Leases alone do not show whether a server uses the database, because a
 * server holds a lease only if it has work that needs the lease.
 */
const usedSql = `
  SELECT EXISTS (SELECT FROM leases WHERE until > clock_timestamp())
    OR EXISTS (SELECT FROM nodes WHERE seen > clock_timestamp() - interval '${silentSecondsMax} seconds') AS used`

const waitUntilUnused = (
  database: Database["Service"],
  onWait: Effect.Effect<void>,
): Effect.Effect<void, UnusableServer | StoreUnavailable> =>
  Effect.gen(function* () {
    const startedAt = yield* Clock.currentTimeMillis
    for (let polls = 0; ; polls++) {
      const [row] = yield* database.query("read the leases and nodes", usedSql)
      if (row?.["used"] !== true) return
      if (polls === 0) yield* onWait
      if ((yield* Clock.currentTimeMillis) - startedAt > serverWaitMs) {
        return yield* new UnusableServer({ problem: postgresTexts.copyInUse() })
      }
      yield* Effect.sleep(leasePollMs)
    }
  })

/** Opens a database to copy data into it, and creates its tables if they are missing. */
export const openTarget = (
  { connection: settings, secret }: Options,
  onWait: Effect.Effect<void>,
): Effect.Effect<PostgresTarget, Errors, Scope.Scope> =>
  Effect.map(openDatabase(settings, { isCopyTarget: true }), (database) => ({
    target: transferTarget(database),
    readSecrets: readSecrets(database, secret, onWait),
    saveSecrets: ({ digestKey, tokenDigest }) =>
      database.write("save the digest key", installation, (connection) =>
        Effect.gen(function* () {
          yield* connection.execute(replaceSql, [digestKeyName, wrapKey(secret, digestKeyName, digestKey)])
          if (tokenDigest !== null) yield* connection.execute(replaceSql, [tokenName, tokenDigest])
        }),
      ),
  }))

const replaceSql =
  "INSERT INTO installation (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
