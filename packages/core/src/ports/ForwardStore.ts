import { Context, Schema, type Effect, type Option } from "effect"
import type { Forward } from "../forward/Forward.ts"
import { forwardStoreTexts } from "../forward/forwardStoreTexts.ts"
import type { Sequence, WorkspaceId } from "../values/Identifier.ts"
import type { EventPosition } from "../webhook/EventPosition.ts"
import type { ChangedMeanwhile } from "./ChangedMeanwhile.ts"
import type { StoreUnavailable } from "./Store.ts"

export interface ForwardKey {
  readonly workspace: WorkspaceId
  readonly forwardId: string
}

/** The most forwards of one workspace. */
export const forwardsPerWorkspaceMax = 10

/** A forward was not added, because its workspace has `forwardsPerWorkspaceMax` forwards. */
export class TooManyForwards extends Schema.TaggedError<TooManyForwards>()("TooManyForwards", {}) {
  override get message() {
    return forwardStoreTexts.tooManyForwards({ max: forwardsPerWorkspaceMax })
  }
}

/** Another forward of the workspace has the name. */
export class ForwardNameTaken extends Schema.TaggedError<ForwardNameTaken>()("ForwardNameTaken", {}) {
  override get message() {
    return forwardStoreTexts.forwardNameTaken()
  }
}

/** The identifiers of somebody who was erased, encrypted by `sealNames`. */
export interface SealedNames {
  /** The log position of the operation that erased them. */
  readonly sequence: Sequence
  /** The receipt time of that operation. */
  readonly at: number
  readonly sealed: string
}

/**
 * The forwards of all workspaces, and the names of erased people that they still have to tell. `WebhookStore` keeps the progress,
 * the undelivered events and the attempts of forwards as it does those of webhooks, under `deliveryKey`.
 */
export class ForwardStore extends Context.Service<
  ForwardStore,
  {
    /** Returns every forward of the installation. */
    readonly all: Effect.Effect<ReadonlyArray<Forward>, StoreUnavailable>
    /** Returns the forwards of a workspace, oldest first. */
    forwards(workspace: WorkspaceId): Effect.Effect<ReadonlyArray<Forward>, StoreUnavailable>
    forward(key: ForwardKey): Effect.Effect<Option.Option<Forward>, StoreUnavailable>
    /** Adds a forward, which sends only what comes after the given position of the log. */
    create(
      forward: Forward,
      position: EventPosition,
    ): Effect.Effect<void, StoreUnavailable | TooManyForwards | ForwardNameTaken>
    /** Replaces the settings of a forward by later ones that were decided from them: `updatedAt` tells them apart. */
    update(
      before: Forward,
      after: Forward,
    ): Effect.Effect<void, StoreUnavailable | ChangedMeanwhile | ForwardNameTaken>
    /** Removes a forward with the names that it has still to tell. Returns false if it does not exist. */
    remove(key: ForwardKey): Effect.Effect<boolean, StoreUnavailable>
    /** Returns the names that a forward has still to tell, of operations at these positions. */
    names(
      key: ForwardKey,
      sequences: ReadonlyArray<Sequence>,
    ): Effect.Effect<ReadonlyArray<SealedNames>, StoreUnavailable>
    /** Removes names of a forward that were told, or that will never be. */
    forget(key: ForwardKey, sequences: ReadonlyArray<Sequence>): Effect.Effect<void, StoreUnavailable>
    /** Returns the ids of the forwards that have still to tell what the operation at a position erased. */
    untold(workspace: WorkspaceId, sequence: Sequence): Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
  }
>()("@inlethq/core/ports/ForwardStore") {}
