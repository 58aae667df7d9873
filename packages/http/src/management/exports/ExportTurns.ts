import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import { Clock, Effect, Exit, Latch, Scope, Stream } from "effect"
import { problemTexts } from "../../problems/problemTexts.ts"
import { Ended } from "./Ended.ts"

/**
 * The largest number of exports that run at the same time. The number is small, because each export keeps a snapshot
 * open. Further exports wait.
 */
const exportsMax = 3

/** The largest number of these that are about one workspace, or were asked for with one token, so that others get a turn. */
const exportsPerWorkspaceMax = 2
const exportsPerTokenMax = 2

/** An export whose client has not read for this long loses its turn to one that waits. */
const unreadMs = 2000

/** How often an export that waits looks for one that is not read. */
const lookInterval = "500 millis"

/** Who asked for an export. */
export interface ExportOwner {
  readonly workspace: WorkspaceId
  /** The id of the principal. */
  readonly token: string
}

/** The turn of an export. Its scope holds what the export keeps open. */
export class ExportTurn {
  readonly owner: ExportOwner
  readonly scope: Scope.Closeable
  /** Since when the client has not read what was sent, or null while something is being read for it. */
  unreadSince: EpochMillis | null = null
  isOver = false

  constructor(owner: ExportOwner, scope: Scope.Closeable) {
    this.owner = owner
    this.scope = scope
  }

  /** Notes while the client does not read a stream. Fails the stream once the turn is over. */
  noting<A, E, R>(stream: Stream.Stream<A, E, R>): Stream.Stream<A, E | Ended, R> {
    return Stream.transformPull(stream, (pull) =>
      Effect.succeed(
        Effect.gen({ self: this }, function* () {
          if (this.isOver) return yield* new Ended({ reason: problemTexts.exportUnread() })
          this.unreadSince = null
          const items = yield* pull
          this.unreadSince = yield* Clock.currentTimeMillis
          return items
        }),
      ),
    )
  }
}

interface Waiting {
  readonly owner: ExportOwner
  readonly mayTake: Latch.Latch
}

/** Lets few exports run at a time, in the order of their requests, with a share for each workspace and each token. */
export class ExportTurns {
  private readonly taken = new Set<ExportTurn>()
  private readonly waiting = new Set<Waiting>()

  /** Waits for a turn, which ends with the scope. The wait can be interrupted, so that a client that disconnects stops waiting. */
  take(owner: ExportOwner): Effect.Effect<ExportTurn, never, Scope.Scope> {
    return Effect.acquireRelease(this.next(owner), (turn) => this.end(turn), { interruptible: true })
  }

  private next(owner: ExportOwner) {
    return Effect.gen({ self: this }, function* () {
      const waiting: Waiting = { owner, mayTake: yield* Latch.make(false) }
      this.waiting.add(waiting)
      return yield* Effect.gen({ self: this }, function* () {
        for (;;) {
          // Closed first, so that no turn that becomes free from here on is missed.
          waiting.mayTake.closeUnsafe()
          const turn = this.takeNow(waiting)
          if (turn !== null) return turn
          yield* Effect.timeoutOption(waiting.mayTake.await, lookInterval)
          yield* this.endUnread(owner)
        }
      }).pipe(
        Effect.ensuring(
          Effect.sync(() => {
            this.waiting.delete(waiting)
            this.wakeNext()
          }),
        ),
      )
    })
  }

  /** Takes a turn if there is one, and nobody waits for it who asked earlier. */
  private takeNow(waiting: Waiting): ExportTurn | null {
    if (this.firstWaiting !== waiting) return null
    const turn = new ExportTurn(waiting.owner, Scope.makeUnsafe())
    this.taken.add(turn)
    this.waiting.delete(waiting)
    return turn
  }

  private get firstWaiting(): Waiting | undefined {
    return [...this.waiting].find(({ owner }) => this.blocking(owner).length === 0)
  }

  /** Returns the turns because of which an owner has to wait. */
  private blocking(owner: ExportOwner): ReadonlyArray<ExportTurn> {
    const all = [...this.taken]
    if (all.length >= exportsMax) return all
    const ofWorkspace = all.filter((turn) => turn.owner.workspace === owner.workspace)
    if (ofWorkspace.length >= exportsPerWorkspaceMax) return ofWorkspace
    const ofToken = all.filter((turn) => turn.owner.token === owner.token)
    return ofToken.length >= exportsPerTokenMax ? ofToken : []
  }

  /** Ends the turn that has not been read for longest, if it holds up an export that waits. */
  private endUnread(owner: ExportOwner) {
    return Effect.gen({ self: this }, function* () {
      const now = yield* Clock.currentTimeMillis
      const [longest] = this.blocking(owner)
        .filter(({ unreadSince }) => unreadSince !== null && now - unreadSince >= unreadMs)
        .toSorted((a, b) => (a.unreadSince ?? 0) - (b.unreadSince ?? 0))
      if (longest !== undefined) yield* this.end(longest)
    })
  }

  private end(turn: ExportTurn) {
    return Effect.gen({ self: this }, function* () {
      if (turn.isOver) return
      turn.isOver = true
      yield* Scope.close(turn.scope, Exit.void)
      this.taken.delete(turn)
      this.wakeNext()
    }).pipe(Effect.uninterruptible)
  }

  private wakeNext(): void {
    this.firstWaiting?.mayTake.openUnsafe()
  }
}
