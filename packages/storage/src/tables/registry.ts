import {
  keysPerWorkspaceMax,
  LastWorkspace,
  TooManyKeys,
  TooManyWorkspaces,
  type Registry,
} from "@inlethq/core/ports/Registry"
import { kafkaCursor } from "@inlethq/core/ports/LogCursors"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import type { ApiKey } from "@inlethq/core/workspace/Credentials"
import { isElsewhere } from "@inlethq/core/workspace/LakeSettings"
import { isSameWorkspace, type Workspace } from "@inlethq/core/workspace/Workspace"
import { Array as Arr, Effect, Option } from "effect"
import { integer, text, type Row } from "../columns/columns.ts"
import { workspaceId } from "../columns/ids.ts"
import { toStored } from "../columns/storedText.ts"
import { wholeInstallation } from "../columns/transferTables.ts"
import { workspaceFromRow } from "../rows/workspaceRow.ts"
import { clearLake } from "./lakeFiles.ts"
import { moveToEnd } from "./logCursors.ts"
import { lockWorkspace, orChangedMeanwhile } from "./settingsChanges.ts"
import { conditionOf, insertKey, keyColumns, keyFromRow, useKeys } from "./keys.ts"
import { allSenders, senderNumbers } from "./senders.ts"
import type { Statements, Tables } from "./Tables.ts"

/** The largest number of key uses that one transaction records. */
const usesPerWrite = 500

/**
 * Makes the registry of workspaces and keys. Every call reads the database, so a change takes effect on all nodes at
 * once.
 */
export const makeRegistry = (tables: Tables): Registry["Service"] => ({
  ...workspaceParts(tables),
  ...keyParts(tables),
  sender: senderNumbers(tables),
  senders: allSenders(tables),
})

type Parts<Name extends keyof Registry["Service"]> = Pick<Registry["Service"], Name>

const workspaceParts = (
  tables: Tables,
): Parts<
  "workspaces" | "workspace" | "createWorkspace" | "updateWorkspace" | "deleteWorkspace" | "erasing"
> => ({
  workspaces: Effect.map(
    tables.read("read workspaces", "SELECT id, doc FROM workspaces ORDER BY id"),
    (rows) => rows.map(workspaceOf),
  ),
  workspace: (id) =>
    Effect.map(tables.read("read a workspace", "SELECT id, doc FROM workspaces WHERE id = $1", id), ([row]) =>
      Option.map(Option.fromUndefinedOr(row), workspaceOf),
    ),
  createWorkspace: (settings, keys = []) =>
    Effect.flatMap(
      tables.write("create a workspace", wholeInstallation, (ask) => insertWorkspace(ask, settings, keys)),
      (made) =>
        made === undefined
          ? Effect.fail(new TooManyWorkspaces({ max: tables.workspaceMax }))
          : Effect.succeed(made),
    ),
  updateWorkspace: (before, after) =>
    Effect.flatMap(
      tables.write("update a workspace", wholeInstallation, (ask) =>
        updateWorkspace(ask, before, { ...after, id: before.id }),
      ),
      orChangedMeanwhile,
    ),
  deleteWorkspace: (id, now) =>
    Effect.flatMap(
      tables.write("delete a workspace", wholeInstallation, (ask) => deleteWorkspace(ask, id, now)),
      (outcome) =>
        outcome === "last" ? Effect.fail(new LastWorkspace()) : Effect.succeed(outcome === "deleted"),
    ),
  erasing: Effect.map(
    tables.read(
      "read deleted workspaces",
      "SELECT workspace, deleted_at FROM heads WHERE deleted_at IS NOT NULL ORDER BY workspace",
    ),
    (rows) =>
      rows.map((row) => ({
        workspace: workspaceId(integer(row["workspace"])),
        deletedAt: integer(row["deleted_at"]),
      })),
  ),
})

const keyParts = (tables: Tables): Parts<"keys" | "addKey" | "revokeKey" | "recordUses" | "find"> => ({
  keys: (workspace) =>
    Effect.map(
      tables.read(
        "read keys",
        `SELECT ${keyColumns} FROM keys WHERE workspace = $1 ORDER BY number`,
        workspace,
      ),
      (rows) => rows.map(keyFromRow),
    ),
  addKey: (key) =>
    Effect.flatMap(
      tables.write("add a key", wholeInstallation, (ask) => addKey(ask, key)),
      (isAdded) => (isAdded ? Effect.void : Effect.fail(new TooManyKeys())),
    ),
  revokeKey: (workspace, keyId) =>
    tables.write("revoke a key", wholeInstallation, (ask) =>
      Effect.map(
        ask.run("DELETE FROM keys WHERE workspace = $1 AND id = $2", workspace, toStored(keyId)),
        (deleted) => deleted > 0,
      ),
    ),
  recordUses: (uses) =>
    Effect.forEach(
      Arr.chunksOf(uses, usesPerWrite),
      (chunk) =>
        tables.writeUnsynced("record the use of keys", wholeInstallation, (ask) => useKeys(ask, chunk)),
      { discard: true },
    ),
  find: (lookup) => {
    const [condition, value] = conditionOf(lookup)
    return Effect.map(
      tables.read(
        "find a key",
        `SELECT ${keyColumns}, workspaces.doc AS settings FROM keys
          JOIN workspaces ON workspaces.id = keys.workspace WHERE ${condition}`,
        value,
      ),
      ([row]) =>
        Option.map(Option.fromUndefinedOr(row), (found) => ({
          key: keyFromRow(found),
          workspace: workspaceFromRow(found["workspace"], text(found["settings"])),
        })),
    )
  },
})

