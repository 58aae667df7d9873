import { lakeCursor, LakeFiles } from "@inlethq/core/ports/LakeFiles"
import { LogCursors } from "@inlethq/core/ports/LogCursors"
import { lakeFolder, placeIn } from "@inlethq/lake/layout"
import { Effect } from "effect"
import type { LakeCommits } from "./LakeCommits.ts"
import { garbageMsMin } from "./lakeLimits.ts"

/**
 * Removes objects that no commit names: their writer died, or lost the cursor, before it could commit them. Leaves what is
 * no file of a lake.
 */
export const removeGarbage = Effect.fnUntraced(function* (
  { lake: { target, token, workspace } }: LakeCommits,
  now: number,
) {
  const lake = yield* LakeFiles
  // In this order, a file that is committed meanwhile is either known, or begins after the position.
  const position = (yield* LogCursors.use((cursors) => cursors.position(lakeCursor(workspace)))) ?? 0
  const stored = yield* target.list(lakeFolder(workspace))
  const known = new Set(
    [...(yield* lake.files(workspace)), ...(yield* lake.replaced(workspace))].map(({ path }) => path),
  )
  for (const { path, writtenAt } of stored) {
    const place = placeIn(path)
    if (place === null || known.has(path) || place.generation > token) continue
    const { from, generation } = place
    // The store refuses what an earlier reader has not committed yet. This one may still commit a file of positions after
    // the cursor, or a snapshot.
    const mayBeCommitted = from === null ? now - writtenAt < garbageMsMin : from > position
    if (generation < token || !mayBeCommitted) yield* target.remove(path)
  }
})
