import { lakeCursor } from "@inlet/core/ports/LakeFiles"
import { LogCursors } from "@inlet/core/ports/LogCursors"
import type { Sequence, WorkspaceId } from "@inlet/core/values/Identifier"
import type { LakeSettings } from "@inlet/core/workspace/LakeSettings"
import { folderTarget } from "@inlet/lake/targets/folder"
import { makeCopying } from "@inlet/outbound/lake/copying"
import { LakeCommits } from "@inlet/outbound/lake/LakeCommits"
import { LakeWriter } from "@inlet/outbound/lake/LakeWriter"
import { LakeMaintenance } from "@inlet/outbound/lake/maintainLake"
import { readyWorkFolder } from "@inlet/outbound/lake/readyWorkFolder"
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
