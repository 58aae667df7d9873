import { LakeFiles } from "@inlet/core/ports/LakeFiles"
import { LakeThread } from "@inlet/lake/thread/LakeThread"
import { Deferred, Effect, Layer } from "effect"

/**
 * Ends a writer of a lake at a chosen step: before or after it asks the thread for something, and before or after it
 * commits. From then on it does nothing, as a process that was killed.
 */
export class KillPoints {
  private readonly killed = Deferred.makeUnsafe<void>()
  private stepsLeft: number

  constructor(steps: number) {
    this.stepsLeft = steps
  }

  /** Ends when the writer is killed. */
  get kill(): Effect.Effect<void> {
    return Deferred.await(this.killed)
  }

  private readonly step: Effect.Effect<void> = Effect.suspend(() => {
    if (--this.stepsLeft > 0) return Effect.void
    return Effect.andThen(Deferred.succeed(this.killed, undefined), Effect.interruptible(Effect.never))
  })

  /** The thread and the store of files, with steps at which the writer can end. */
  get layer() {
    const thread = Layer.effect(
      LakeThread,
      Effect.map(LakeThread, ({ ask }) =>
        LakeThread.of({
          ask: (name, asked) => Effect.tap(Effect.andThen(this.step, ask(name, asked)), () => this.step),
        }),
      ),
    )
    const files = Layer.effect(
      LakeFiles,
      Effect.map(LakeFiles, (lake) =>
        LakeFiles.of({
          ...lake,
          commit: (commit) => Effect.tap(Effect.andThen(this.step, lake.commit(commit)), () => this.step),
        }),
      ),
    )
    return Layer.merge(thread, files)
  }
}
