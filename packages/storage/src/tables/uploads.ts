import { WorkspaceDeleted, type Store } from "@inlethq/core/ports/Store"
import { uploadRetentionMs } from "@inlethq/core/ports/Upload"
import { Effect } from "effect"
import { text } from "../columns/columns.ts"
import { toStored } from "../columns/storedText.ts"
import type { Tables } from "./Tables.ts"

/** The largest number of expired uploads of the workspace that each new upload removes. */
const removedMax = 100

// Materialized, because PostgreSQL may run a subquery that locks rows again for each row, and then `LIMIT` bounds nothing.
const pruneSql = (skipLocked: string) => `
  WITH expired AS MATERIALIZED (
    SELECT name FROM uploads WHERE workspace = $1 AND at < $2 ORDER BY at LIMIT ${removedMax} ${skipLocked}
  )
  DELETE FROM uploads WHERE workspace = $1 AND name IN (SELECT name FROM expired)`

// A row that has not expired keeps its values. The statement still updates it, because `DO NOTHING` would not return it.
const registerSql = `
  INSERT INTO uploads (workspace, name, digest, at) VALUES ($1, $2, $3, $4)
  ON CONFLICT (workspace, name) DO UPDATE SET
    digest = CASE WHEN uploads.at < $5 THEN excluded.digest ELSE uploads.digest END,
    at = CASE WHEN uploads.at < $5 THEN excluded.at ELSE uploads.at END
  RETURNING digest`

/**
 * Saves the digest of a part of an upload under the name of the part. If a digest was saved under this name in the last
 * `uploadRetentionMs` milliseconds, keeps the earlier digest. Returns the saved digest.
 */
export const registerUpload =
  (tables: Tables): Store["Service"]["registerUpload"] =>
  ({ at, digest, name, workspace }) =>
    tables
      .write("register an upload", workspace, (ask) =>
        Effect.gen(function* () {
          if (yield* ask.isDeleted(workspace)) return undefined
          const since = at - uploadRetentionMs
          yield* ask.run(pruneSql(ask.skipLocked), workspace, since)
          const [row] = yield* ask.rows(registerSql, workspace, toStored(name), digest, at, since)
          return text(row?.["digest"])
        }),
      )
      .pipe(
        Effect.flatMap((saved) =>
          saved === undefined ? Effect.fail(new WorkspaceDeleted({ workspace })) : Effect.succeed(saved),
        ),
      )
