import { Effect, PubSub, type Scope } from "effect"
import type { Sequence, WorkspaceId } from "@inlethq/core/values/Identifier"

interface Hub {
  readonly pubsub: PubSub.PubSub<Sequence>
  subscribers: number
}

/**
 * Publishes the newest log position of each workspace to its subscribers. A slow subscriber sees only the newest
 * position of its workspace, and misses earlier positions.
 */
export class CommitNotices {
  /** One hub for each workspace that has subscribers. The hub publishes the workspace's log positions to them. */
  private readonly hubs = new Map<WorkspaceId, Hub>()

  /** The workspaces with at least one subscriber to their log positions. */
  get watched(): ReadonlyArray<WorkspaceId> {
    return [...this.hubs.keys()]
  }

  subscribe(workspace: WorkspaceId): Effect.Effect<PubSub.Subscription<Sequence>, never, Scope.Scope> {
    return Effect.acquireRelease(this.enter(workspace), (hub) => this.leave(workspace, hub)).pipe(
      Effect.flatMap(({ pubsub }) => PubSub.subscribe(pubsub)),
    )
  }

  publish(workspace: WorkspaceId, newest: Sequence): Effect.Effect<void> {
    const hub = this.hubs.get(workspace)
    return hub === undefined ? Effect.void : Effect.asVoid(PubSub.publish(hub.pubsub, newest))
  }

  private enter(workspace: WorkspaceId): Effect.Effect<Hub> {
    return Effect.map(PubSub.sliding<Sequence>(1), (pubsub) => {
      const hub = this.hubs.get(workspace) ?? { pubsub, subscribers: 0 }
      hub.subscribers++
      this.hubs.set(workspace, hub)
      return hub
    })
  }

  private leave(workspace: WorkspaceId, hub: Hub): Effect.Effect<void> {
    return Effect.suspend(() => {
      hub.subscribers--
      if (hub.subscribers > 0) return Effect.void
      this.hubs.delete(workspace)
      return PubSub.shutdown(hub.pubsub)
    })
  }
}
