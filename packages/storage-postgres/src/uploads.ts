import type { StoreUnavailable, WorkspaceDeleted } from "@inlet/core/ports/Store"
import { uploadRetentionMs, type UploadPart } from "@inlet/core/ports/Upload"
import { toStored } from "@inlet/storage/storedText"
import { Effect } from "effect"
import type { Connection } from "./engine/Connection.ts"
import type { Database } from "./engine/Database.ts"
import type { DatabaseError } from "./engine/DatabaseError.ts"
import { expectWorkspace } from "./tables/deletedWorkspaces.ts"

/** The largest number of expired uploads that are removed when a new upload is registered. */
const removedMax = 100

/**
 * Saves the digest of a part of an upload under the name of the part. If a digest was saved under this name in the last
 * `uploadRetentionMs` milliseconds, keeps the earlier digest. Returns the saved digest.
 */
export const registerUpload =
  (database: Database["Service"]) =>
  (part: UploadPart): Effect.Effect<string, StoreUnavailable | WorkspaceDeleted> =>
    database.write("register an upload", part.workspace, (connection) => register(connection, part))

const register = (
  connection: Connection,
  { at, digest, name, workspace }: UploadPart,
): Effect.Effect<string, DatabaseError | WorkspaceDeleted> =>
  Effect.gen(function* () {
    yield* expectWorkspace(connection, workspace)
    const since = at - uploadRetentionMs
    yield* connection.execute(pruneSql, [workspace, since])
    // A row that has not expired keeps its values. The statement still updates this row, because `ON CONFLICT DO
    // NOTHING` would not return the row.
    const [row] = yield* connection.query(registerSql, [workspace, toStored(name), digest, at, since])
    return String(row?.["digest"])
  })

/** Skips rows that another transaction is removing, so that concurrent uploads do not wait for each other. */
const pruneSql = `
  DELETE FROM uploads WHERE workspace = $1 AND name IN (
    SELECT name FROM uploads WHERE workspace = $1 AND at < $2 ORDER BY at LIMIT ${removedMax} FOR UPDATE SKIP LOCKED
  )
`

const registerSql = `
  INSERT INTO uploads (workspace, name, digest, at) VALUES ($1, $2, $3, $4)
  ON CONFLICT (workspace, name) DO UPDATE SET
    digest = CASE WHEN uploads.at < $5 THEN excluded.digest ELSE uploads.digest END,
    at = CASE WHEN uploads.at < $5 THEN excluded.at ELSE uploads.at END
  RETURNING digest
`
