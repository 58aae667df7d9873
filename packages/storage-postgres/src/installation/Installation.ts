import { randomBytes } from "node:crypto"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { ApiKey } from "@inlethq/core/workspace/Credentials"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { toStored } from "@inlethq/storage/columns/storedText"
import { Clock, Context, Effect, Result, type Redacted } from "effect"
import { defaultStartMsMax, retryAwayMs } from "../engine/bounds.ts"
import type { Connection } from "../engine/Connection.ts"
import { installation, type Database } from "../engine/Database.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { texts } from "../engine/parameters.ts"
import { insertWorkspace } from "@inlethq/storage/tables/registry"
import { statementsOn } from "../tables/tables.ts"
import { UnusableServer } from "../engine/openErrors.ts"
import { postgresTexts } from "../engine/postgresTexts.ts"
import { unwrapKey, wrapKey } from "./wrapKey.ts"

/** The data that a starting node stores if no other node has set up the installation yet. */
export interface FirstStart {
  /** The SHA-256 digest of a new management token. The value is undefined if the operator chose the token. */
  readonly tokenDigest: string | undefined
  readonly settings: Omit<Workspace, "id">
  readonly keys: ReadonlyArray<Omit<ApiKey, "workspace">>
}

/** The shared data of the installation, and which of these data this node has created. */
export interface Joined {
  /**
   * The SHA-256 digest of the installation's management token. The value is undefined if the installation never had a
   * management token.
   */
  readonly tokenDigest: string | undefined
  readonly madeToken: boolean
  readonly madeWorkspace: boolean
}

/** Reads and creates the data that all nodes on one database share. */
export class Installation extends Context.Service<
  Installation,
  {
    /** The key with which the digests of suppressed identifiers are computed. */
    readonly digestKey: Uint8Array
    /**
     * Creates the first workspace and the management token if they are missing. If several nodes start at the same
     * time, only one node creates the workspace and the token. Waits for a database that cannot be reached.
     */
    join(first: FirstStart): Effect.Effect<Joined, StoreUnavailable>
  }
>()("@inlethq/storage-postgres/installation/Installation") {}

export const tokenName = "management-token"
export const digestKeyName = "digest-key"
const digestKeyBytes = 32

/**
 * Opens the data that all nodes share. If the database cannot be reached, waits for the database, by default for up to
 * 30 s. Fails if `secret` is not the operator's secret with which the installation was set up.
 */
export const openInstallation = (
  database: Database["Service"],
  secret: Redacted.Redacted,
  waitMsMax = defaultStartMsMax,
): Effect.Effect<Installation["Service"], UnusableServer | StoreUnavailable> =>
  Effect.gen(function* () {
    const offered = wrapKey(secret, digestKeyName, randomBytes(digestKeyBytes))
    const wrapped = yield* untilAvailable(
      waitMsMax,
      database.write("read the digest key", installation, (connection) =>
        valueOrNew(connection, digestKeyName, offered),
      ),
    )
    const digestKey = unwrapKey(secret, digestKeyName, wrapped.value)
    if (digestKey === undefined) return yield* new UnusableServer({ problem: postgresTexts.otherSecret() })
    return {
      digestKey,
      join: (first) =>
        untilAvailable(
          waitMsMax,
          database.write("set up the installation", installation, (connection) => join(connection, first)),
        ),
    }
  })

/** Repeats work until the store is available. An attempt that failed may have been committed, so the work must be repeatable. */
const untilAvailable = <A>(
  waitMsMax: number,
  work: Effect.Effect<A, StoreUnavailable>,
): Effect.Effect<A, StoreUnavailable> =>
  Effect.gen(function* () {
    const startedAt = yield* Clock.currentTimeMillis
    for (;;) {
      const result = yield* Effect.result(work)
      if (Result.isSuccess(result)) return result.success
      if ((yield* Clock.currentTimeMillis) - startedAt >= waitMsMax) return yield* result.failure
      yield* Effect.sleep(retryAwayMs)
    }
  })

/**
 * Creates the management token and the first workspace if they are missing. In the result, `madeToken` and
 * `madeWorkspace` are true if this node created them, now or in an earlier attempt. Then only this node knows their
 * secrets.
 */
const join = (
  connection: Connection,
  { keys, settings, tokenDigest }: FirstStart,
): Effect.Effect<Joined, DatabaseError> =>
  Effect.gen(function* () {
    // Nodes that start at the same time wait for this lock, so that only one node creates the shared data.
    yield* connection.execute("LOCK TABLE installation IN SHARE ROW EXCLUSIVE MODE")
    const token =
      tokenDigest === undefined
        ? { value: undefined, isNew: false }
        : yield* valueOrNew(connection, tokenName, tokenDigest)
    const [row] = yield* connection.query(workspacesSql, [texts(keys.map(({ keyId }) => toStored(keyId)))])
    const hasWorkspace = row?.["has_any"] === true
    if (!hasWorkspace) yield* insertWorkspace(statementsOn(connection), settings, keys)
    const madeWorkspace = !hasWorkspace || row["has_own"] === true
    return { tokenDigest: token.value, madeToken: token.isNew, madeWorkspace }
  })

const workspacesSql = `
  SELECT EXISTS (SELECT FROM workspaces) AS has_any,
    EXISTS (SELECT FROM keys WHERE id = ANY($1::text[] COLLATE "C")) AS has_own`

/**
 * Returns the value that is stored under a name. If nothing is stored under the name yet, stores and returns the
 * offered value. `isNew` is true if the stored value equals the offered value.
 */
const valueOrNew = (
  connection: Connection,
  name: string,
  offered: string,
): Effect.Effect<{ readonly value: string; readonly isNew: boolean }, DatabaseError> =>
  Effect.gen(function* () {
    const inserted = yield* connection.execute(
      "INSERT INTO installation (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING",
      [name, offered],
    )
    if (inserted > 0) return { value: offered, isNew: true }
    const [row] = yield* connection.query("SELECT value FROM installation WHERE name = $1", [name])
    const value = String(row?.["value"])
    return { value, isNew: value === offered }
  })
