import type { WorkspaceId } from "@inlet/core/values/Identifier"
import { Context, type Effect } from "effect"

/** Is told of every change to a workspace's settings or keys, so that nothing remembered of them outlives it. */
export class Invalidation extends Context.Service<
  Invalidation,
  { workspace(id: WorkspaceId): Effect.Effect<void> }
>()("@inlet/server/management/Invalidation") {}
