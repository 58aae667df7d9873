import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { Context, Effect, Layer } from "effect"
import { follow, type FeedStatus } from "../follower/follow.ts"
import { typesDestination } from "./typesDestination.ts"

/** Summarizes the logs of workspaces. */
export class TypesFeeds extends Context.Service<
  TypesFeeds,
  {
    /** Returns how far the summary of a workspace has come if this node makes it, or null. */
    status(workspace: WorkspaceId): Effect.Effect<FeedStatus | null>
  }
>()("@inlethq/outbound/types/TypesFeeds") {}

/** Summarizes the logs of all workspaces while this node may deliver. */
export const layer = Layer.effect(
  TypesFeeds,
  Effect.map(follow(typesDestination), ({ status }) =>
    TypesFeeds.of({
      status: (workspace) =>
        Effect.map(status, ({ feeds }) => feeds.find((feed) => feed.workspace === workspace) ?? null),
    }),
  ),
)
