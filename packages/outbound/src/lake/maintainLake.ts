import { LakeFiles } from "@inlet/core/ports/LakeFiles"
import { dayMs } from "@inlet/core/values/Timestamp"
import type { LakeSettings } from "@inlet/core/workspace/LakeSettings"
import { lakeFolder, manifestPath } from "@inlet/lake/layout"
import { Clock, Effect } from "effect"
import { joinFiles } from "./joinFiles.ts"
import type { LakeCommits } from "./LakeCommits.ts"
import { garbageMsMin, joinMs, maintainInterval, replacedMsMax } from "./lakeLimits.ts"
import { removeReplaced, rewriteErased } from "./rewriteErased.ts"

/** Rewrites, joins and removes files of a lake, beside the writing of new ones, until its cursor is lost. */
export const maintainLake = Effect.fnUntraced(function* (
  commits: LakeCommits,
  { erasureDays }: LakeSettings,
) {
  let joinedAt = 0
  const step = Effect.gen(function* () {
    yield* followErasures(commits, erasureDays)
    const now = yield* Clock.currentTimeMillis
    if (now - joinedAt < joinMs) return
    yield* joinFiles(commits)
    yield* removeOld(commits, now)
    yield* removeGarbage(commits, now)
    joinedAt = now
  }).pipe(
    Effect.catchTag(["LakeFailed", "StoreUnavailable"], ({ message }) =>
      Effect.logWarning("the files of a lake wait", { workspace: commits.lake.workspace, reason: message }),
    ),
  )
  yield* Effect.catchTag(
    Effect.forever(Effect.andThen(Effect.sleep(maintainInterval), step)),
    "CursorLost",
    () => Effect.void,
  )
})

/** Deletions of several days are followed together, because each of them may change every file. */
export const followErasures = Effect.fnUntraced(function* (commits: LakeCommits, erasureDays: number) {
  const waiting = yield* LakeFiles.use((lake) => lake.erasures(commits.lake.workspace))
  const [oldest] = waiting
  if (oldest === undefined) return
  const now = yield* Clock.currentTimeMillis
  const waitsMs = Math.max(0, erasureDays - 1) * dayMs
  if (now - oldest.receivedAt >= waitsMs) yield* rewriteErased(commits, waiting)
})

const removeOld = Effect.fnUntraced(function* (commits: LakeCommits, now: number) {
  const replaced = yield* LakeFiles.use((lake) => lake.replaced(commits.lake.workspace))
  const old = replaced.filter(({ replacedAt }) => now - replacedAt >= replacedMsMax)
  yield* removeReplaced(
    commits,
    old.map(({ path }) => path),
  )
})

/** Removes objects that no commit names: their writer died, or lost the cursor, before it could commit them. */
const removeGarbage = Effect.fnUntraced(function* (
  { lake: { target, workspace } }: LakeCommits,
  now: number,
) {
  const stored = yield* target.list(lakeFolder(workspace))
  const files = yield* LakeFiles.use((lake) => lake.files(workspace))
  const replaced = yield* LakeFiles.use((lake) => lake.replaced(workspace))
  const known = new Set([manifestPath(workspace), ...[...files, ...replaced].map(({ path }) => path)])
  for (const { path, writtenAt } of stored) {
    if (!known.has(path) && now - writtenAt >= garbageMsMin) yield* target.remove(path)
  }
})
