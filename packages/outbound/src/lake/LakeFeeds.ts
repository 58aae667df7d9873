import type { LakeVerification } from "@inlethq/contract/transfer/Lake"
import type { Catalog } from "@inlethq/core/catalog/Catalog"
import type { LakeFiles } from "@inlethq/core/ports/LakeFiles"
import type { LogCursors } from "@inlethq/core/ports/LogCursors"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { LakeSettings } from "@inlethq/core/workspace/LakeSettings"
import { LakeThread, type LakeFailed } from "@inlethq/lake/thread/LakeThread"
import { Context, Effect, Layer } from "effect"
import { follow, type FeedStatus } from "../follower/follow.ts"
import { lakeDestination } from "./lakeDestination.ts"
import { registerMetrics } from "./lakeMetrics.ts"
import { SecretBox } from "../SecretBox.ts"
import { openTarget } from "./openTarget.ts"
import { verifyLake } from "./verifyLake.ts"

/** Writes the lakes of workspaces. */
export class LakeFeeds extends Context.Service<
  LakeFeeds,
  {
    /** Returns the state of the lake of a workspace if this node writes it, or null. */
    status(workspace: WorkspaceId): Effect.Effect<FeedStatus | null>
    /** Applies new settings of a workspace at once. */
    changed(workspace: WorkspaceId): Effect.Effect<void>
    /** Checks some files of a lake after a path, the first ones if it is null. */
    verify(
      workspace: WorkspaceId,
      settings: LakeSettings,
      after: string | null,
    ): Effect.Effect<LakeVerification, LakeFailed | StoreUnavailable>
  }
>()("@inlethq/outbound/lake/LakeFeeds") {}

/** Writes nothing. */
export const layerOff = Layer.succeed(LakeFeeds, {
  status: () => Effect.succeed(null),
  changed: () => Effect.void,
  verify: () => Effect.succeed({ files: 0, rows: 0, bytes: 0, faults: [], next: null }),
})

/** Starts and stops lakes when the settings of workspaces change. */
export const layer = Layer.effect(
  LakeFeeds,
  Effect.gen(function* () {
    yield* registerMetrics
    const services = yield* Effect.context<Catalog | LakeFiles | LakeThread | LogCursors | SecretBox>()
    const { changed, status } = yield* follow(lakeDestination)
    return LakeFeeds.of({
      status: (workspace) =>
        Effect.map(status, ({ feeds }) => feeds.find((feed) => feed.workspace === workspace) ?? null),
      changed: (workspace) => changed({ workspace, id: null }),
      verify: (workspace, settings, after) =>
        openTarget(workspace, settings).pipe(
          Effect.flatMap((target) => verifyLake(workspace, target, after)),
          Effect.provide(services),
        ),
    })
  }),
)
