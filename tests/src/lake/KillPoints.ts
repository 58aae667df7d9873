import { LakeFiles } from "@inlethq/core/ports/LakeFiles"
import { StoreUnavailable } from "@inlethq/core/ports/Store"
import { LakeThread } from "@inlethq/lake/thread/LakeThread"
import { Deferred, Effect, Layer } from "effect"

/** What happens at the chosen step. */
type Fault =
  /** The process ends: from then on it does nothing. */
  | "killed"
  /** The store commits and its answer is lost. */
  | "answer lost"

/**
 * Lets a writer of a lake fail at a chosen step. Steps are before and after each request to the thread and each call of the
 * store of files, so also before and after an object is written or removed, and before and after the manifest is published.
 */
export class KillPoints {
  private readonly fault: Fault
  private readonly observe: Effect.Effect<void>
  private readonly killed = Deferred.makeUnsafe<void>()
  private stepsLeft: number

  /** `observe` runs at each step. */
  constructor(steps: number, fault: Fault = "killed", observe: Effect.Effect<void> = Effect.void) {
    this.stepsLeft = steps
    this.fault = fault
    this.observe = observe
  }

  /** Ends when the writer is killed. */
  get kill(): Effect.Effect<void> {
    return Deferred.await(this.killed)
  }

  private readonly step: Effect.Effect<void> = Effect.suspend(() => {
    if (--this.stepsLeft > 0 || this.fault !== "killed") return this.observe
    return Effect.andThen(Deferred.succeed(this.killed, undefined), Effect.interruptible(Effect.never))
  })

  private readonly between = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.tap(Effect.andThen(this.step, effect), () => this.step)

  /** Fails after the first commit at or after the chosen step. */
  private readonly loseAnswer = Effect.suspend(() => {
    if (this.stepsLeft > 0 || this.fault !== "answer lost") return Effect.void
    this.stepsLeft = Number.POSITIVE_INFINITY
    return Effect.fail(new StoreUnavailable({ operation: "commit files of the lake", cause: "answer lost" }))
  })

  /** The thread and the store of files, with steps at which the writer can end. */
  get layer() {
    const { between, loseAnswer } = this
    const thread = Layer.effect(
      LakeThread,
      Effect.map(LakeThread, ({ ask }) => LakeThread.of({ ask: (name, asked) => between(ask(name, asked)) })),
    )
    const files = Layer.effect(
      LakeFiles,
      Effect.map(LakeFiles, (lake) =>
        LakeFiles.of({
          ...lake,
          files: (workspace) => between(lake.files(workspace)),
          replaced: (workspace) => between(lake.replaced(workspace)),
          forget: (workspace, paths) => between(lake.forget(workspace, paths)),
          erasures: (workspace, positions) => between(lake.erasures(workspace, positions)),
          commit: (commit) => Effect.tap(between(lake.commit(commit)), () => loseAnswer),
        }),
      ),
    )
    return Layer.merge(thread, files)
  }
}
