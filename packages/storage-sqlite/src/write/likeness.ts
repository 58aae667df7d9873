import type { SliceCounter, Slices } from "@inlet/core/Slices"
import type { WorkspaceId } from "@inlet/core/values/Identifier"
import type { LikenessRow, LikenessRows } from "@inlet/storage/likenessRows"
import type { Database } from "../engine/Database.ts"

/** Returns a function that saves what people have alike, and which of it at least two of them have. */
export const likenessWriter = (
  database: Database,
): ((workspace: WorkspaceId, rows: LikenessRows, slice: SliceCounter) => Slices<void>) => {
  const insert = database.prepare(
    "INSERT OR IGNORE INTO likeness (workspace, kind, digest, subject) VALUES (?, ?, ?, ?)",
  )
  const remove = database.prepare(
    "DELETE FROM likeness WHERE workspace = ? AND kind = ? AND digest = ? AND subject = ?",
  )
  const isShared = `(
    SELECT count(*) FROM (SELECT 1 FROM likeness WHERE workspace = ?1 AND kind = ?2 AND digest = ?3 LIMIT 2)
  ) = 2`
  const share = database.prepare(
    `INSERT OR IGNORE INTO likeness_shared (workspace, kind, digest) SELECT ?1, ?2, ?3 WHERE ${isShared}`,
  )
  const unshare = database.prepare(
    `DELETE FROM likeness_shared WHERE workspace = ?1 AND kind = ?2 AND digest = ?3 AND NOT ${isShared}`,
  )
  return function* (workspace, { added, removed }, slice) {
    const steps = [
      [remove, removed],
      [insert, added],
    ] as const
    for (const [statement, rows] of steps) {
      for (const { digest, kind, subject } of rows) {
        if (slice.isFull()) yield
        statement.execute(workspace, kind, digest, subject)
      }
    }
    const changes: ReadonlyArray<readonly [typeof share, ReadonlyArray<LikenessRow>]> = [
      [unshare, removed],
      [share, added],
    ]
    for (const [statement, rows] of changes) {
      for (const { digest, kind } of rows) {
        if (slice.isFull()) yield
        statement.execute(workspace, kind, digest)
      }
    }
  }
}
