import { lakeCursor } from "@inlethq/core/ports/LakeFiles"
import { LogCursors } from "@inlethq/core/ports/LogCursors"
import type { Sequence, WorkspaceId } from "@inlethq/core/values/Identifier"
import type { LakeSettings } from "@inlethq/core/workspace/LakeSettings"
import { folderTarget } from "@inlethq/lake/targets/folder"
import { makeCopying } from "@inlethq/outbound/lake/copying"
import { LakeCommits } from "@inlethq/outbound/lake/LakeCommits"
import { LakeWriter } from "@inlethq/outbound/lake/LakeWriter"
import { LakeMaintenance } from "@inlethq/outbound/lake/maintainLake"
import { readyWorkFolder } from "@inlethq/outbound/lake/readyWorkFolder"
import { Effect } from "effect"

/**
 * Writes a lake up to a position and maintains it meanwhile, without the pauses of a node. `perBatch` is called before each
 * batch of the log.
 */
export const runLakeReader = Effect.fnUntraced(function* (
  workspace: WorkspaceId,
  settings: LakeSettings,
  end: Sequence,
  perBatch: () => void,
) {
  const { position, token } = yield* LogCursors.use((cursors) => cursors.claim(lakeCursor(workspace)))
  const target = folderTarget(settings.url)
  yield* readyWorkFolder(target, workspace)
  const commits = yield* LakeCommits.make({ workspace, token, target })
  const writer = new LakeWriter(commits, yield* makeCopying, position)
  const maintenance = new LakeMaintenance(commits, settings)
  const write = Effect.gen(function* () {
    while ((writer.committed ?? 0) < end) {
      perBatch()
      yield* writer.copyNext
    }
  }).pipe(Effect.ensuring(writer.abort))
  const maintain = Effect.forever(Effect.andThen(maintenance.step, Effect.yieldNow))
  yield* Effect.raceFirst(write, maintain)
  yield* maintenance.step
  yield* commits.publish
})
