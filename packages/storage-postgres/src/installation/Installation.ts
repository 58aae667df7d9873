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

/** What a node offers to make if it is the first one of the installation. */
export interface FirstStart {
  /** The SHA-256 of a new management token; undefined if the operator chose the token. */
  readonly tokenDigest: string | undefined
  readonly settings: Omit<Workspace, "id">
  readonly keys: ReadonlyArray<Omit<ApiKey, "workspace">>
}

/** What the installation has, and which of it this node made. */
export interface Joined {
  /** The SHA-256 of the installation's management token; undefined if it never had one. */
  readonly tokenDigest: string | undefined
  readonly madeToken: boolean
  readonly madeWorkspace: boolean
}

/** What all nodes on one database share. */
export class Installation extends Context.Service<
  Installation,
  {
    /** The key of suppression digests. */
    readonly digestKey: Uint8Array
    /** Makes the first workspace and the management token if they are missing. Of nodes that start at once, one makes both. */
    join(first: FirstStart): Effect.Effect<Joined, StoreUnavailable>
  }
>()("@inlet/storage-postgres/installation/Installation") {}

const tokenName = "management-token"
const digestKeyName = "digest-key"
const digestKeyBytes = 32

/** Opens what all nodes share. Fails if the secret is not the one that the installation was set up with. */
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
    // Nodes that start at once wait here for each other, so that one of them makes everything.
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

/** Returns the value of a name. Stores the offered one if there is none yet. */
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
