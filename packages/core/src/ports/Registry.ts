import { Context, Schema, type Effect, type Option } from "effect"
import type { ApiKey, KeyUse } from "../workspace/Credentials.ts"
import type { WorkspaceId } from "../values/Identifier.ts"
import type { EpochMillis } from "../values/Timestamp.ts"
import type { ChangedMeanwhile } from "./ChangedMeanwhile.ts"
import type { StoreUnavailable } from "./Store.ts"
import type { Workspace } from "../workspace/Workspace.ts"
import type { Sender, SenderId } from "../log/Sender.ts"
import { storeTexts } from "../log/operationTexts.ts"

/** The error for a workspace that was not created, because the store cannot have more workspaces. */
export class TooManyWorkspaces extends Schema.TaggedError<TooManyWorkspaces>()("TooManyWorkspaces", {
  max: Schema.Int,
}) {
  override get message() {
    return storeTexts.tooManyWorkspaces({ max: this.max })
  }
}

/** The error for a workspace that was not deleted, because an installation always has a workspace. */
export class LastWorkspace extends Schema.TaggedError<LastWorkspace>()("LastWorkspace", {}) {
  override get message() {
    return storeTexts.lastWorkspace()
  }
}

/** The largest number of keys of one workspace. */
export const keysPerWorkspaceMax = 1000

/** A key was not added, because its workspace has `keysPerWorkspaceMax` keys. */
export class TooManyKeys extends Schema.TaggedError<TooManyKeys>()("TooManyKeys", {}) {
  override get message() {
    return storeTexts.tooManyKeys({ max: keysPerWorkspaceMax })
  }
}

/** A deleted workspace whose data housekeeping still erases. */
export interface ErasingWorkspace {
  readonly workspace: WorkspaceId
  readonly deletedAt: EpochMillis
}

/**
 * The time in milliseconds for which the mark of a deleted workspace stays, even if all of its data are erased. Every
 * call that began before the deletion has ended by then, and what it still wrote is erased with the mark.
 */
export const erasureMsMin = 10_000

/** The credentials of a client: a site id, or the digest of a write key or an app key. */
export type KeyLookup =
  | { readonly kind: "track"; readonly siteId: string }
  | { readonly kind: "pipelines" | "app"; readonly digest: string }

/** The registry of workspaces and their keys. A change is durable when its effect succeeds. */
export class Registry extends Context.Service<
  Registry,
  {
    readonly workspaces: Effect.Effect<ReadonlyArray<Workspace>, StoreUnavailable>
    workspace(id: WorkspaceId): Effect.Effect<Option.Option<Workspace>, StoreUnavailable>
    /** Adds a workspace and its first keys in one transaction. The workspace receives the next environment id. */
    createWorkspace(
      settings: Omit<Workspace, "id">,
      keys?: ReadonlyArray<Omit<ApiKey, "workspace">>,
    ): Effect.Effect<Workspace, StoreUnavailable | TooManyWorkspaces>
    /**
     * Replaces the settings of a workspace by others that were decided from them. What follows from them is in the same
     * transaction: a lake that is written elsewhere from now on begins anew, so its files are forgotten and its cursor
     * moves back to the beginning, and a copy to Kafka that is turned on begins after the newest entry.
     */
    updateWorkspace(
      before: Workspace,
      after: Omit<Workspace, "id">,
    ): Effect.Effect<void, StoreUnavailable | ChangedMeanwhile>
    /**
     * Deletes a workspace. From then on the workspace and its keys are unknown, its webhooks are removed, and batches for
     * it fail with `WorkspaceDeleted`. Housekeeping erases its data. Its id is never used again. Returns false if the
     * workspace does not exist.
     */
    deleteWorkspace(
      id: WorkspaceId,
      now: EpochMillis,
    ): Effect.Effect<boolean, StoreUnavailable | LastWorkspace>
    /** The deleted workspaces that are not erased completely yet. */
    readonly erasing: Effect.Effect<ReadonlyArray<ErasingWorkspace>, StoreUnavailable>
    /** Returns the keys of a workspace, oldest first. */
    keys(workspace: WorkspaceId): Effect.Effect<ReadonlyArray<ApiKey>, StoreUnavailable>
    addKey(key: ApiKey): Effect.Effect<void, StoreUnavailable | TooManyKeys>
    /** Removes a key. Returns false if the workspace does not have this key. */
    revokeKey(workspace: WorkspaceId, keyId: string): Effect.Effect<boolean, StoreUnavailable>
    /**
     * Records when keys were last used. The latest use of a key counts, whatever the order of the calls. A power failure
     * may undo the record.
     */
    recordUses(uses: ReadonlyArray<KeyUse>): Effect.Effect<void, StoreUnavailable>
    /**
     * Returns the number of a sender, and adds the sender if it is new. Returns null if the workspace has too many senders
     * to add this one (`sendersBefore`). Entries that refer to a new sender are never more durable than the sender is.
     */
    sender(workspace: WorkspaceId, sender: Sender): Effect.Effect<SenderId | null, StoreUnavailable>
    /** Returns all senders of a workspace by their numbers. */
    senders(workspace: WorkspaceId): Effect.Effect<ReadonlyMap<SenderId, Sender>, StoreUnavailable>
    /** Returns the API key with these credentials, even if it has expired, and the workspace of the API key. */
    find(
      lookup: KeyLookup,
    ): Effect.Effect<Option.Option<{ readonly key: ApiKey; readonly workspace: Workspace }>, StoreUnavailable>
  }
>()("@inlethq/core/ports/Registry") {}