const workspaceOf = (row: Row): Workspace => workspaceFromRow(row["id"], text(row["doc"]))

/** Returns false, and changes nothing, if the settings are not what they were before. */
const updateWorkspace = Effect.fnUntraced(function* <E>(
  ask: Statements<E>,
  before: Workspace,
  after: Workspace,
): Effect.fn.Return<boolean, E> {
  const { id, ...settings } = after
  const [row] = yield* ask.rows(`SELECT id, doc FROM workspaces WHERE id = $1 ${ask.forUpdate}`, id)
  if (row === undefined || !isSameWorkspace(workspaceOf(row), before)) return false
  yield* ask.run("UPDATE workspaces SET doc = $1 WHERE id = $2", JSON.stringify(settings), id)
  if (isElsewhere(before.lake, after.lake)) yield* clearLake(ask, id)
  if (before.kafka === null && after.kafka !== null) yield* moveToEnd(ask, kafkaCursor(id))
  return true
})

/** Adds a key, unless its workspace has too many. The lock lets nobody else add one in between. */
const addKey = Effect.fnUntraced(function* <E>(
  ask: Statements<E>,
  key: ApiKey,
): Effect.fn.Return<boolean, E> {
  yield* lockWorkspace(ask, key.workspace)
  const [row] = yield* ask.rows("SELECT count(*) AS keys FROM keys WHERE workspace = $1", key.workspace)
  if (integer(row?.["keys"]) >= keysPerWorkspaceMax) return false
  yield* insertKey(ask, key)
  return true
})

const createSql = `
  INSERT INTO workspaces (id, doc)
  SELECT CASE WHEN coalesce(max(id), 0) < $2 THEN $2 ELSE coalesce(max(id), 0) END + 1, $1 FROM workspaces
  HAVING coalesce(max(id), 0) < $3 RETURNING id`

/**
 * Adds a workspace with its keys under the next free id, or returns undefined if all ids are in use. If a concurrent
 * transaction uses the same id, the insert fails with a conflict and the transaction runs again.
 */
export const insertWorkspace = Effect.fnUntraced(function* <E>(
  ask: Statements<E>,
  settings: Omit<Workspace, "id">,
  keys: ReadonlyArray<Omit<ApiKey, "workspace">>,
): Effect.fn.Return<Workspace | undefined, E> {
  const { lastDeleted, workspaceMax } = ask
  const deleted = yield* lastDeleted
  if (deleted >= workspaceMax) return undefined
  const [row] = yield* ask.rows(createSql, JSON.stringify(settings), deleted, workspaceMax)
  if (row === undefined) return undefined
  const id = workspaceId(integer(row["id"]))
  for (const key of keys) yield* insertKey(ask, { ...key, workspace: id })
  return { ...settings, id }
})

const markSql = `
  INSERT INTO heads (workspace, next_key, next_sequence, deleted_at) VALUES ($1, 1, 1, $2)
  ON CONFLICT (workspace) DO UPDATE SET deleted_at = excluded.deleted_at`

/**
 * Deletes a workspace with its webhooks and forwards, and leaves the rest to housekeeping. The lock on the row in `heads` waits for
 * the batch that is being committed, and later batches see the mark.
 */
const deleteWorkspace = Effect.fnUntraced(function* <E>(
  ask: Statements<E>,
  id: WorkspaceId,
  now: EpochMillis,
): Effect.fn.Return<"deleted" | "unknown" | "last", E> {
  // Deletions wait for each other, so that two of them cannot leave the installation without a workspace.
  yield* ask.lockWorkspaces
  const [found] = yield* ask.rows(
    "SELECT count(*) AS workspaces, count(*) FILTER (WHERE id = $1) AS own FROM workspaces",
    id,
  )
  if (integer(found?.["own"]) === 0) return "unknown"
  if (integer(found?.["workspaces"]) === 1) return "last"
  yield* ask.run(markSql, id, now)
  yield* ask.saveLastDeleted(id)
  yield* ask.run("DELETE FROM workspaces WHERE id = $1", id)
  yield* ask.run("DELETE FROM webhooks WHERE workspace = $1", id)
  yield* ask.run("DELETE FROM forwards WHERE workspace = $1", id)
  yield* ask.run("DELETE FROM forward_names WHERE workspace = $1", id)
  yield* ask.run("UPDATE webhook_progress SET removed = TRUE WHERE workspace = $1", id)
  return "deleted"
})
