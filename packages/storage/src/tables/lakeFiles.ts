import {
  lakeErasuresMax,
  lakeRewritesMax,
  type LakeCommit,
  type LakeFiles,
} from "@inlethq/core/ports/LakeFiles"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { Effect } from "effect"
import {
  lakeErasureFromRow,
  lakeFileDoc,
  lakeFilesIn,
  lakeRewriteDoc,
  lakeRewriteFromRow,
  replacedFromRow,
} from "../rows/lakeRows.ts"
import { cleared } from "./logCursors.ts"
import type { Statements, Tables } from "./Tables.ts"

const filesSql = "SELECT doc FROM lake_files WHERE workspace = $1 AND replaced IS NULL"

const replacedSql =
  "SELECT path, replaced FROM lake_files WHERE workspace = $1 AND replaced IS NOT NULL ORDER BY replaced, path"

const forgetSql = "DELETE FROM lake_files WHERE workspace = $1 AND path = $2 AND replaced IS NOT NULL"

const erasuresSql =
  "SELECT position, subject, received FROM lake_erasures WHERE workspace = $1 AND position BETWEEN $2 AND $3 ORDER BY position LIMIT $4"

const hastenSql = "UPDATE lake_erasures SET received = 0 WHERE workspace = $1"

/** In PostgreSQL, the lock on the row waits for a transaction that claims the cursor, and then sees its token. */
const advanceSql = `
  UPDATE log_cursors SET sequence = CASE WHEN sequence < $3 THEN $3 ELSE sequence END
  WHERE workspace = $1 AND destination = 'lake' AND token = $2`

const addSql = "INSERT INTO lake_files (workspace, path, doc) VALUES ($1, $2, $3)"

const replaceSql = "UPDATE lake_files SET replaced = $3 WHERE workspace = $1 AND path = $2"

const noticeSql = `
  INSERT INTO lake_erasures (workspace, position, subject, received) VALUES ($1, $2, $3, $4)
  ON CONFLICT DO NOTHING`

const followSql = "DELETE FROM lake_erasures WHERE workspace = $1 AND position = $2"

const rewriteSql = `
  INSERT INTO lake_rewrites (workspace, position, path, doc) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`

const rewritesSql =
  "SELECT doc FROM lake_rewrites WHERE workspace = $1 AND position = $2 ORDER BY path LIMIT $3"

const clearSql = [
  `UPDATE log_cursors SET sequence = ${cleared}, token = token + 1 WHERE workspace = $1 AND destination = 'lake'`,
  "DELETE FROM lake_files WHERE workspace = $1",
  "DELETE FROM lake_erasures WHERE workspace = $1",
  "DELETE FROM lake_rewrites WHERE workspace = $1",
]

/** Forgets every file of a lake, and moves its cursor back to the beginning. */
export const clearLake = <E>(ask: Statements<E>, workspace: WorkspaceId): Effect.Effect<void, E> =>
  Effect.forEach(clearSql, (sql) => ask.run(sql, workspace), { discard: true })

const everyPosition = { from: 0, to: Number.MAX_SAFE_INTEGER }

/** Makes the store of the files of each lake. */
export const makeLakeFiles = (tables: Tables): LakeFiles["Service"] => ({
  files: (workspace) => Effect.map(tables.read("read the lake", filesSql, workspace), lakeFilesIn),
  replaced: (workspace) =>
    Effect.map(tables.read("read the lake", replacedSql, workspace), (rows) => rows.map(replacedFromRow)),
  forget: (workspace, paths) =>
    tables.write("forget files of the lake", workspace, (ask) =>
      ask.runEach(
        forgetSql,
        paths.map((path) => [workspace, path]),
      ),
    ),
  erasures: (workspace, { from, to } = everyPosition) =>
    Effect.map(tables.read("read the lake", erasuresSql, workspace, from, to, lakeErasuresMax), (rows) =>
      rows.map(lakeErasureFromRow),
    ),
  rewrites: (workspace, position) =>
    Effect.map(tables.read("read the lake", rewritesSql, workspace, position, lakeRewritesMax), (rows) =>
      rows.map(lakeRewriteFromRow),
    ),
  hasten: (workspace) =>
    Effect.asVoid(tables.write("hasten the lake", workspace, (ask) => ask.run(hastenSql, workspace))),
  commit: (commit) =>
    tables.write("commit files of the lake", commit.workspace, (ask) =>
      Effect.flatMap(ask.isDeleted(commit.workspace), (isDeleted) =>
        isDeleted ? Effect.succeed(false) : save(ask, commit),
      ),
    ),
})

const save = <E>(
  ask: Statements<E>,
  { added, followed, noticed, now, replaced, rewritten, to, token, workspace }: LakeCommit,
): Effect.Effect<boolean, E> =>
  Effect.gen(function* () {
    if ((yield* ask.run(advanceSql, workspace, token, to ?? 0)) === 0) return false
    yield* ask.runEach(
      addSql,
      added.map((file) => [workspace, file.path, lakeFileDoc(file)]),
    )
    yield* ask.runEach(
      replaceSql,
      replaced.map((path) => [workspace, path, now]),
    )
    yield* ask.runEach(
      noticeSql,
      noticed.map(({ position, receivedAt, subject }) => [workspace, position, subject, receivedAt]),
    )
    yield* ask.runEach(
      followSql,
      followed.map((position) => [workspace, position]),
    )
    yield* ask.runEach(
      rewriteSql,
      rewritten.map(({ position, rewrite }) => [workspace, position, rewrite.path, lakeRewriteDoc(rewrite)]),
    )
    return true
  })
