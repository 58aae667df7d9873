import { ApiKey, type KeyUse } from "@inlet/core/workspace/Credentials"
import type { WorkspaceId } from "@inlet/core/values/Identifier"
import type { EpochMillis } from "@inlet/core/values/Timestamp"
import { LastWorkspace, TooManyWorkspaces, type KeyLookup, type Registry } from "@inlet/core/ports/Registry"
import type { Workspace } from "@inlet/core/workspace/Workspace"
import { Array as Arr, Effect, Option, Schema } from "effect"
import { integer, text, type Row } from "@inlet/storage/columns"
import { lastWorkspace, raiseCounter } from "./engine/counters.ts"
import type { Database } from "./engine/Database.ts"
import { markDeleted, readErasing } from "./engine/deletedWorkspaces.ts"
import { workspaceMax } from "./engine/rowIds.ts"
import { senderNumbers } from "./senders.ts"
import { workspaceId } from "@inlet/storage/ids"
import { workspaceFromRow } from "@inlet/storage/workspaceRow"

const decodeKey = Schema.decodeUnknownSync(ApiKey)

/** The largest number of key uses that one transaction records. */
const usesPerWrite = 500

/** Makes the registry of workspaces and keys. Each call reads the database. */
export const makeRegistry = (database: Database): Registry["Service"] => {
  const { durability } = database
  const workspaces = workspaceRows(database)
  const keys = keyRows(database)
  const deletion = deleteWorkspace(database)
  const reads = {
    workspaces: workspaceRows(database.reads),
    keys: keyRows(database.reads),
    erasing: readErasing(database.reads),
  }
  return {
    workspaces: durability.read("read workspaces", () => reads.workspaces.all()),
    workspace: (id) => durability.read("read a workspace", () => reads.workspaces.one(id)),
    createWorkspace: (settings, first = []) =>
      durability
        .write("create a workspace", () =>
          database.write(() => {
            const workspace = workspaces.create(settings)
            if (workspace === undefined) return undefined
            for (const key of first) keys.add({ ...key, workspace: workspace.id })
            return workspace
          }),
        )
        .pipe(
          Effect.flatMap((workspace) =>
            workspace === undefined
              ? Effect.fail(new TooManyWorkspaces({ max: workspaceMax }))
              : Effect.succeed(workspace),
          ),
        ),
    deleteWorkspace: (id, now) =>
      durability
        .write("delete a workspace", () => database.write(() => deletion(id, now)))
        .pipe(
          Effect.flatMap((outcome) =>
            outcome === "last" ? Effect.fail(new LastWorkspace()) : Effect.succeed(outcome === "deleted"),
          ),
        ),
    erasing: durability.read("read deleted workspaces", () => reads.erasing()),
    updateWorkspace: (workspace) =>
      durability.write("update a workspace", () => workspaces.update(workspace)),
    keys: (workspace) => durability.read("read keys", () => reads.keys.of(workspace)),
    addKey: (key) => durability.write("add a key", () => database.write(() => keys.add(key))),
    revokeKey: (workspace, keyId) => durability.write("revoke a key", () => keys.remove(workspace, keyId)),
    recordUses: (uses) =>
      Effect.forEach(
        Arr.chunksOf(uses, usesPerWrite),
        (chunk) =>
          durability.inTurn(
            durability.attempt("record the use of keys", () =>
              database.writeUnsynced(() => keys.recordUses(chunk)),
            ),
          ),
        { discard: true },
      ),
    sender: senderNumbers(database),
    find: (lookup) =>
      durability.read("find a key", () =>
        database.reads.read(() =>
          Option.flatMap(reads.keys.find(lookup), (key) =>
            Option.map(reads.workspaces.one(key.workspace), (workspace) => ({ key, workspace })),
          ),
        ),
      ),
  }
}

