import type { WorkspaceId } from "@inlet/core/values/Identifier"
import type { LikenessKind } from "@inlet/core/workspace/Likeness"
import { Effect } from "effect"
import { integer } from "../columns.ts"
import { kindsWith, likenessBits, likenessCodes } from "../likenessRows.ts"
import type { Statements } from "./Tables.ts"

/*
 * A row in `likeness_work` says what housekeeping still has to do for a kind after the setting changed. While rows of the
 * kind are removed, no commit keeps any, so that the removal ends.
 */

/** What housekeeping does for a kind: first it removes what is stored, and then it reads the people from `filled_to` on. */
export const likenessWork = { remove: 1, removeAndFill: 2, fill: 3 } as const

/** Locks the row of the workspace in `heads`, so that no commit uses the old setting afterwards. */
const lockSql = `
  INSERT INTO heads (workspace, next_key, next_sequence) VALUES ($1, 1, 1)
  ON CONFLICT (workspace) DO UPDATE SET likeness = heads.likeness`

const saveWorkSql = `
  INSERT INTO likeness_work (workspace, kind, state, filled_to) VALUES ($1, $2, $3, 0)
  ON CONFLICT (workspace, kind) DO UPDATE SET state = excluded.state, filled_to = 0`

/** Changes what commits keep of people to find those who are alike, and leaves the rest to housekeeping. */
export const changeLikeness = Effect.fnUntraced(function* <E>(
  ask: Statements<E>,
  workspace: WorkspaceId,
  kinds: ReadonlyArray<LikenessKind>,
): Effect.fn.Return<void, E> {
  yield* ask.run(lockSql, workspace)
  const [head] = yield* ask.rows("SELECT likeness FROM heads WHERE workspace = $1", workspace)
  const kept = kindsWith(integer(head?.["likeness"] ?? 0))
  const stale = new Set<number>()
  const removing = "SELECT kind FROM likeness_work WHERE workspace = $1 AND state <> $2"
  for (const row of yield* ask.rows(removing, workspace, likenessWork.fill)) stale.add(integer(row["kind"]))
  for (const kind of kinds) {
    const code = likenessCodes[kind]
    if (kept.includes(kind)) continue
    const state = stale.has(code) ? likenessWork.removeAndFill : likenessWork.fill
    yield* ask.run(saveWorkSql, workspace, code, state)
  }
  const dropped = Object.values(likenessCodes).filter(
    (code) => !kinds.some((kind) => likenessCodes[kind] === code),
  )
  for (const code of dropped) {
    if (stale.has(code) || kept.some((kind) => likenessCodes[kind] === code))
      yield* ask.run(saveWorkSql, workspace, code, likenessWork.remove)
  }
  const bits = likenessBits(kinds.filter((kind) => !stale.has(likenessCodes[kind])))
  yield* ask.run("UPDATE heads SET likeness = $2 WHERE workspace = $1", workspace, bits)
})
