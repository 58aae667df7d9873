import { Effect, Schedule, type Scope } from "effect"
import { NewestPositions } from "../ports/NewestPositions.ts"
import type { Sequence, WorkspaceId } from "../values/Identifier.ts"
import type { CommitNotices } from "./CommitNotices.ts"

/** The pause between two looks at the positions of workspaces. */
const pollInterval = "1 second"

/**
 * Publishes commits of other processes to subscribers until the scope closes. Looks once a second at the workspaces that have subscribers.
 * Does nothing if only this process commits.
 */
export const pollCommits = (notices: CommitNotices): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function* () {
    const newest = yield* NewestPositions
    if (newest === null) return
    let seen: ReadonlyMap<WorkspaceId, Sequence> = new Map()
    const poll = Effect.gen(function* () {
      const { watched } = notices
      if (watched.length === 0) return
      const found = yield* newest(watched)
      for (const [workspace, position] of found) {
        if (seen.get(workspace) !== position) yield* notices.publish(workspace, position)
      }
      seen = found
    })
    // While the store is away, the next look finds what this one missed.
    yield* Effect.forkScoped(Effect.repeat(Effect.ignore(poll), Schedule.spaced(pollInterval)))
  })
