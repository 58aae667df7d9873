import { LastWorkspace, type KeyLookup, type Registry } from "@inlet/core/ports/Registry"
import type { ApiKey } from "@inlet/core/workspace/Credentials"
import type { Workspace } from "@inlet/core/workspace/Workspace"
import { workspaceId } from "@inlet/storage/ids"
import { workspaceFromRow } from "@inlet/storage/workspaceRow"
import { toStored } from "@inlet/storage/storedText"
import { Effect, Option } from "effect"
import type { Connection, NamedRow } from "./engine/Connection.ts"
import { installation, type Database } from "./engine/Database.ts"
import type { DatabaseError } from "./engine/DatabaseError.ts"
import { int8s, texts } from "./engine/parameters.ts"
import { senderNumbers } from "./senders.ts"
import { deleteWorkspace, erasingFromRow, erasingSql, lastDeletedSql } from "./tables/deletedWorkspaces.ts"
import { keyFromRow, keyText } from "./tables/keys.ts"

/**
 * Makes the registry of workspaces and keys. Every call reads the database, so a change takes effect on all nodes at
 * once.
 */
export const makeRegistry = (database: Database["Service"]): Registry["Service"] => ({
  workspaces: Effect.map(
    database.query("read workspaces", "SELECT id, doc FROM workspaces ORDER BY id"),
    (rows) => rows.map(workspaceOf),
  ),
  workspace: (id) =>
    Effect.map(
      database.query("read a workspace", "SELECT id, doc FROM workspaces WHERE id = $1", [id]),
      ([row]) => Option.map(Option.fromUndefinedOr(row), workspaceOf),
    ),
  createWorkspace: (settings, keys = []) =>
    database.write("create a workspace", installation, (connection) =>
      insertWorkspace(connection, settings, keys),
    ),
  deleteWorkspace: (id, now) =>
    Effect.flatMap(
      database.write("delete a workspace", installation, (connection) =>
        deleteWorkspace(connection, id, now),
      ),
      (outcome) =>
        outcome === "last" ? Effect.fail(new LastWorkspace()) : Effect.succeed(outcome === "deleted"),
    ),
  erasing: Effect.map(database.query("read deleted workspaces", erasingSql), (rows) =>
    rows.map(erasingFromRow),
  ),
  updateWorkspace: ({ id, ...settings }) =>
    database.write("update a workspace", installation, (connection) =>
      Effect.asVoid(
        connection.execute("UPDATE workspaces SET doc = $1 WHERE id = $2", [JSON.stringify(settings), id]),
      ),
    ),
  keys: (workspace) =>
    Effect.map(
      database.query(
        "read keys",
        "SELECT doc AS key, last_used FROM keys WHERE workspace = $1 ORDER BY number",
        [workspace],
      ),
      (rows) => rows.map(keyFromRow),
    ),
  addKey: (key) => database.write("add a key", installation, (connection) => insertKey(connection, key)),
  revokeKey: (workspace, keyId) =>
    database.write("revoke a key", installation, (connection) =>
      Effect.map(
        connection.execute("DELETE FROM keys WHERE workspace = $1 AND id = $2", [workspace, toStored(keyId)]),
        (deleted) => deleted > 0,
      ),
    ),
  recordUses: (uses) =>
    uses.length === 0
      ? Effect.void
      : database.write("record the use of keys", installation, (connection) =>
          Effect.asVoid(
            connection.execute(usesSql, [
              texts(uses.map(({ keyId }) => toStored(keyId))),
              int8s(uses.map(({ at }) => at)),
            ]),
          ),
        ),
  sender: senderNumbers(database),
  find: (lookup) =>
    Effect.map(database.query("find a key", ...findStatement(lookup)), ([row]) =>
      Option.map(Option.fromUndefinedOr(row), (found) => ({
        key: keyFromRow(found),
        workspace: workspaceOf(found),
      })),
    ),
})

/**
 * Adds a workspace with its keys under the next free id. If a concurrent transaction uses the same id, the insert fails
 * with a conflict and the transaction runs again.
 */
export const insertWorkspace = (
  connection: Connection,
  settings: Omit<Workspace, "id">,
  keys: ReadonlyArray<Omit<ApiKey, "workspace">>,
): Effect.Effect<Workspace, DatabaseError> =>
  Effect.gen(function* () {
    const [row] = yield* connection.query(
      `INSERT INTO workspaces (id, doc)
        SELECT greatest(coalesce(max(id), 0), ${lastDeletedSql}) + 1, $1 FROM workspaces RETURNING id`,
      [JSON.stringify(settings)],
    )
    const id = workspaceId(Number(row?.["id"]))
    for (const key of keys) yield* insertKey(connection, { ...key, workspace: id })
    return { ...settings, id }
  })

const insertKey = (connection: Connection, key: ApiKey): Effect.Effect<void, DatabaseError> => {
  const { digest, keyId, kind, siteId, workspace } = key
  return Effect.asVoid(
    connection.execute(
      "INSERT INTO keys (workspace, id, kind, site_id, digest, doc, last_used) VALUES ($1, $2, $3, $4, $5, $6, $7)",
      [
        workspace,
        toStored(keyId),
        kind,
        siteId === null ? null : toStored(siteId),
        digest,
        keyText(key),
        key.lastUsedAt,
      ],
    ),
  )
}

/** Several nodes use the same key, and the latest use counts. */
const usesSql = `
  UPDATE keys SET last_used = used.at FROM unnest($1::text[], $2::bigint[]) AS used (id, at)
  WHERE keys.id = used.id AND used.at > coalesce(keys.last_used, 0)`

const findStatement = (lookup: KeyLookup): [sql: string, parameters: ReadonlyArray<string>] => {
  const joined =
    "SELECT keys.doc AS key, keys.last_used AS last_used, workspaces.id AS id, workspaces.doc AS doc FROM keys JOIN workspaces ON workspaces.id = keys.workspace"
  return lookup.kind === "track"
    ? [`${joined} WHERE keys.kind = 'track' AND keys.site_id = $1`, [toStored(lookup.siteId)]]
    : [`${joined} WHERE keys.kind = 'pipelines' AND keys.digest = $1`, [lookup.digest]]
}

const workspaceOf = (row: NamedRow): Workspace => workspaceFromRow(row["id"], String(row["doc"]))
