import type { Catalog } from "@inlethq/core/catalog/Catalog"
import type { Snapshots } from "@inlethq/core/catalog/Snapshots"
import type { Digest } from "@inlethq/core/ports/Digest"
import type { ErasureLedger } from "@inlethq/core/ports/ErasureLedger"
import { lakeCursor, type LakeFiles } from "@inlethq/core/ports/LakeFiles"
import { LogCursors } from "@inlethq/core/ports/LogCursors"
import type { ThreadCatalog } from "@inlethq/core/catalog/ThreadCatalog"
import { Registry } from "@inlethq/core/ports/Registry"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { LakeSettings } from "@inlethq/core/workspace/LakeSettings"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import type { LakeThread } from "@inlethq/lake/thread/LakeThread"
import { Deferred, Effect, Latch, Option } from "effect"
import { DestinationFailed, type Destination, type ReadingSink } from "../follower/Destination.ts"
import { makeCopying } from "./copying.ts"
import { LakeCommits } from "./LakeCommits.ts"
import { countFailure } from "./lakeMetrics.ts"
import { LakeWriter } from "./LakeWriter.ts"
import { LakeMaintenance, maintainLake } from "./maintainLake.ts"
import { openTarget } from "./openTarget.ts"
import { readyWorkFolder } from "./readyWorkFolder.ts"
import type { SecretBox } from "../SecretBox.ts"

type Services =
  | Catalog
  | Digest
  | ErasureLedger
  | LakeFiles
  | LakeThread
  | LogCursors
  | Registry
  | SecretBox
  | Snapshots
  | ThreadCatalog

const settingsOf = ({ lake }: Workspace): LakeSettings | null => lake

/** Writes the log of each workspace that has a lake to its files. */
export const lakeDestination: Destination<LakeSettings, Services> = {
  name: "lake",
  title: "the lake of a workspace",
  settings: LakeSettings,
  feeds: Effect.map(
    Registry.use((registry) => registry.workspaces),
    (workspaces) =>
      workspaces.flatMap((workspace) => {
        const settings = settingsOf(workspace)
        return settings === null ? [] : [{ workspace: workspace.id, id: null, settings }]
      }),
  ),
  prepare: Effect.fnUntraced(function* ({ workspace }) {
    const found = yield* Registry.use((registry) => registry.workspace(workspace))
    const settings = Option.isSome(found) ? settingsOf(found.value) : null
    return settings === null ? Option.none() : Option.some(yield* lakeSink(workspace, settings))
  }),
}

const lakeSink = Effect.fnUntraced(function* (workspace: WorkspaceId, settings: LakeSettings) {
  const { position, token } = yield* LogCursors.use((cursors) => cursors.claim(lakeCursor(workspace)))
  const target = yield* openTarget(workspace, settings)
  const commits = yield* LakeCommits.make({ workspace, token, target })
  const writer = new LakeWriter(commits, yield* makeCopying, position)
  const maintenance = new LakeMaintenance(commits, settings)
  const stopped = yield* Latch.make(false)
  const ready = yield* Deferred.make<void>()

  const sendNext = Effect.gen(function* () {
    if (!Deferred.isDoneUnsafe(ready)) yield* readyWorkFolder(target, workspace)
    yield* Deferred.succeed(ready, undefined)
    return yield* writer.copyNext
  }).pipe(
    Effect.tapError(() => Effect.ignore(writer.noteOldest)),
    Effect.catchTag("LakeFailed", ({ message }) =>
      Effect.andThen(countFailure, new DestinationFailed({ message })),
    ),
  )

  return {
    settings,
    ready: writer.rest,
    sendNext,
    progress: () => ({
      position: writer.committed,
      oldestReceivedAt: writer.oldestReceivedAt,
      failure: maintenance.failure,
    }),
    run: () =>
      Effect.raceFirst(stopped.await, Effect.andThen(Deferred.await(ready), maintainLake(maintenance))).pipe(
        Effect.ensuring(writer.abort),
      ),
    stop: () => void stopped.openUnsafe(),
  } satisfies ReadingSink<LakeSettings, Services>
})