const workspaceRows = (database: Database) => {
  const all = database.prepare("SELECT id, doc FROM workspaces ORDER BY id")
  const one = database.prepare("SELECT id, doc FROM workspaces WHERE id = ?")
  const free = database.prepare(`
    SELECT max(
      coalesce((SELECT max(id) FROM workspaces), 0),
      coalesce((SELECT value FROM counters WHERE name = '${lastWorkspace}'), 0)
    ) + 1 AS id`)
  const insert = database.prepare("INSERT INTO workspaces (id, doc) VALUES (?, ?)")
  const update = database.prepare("UPDATE workspaces SET doc = ? WHERE id = ?")
  return {
    all: () => all.all().map(workspaceOf),
    one: (id: WorkspaceId) => Option.map(Option.fromUndefinedOr(one.get(id)), workspaceOf),
    /** Returns the new workspace, or undefined if all ids are in use. */
    create: (settings: Omit<Workspace, "id">): Workspace | undefined => {
      const id = workspaceId(integer(free.get()?.["id"]))
      if (id > workspaceMax) return undefined
      insert.run(id, JSON.stringify(settings))
      return { ...settings, id }
    },
    update: ({ id, ...settings }: Workspace) =>
      database.write(() => void update.run(JSON.stringify(settings), id)),
  }
}

/** Returns a function that deletes a workspace with its webhooks, and leaves the rest to housekeeping. */
const deleteWorkspace = (
  database: Database,
): ((id: WorkspaceId, now: EpochMillis) => "deleted" | "unknown" | "last") => {
  const count = database.prepare("SELECT count(*) AS found FROM workspaces")
  const remove = database.prepare("DELETE FROM workspaces WHERE id = ?")
  const exists = database.prepare("SELECT 1 FROM workspaces WHERE id = ?")
  const removeWebhooks = database.prepare("DELETE FROM webhooks WHERE workspace = ?")
  const stopWebhooks = database.prepare("UPDATE webhook_progress SET removed = 1 WHERE workspace = ?")
  const mark = markDeleted(database)
  const raise = raiseCounter(database)
  return (id, now) => {
    if (exists.get(id) === undefined) return "unknown"
    if (integer(count.get()?.["found"]) === 1) return "last"
    remove.run(id)
    removeWebhooks.run(id)
    stopWebhooks.run(id)
    mark(id, now)
    raise(lastWorkspace, id)
    return "deleted"
  }
}

const workspaceOf = (row: Row): Workspace => workspaceFromRow(row["id"], text(row["doc"]))

const keyRows = (database: Database) => {
  const columns = "id, workspace, kind, name, site_id, digest, created, prefix, last_used, expires"
  const of = database.prepare(`SELECT ${columns} FROM keys WHERE workspace = ? ORDER BY number`)
  const insert = database.prepare(`INSERT INTO keys (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const remove = database.prepare("DELETE FROM keys WHERE workspace = ? AND id = ?")
  const use = database.prepare("UPDATE keys SET last_used = max(coalesce(last_used, 0), ?) WHERE id = ?")
  const track = database.prepare(`SELECT ${columns} FROM keys WHERE kind = 'track' AND site_id = ?`)
  const pipelines = database.prepare(`SELECT ${columns} FROM keys WHERE kind = 'pipelines' AND digest = ?`)
  return {
    of: (workspace: WorkspaceId) => of.all(workspace).map(keyOf),
    add: (key: ApiKey) =>
      void insert.run(
        key.keyId,
        key.workspace,
        key.kind,
        key.name,
        key.siteId,
        key.digest,
        key.createdAt,
        key.prefix,
        key.lastUsedAt,
        key.expiresAt,
      ),
    recordUses: (uses: ReadonlyArray<KeyUse>) => {
      for (const { at, keyId } of uses) use.run(at, keyId)
    },
    remove: (workspace: WorkspaceId, keyId: string) =>
      database.write(() => Number(remove.run(workspace, keyId).changes) > 0),
    find: (lookup: KeyLookup): Option.Option<ApiKey> => {
      const row = lookup.kind === "track" ? track.get(lookup.siteId) : pipelines.get(lookup.digest)
      return Option.map(Option.fromUndefinedOr(row), keyOf)
    },
  }
}

const keyOf = (row: Row): ApiKey =>
  decodeKey({
    keyId: row["id"],
    workspace: row["workspace"],
    kind: row["kind"],
    name: row["name"],
    siteId: row["site_id"],
    digest: row["digest"],
    createdAt: row["created"],
    prefix: row["prefix"],
    lastUsedAt: row["last_used"],
    expiresAt: row["expires"],
  })
