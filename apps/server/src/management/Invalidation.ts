import type { WorkspaceId } from "@inlet/core/values/Identifier"
import { Context, type Effect } from "effect"

/** Is called after every change to a workspace's settings or keys, to clear what is cached of them. */
export class Invalidation extends Context.Service<
  Invalidation,
  { workspace(id: WorkspaceId): Effect.Effect<void> }
>()("@inlet/server/management/Invalidation") {}
