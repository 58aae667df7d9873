import { Context, type Effect, type Option } from "effect"
import type { ApiKey } from "../workspace/Credentials.ts"
import type { WorkspaceId } from "../values/Identifier.ts"
import type { StoreUnavailable } from "./Store.ts"
import type { Workspace } from "../workspace/Workspace.ts"

/** What a client shows to be let in: a site id, or the digest of a write key. */
export type KeyLookup =
  | { readonly kind: "track"; readonly siteId: string }
  | { readonly kind: "pipelines"; readonly digest: string }

/** Workspaces and the keys that open them. Changes are durable when they return. */
export class Registry extends Context.Service<
  Registry,
  {
    readonly workspaces: Effect.Effect<ReadonlyArray<Workspace>, StoreUnavailable>
    workspace(id: WorkspaceId): Effect.Effect<Option.Option<Workspace>, StoreUnavailable>
    /** Adds a workspace under the next free environment id, with its first keys: both or neither. */
    createWorkspace(
      settings: Omit<Workspace, "id">,
      keys?: ReadonlyArray<Omit<ApiKey, "workspace">>,
    ): Effect.Effect<Workspace, StoreUnavailable>
    /** Replaces the settings of a workspace; nothing happens where there is none. */
    updateWorkspace(workspace: Workspace): Effect.Effect<void, StoreUnavailable>
    /** The keys of a workspace, oldest first. */
    keys(workspace: WorkspaceId): Effect.Effect<ReadonlyArray<ApiKey>, StoreUnavailable>
    addKey(key: ApiKey): Effect.Effect<void, StoreUnavailable>
    /** Removes a key; false where there is none. */
    revokeKey(workspace: WorkspaceId, keyId: string): Effect.Effect<boolean, StoreUnavailable>
    /** The key that matches, with its workspace. */
    find(
      lookup: KeyLookup,
    ): Effect.Effect<Option.Option<{ readonly key: ApiKey; readonly workspace: Workspace }>, StoreUnavailable>
  }
>()("@inlet/core/ports/Registry") {}
