import { Effect, Option, Queue, type Scope } from "effect"
import { OtherCommits } from "@inlethq/core/ports/OtherCommits"
import type { Sequence, WorkspaceId } from "@inlethq/core/values/Identifier"
import type { CommitNotices } from "./CommitNotices.ts"

/** The longest pause between two reads of the newest positions. */
const pollInterval = "1 second"

/**
 * Publishes commits of other processes to the subscribers of their workspaces until the scope closes. Reads the newest
 * log positions of the workspaces that have subscribers once a second, and after each hint of the store. Does nothing
 * if no other process can commit to the store.
 */
export const pollCommits = (notices: CommitNotices): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function* () {
    const others = yield* Effect.serviceOption(OtherCommits)
    if (Option.isNone(others)) return
    let seen: ReadonlyMap<WorkspaceId, Sequence> = new Map()
    const poll = Effect.gen(function* () {
      const { watched } = notices
      if (watched.length === 0) return
      const found = yield* others.value.newest(watched)
      for (const [workspace, position] of found) {
        if (seen.get(workspace) !== position) yield* notices.publish(workspace, position)
      }
      seen = found
    })
    const hints = yield* Queue.sliding<void>(1)
    yield* others.value.hints(Effect.asVoid(Queue.offer(hints, undefined)))
    const hintOrInterval = Effect.timeoutOption(Queue.take(hints), pollInterval)
    // If the store is unavailable, this poll does nothing, and a later poll finds the commits.
    const skippable = Effect.ignore(poll).pipe(
      Effect.ignoreCause({ log: "Error", message: "the commits of other processes could not be read" }),
    )
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(skippable, hintOrInterval)))
  })
