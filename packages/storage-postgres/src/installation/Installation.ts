import { randomBytes } from "node:crypto"
import type { StoreUnavailable } from "@inlet/core/ports/Store"
import type { ApiKey } from "@inlet/core/workspace/Credentials"
import type { Workspace } from "@inlet/core/workspace/Workspace"
import { Context, Effect, type Redacted } from "effect"
import type { Connection } from "../engine/Connection.ts"
import { installation, type Database } from "../engine/Database.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { insertWorkspace } from "../registry.ts"
import { UnusableServer } from "../engine/openErrors.ts"
import { openTexts } from "../engine/openTexts.ts"
import { unwrapKey, wrapKey } from "./wrapKey.ts"

/** What a starting node contributes if no other node has set up the installation yet. */
export interface FirstStart {
  /** The SHA-256 digest of a new management token. It is undefined if the operator chose the token. */
  readonly tokenDigest: string | undefined
  readonly settings: Omit<Workspace, "id">
  readonly keys: ReadonlyArray<Omit<ApiKey, "workspace">>
}

/** The data of the installation, and which of it this node has created. */
export interface Joined {
  /**
   * The SHA-256 digest of the installation's management token. It is undefined if the installation has never had one.
   */
  readonly tokenDigest: string | undefined
  readonly madeToken: boolean
  readonly madeWorkspace: boolean
}

/** The data that all nodes on one database share. */
export class Installation extends Context.Service<
  Installation,
  {
    /** The key of suppression digests. */
    readonly digestKey: Uint8Array
    /**
     * Creates the first workspace and the management token if they are missing. If several nodes start at once, only
     * one of them creates both.
     */
    join(first: FirstStart): Effect.Effect<Joined, StoreUnavailable>
  }
>()("@inlet/storage-postgres/installation/Installation") {}

const tokenName = "management-token"
const digestKeyName = "digest-key"
const digestKeyBytes = 32

/**
 * Opens the data that all nodes share. Fails if the secret differs from the one with which the installation was set up.
 */
export const openInstallation = (
  database: Database["Service"],
  secret: Redacted.Redacted,
): Effect.Effect<Installation["Service"], UnusableServer | StoreUnavailable> =>
  Effect.gen(function* () {
    const wrapped = yield* database.write("read the digest key", installation, (connection) =>
      valueOrNew(connection, digestKeyName, wrapKey(secret, digestKeyName, randomBytes(digestKeyBytes))),
    )
    const digestKey = unwrapKey(secret, digestKeyName, wrapped.value)
    if (digestKey === undefined) return yield* new UnusableServer({ problem: openTexts.otherSecret() })
    return {
      digestKey,
      join: (first) =>
        database.write("set up the installation", installation, (connection) => join(connection, first)),
    }
  })

const join = (
  connection: Connection,
  { keys, settings, tokenDigest }: FirstStart,
): Effect.Effect<Joined, DatabaseError> =>
  Effect.gen(function* () {
    // Nodes that start at once wait for this lock, so that only one of them creates the shared data.
    yield* connection.execute("LOCK TABLE installation IN SHARE ROW EXCLUSIVE MODE")
    const token =
      tokenDigest === undefined
        ? { value: undefined, isNew: false }
        : yield* valueOrNew(connection, tokenName, tokenDigest)
    const [row] = yield* connection.query("SELECT EXISTS (SELECT 1 FROM workspaces) AS found")
    const madeWorkspace = row?.["found"] !== true
    if (madeWorkspace) yield* insertWorkspace(connection, settings, keys)
    return { tokenDigest: token.value, madeToken: token.isNew, madeWorkspace }
  })

/** Returns the stored value with a name. Stores the offered value if there is no value with this name yet. */
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
    return { value: String(row?.["value"]), isNew: false }
  })
