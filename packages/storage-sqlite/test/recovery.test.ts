import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { Catalog } from "@inlethq/core/catalog/Catalog"
import type { Registry } from "@inlethq/core/ports/Registry"
import { Store } from "@inlethq/core/ports/Store"
import { ThreadCatalog } from "@inlethq/core/catalog/ThreadCatalog"
import { byId, event } from "@inlethq/store-conformance/script/commands"
import { activity, apply } from "@inlethq/store-conformance/script/scenario"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Logger, Schedule } from "effect"
import { storeIn, storeOnDisk, temporaryDirectory } from "./temporary.ts"

type Done = (error: Error | null) => void

/** Calls of fdatasync that do not return until a test ends them. */
class HeldSyncs {
  readonly running: Array<Done> = []
  private isReleased = false

  readonly sync = (_descriptor: number, done: Done): void => {
    if (this.isReleased) done(null)
    else this.running.push(done)
  }

  /** Ends all syncs, including later syncs. Without this, the store could not close. */
  release(): void {
    this.isReleased = true
    for (const done of this.running.splice(0)) done(null)
  }

  /**
   * Ends the running sync with the given index, by default the oldest. The sync fails with `error`, or succeeds if
   * `error` is null.
   */
  end(error: Error | null = null, index = 0): void {
    const [done] = this.running.splice(index, 1)
    if (done === undefined) throw new Error("no sync is running")
    done(error)
  }
}

const ioError = Object.assign(new Error("i/o error"), { code: "EIO", syscall: "fdatasync" })

const begin = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.forkChild(effect, { startImmediately: true })

const send = (name: string) => begin(apply(event(byId("ada"), name)))

const names = Effect.map(activity({}, { limit: 100 }), (entries) => entries.map(({ name }) => name))

const isDone = (fiber: Fiber.Fiber<unknown, unknown>): boolean => fiber.pollUnsafe() !== undefined

/** Waits until all fibers that can run have run. */
const settled = Effect.repeat(Effect.yieldNow, { times: 20 })

/** Opens a store that has committed one event. Its syncs do not end until the test ends them. */
const inHeldStore = <A, E>(
  use: (
    syncs: HeldSyncs,
    outside: DatabaseSync,
  ) => Effect.Effect<A, E, Store | Catalog | Registry | ThreadCatalog>,
) =>
  Effect.gen(function* () {
    const directory = yield* temporaryDirectory
    const syncs = new HeldSyncs()
    const held = Effect.gen(function* () {
      const before = yield* send("before")
      syncs.end()
      yield* Fiber.join(before)
      const outside = yield* Effect.acquireRelease(
        Effect.sync(() => new DatabaseSync(join(directory, "inlet.db"))),
        (opened) => Effect.sync(() => opened.isOpen && opened.close()),
      )
      return yield* use(syncs, outside)
    }).pipe(Effect.ensuring(Effect.sync(() => syncs.release())))
    yield* Effect.provide(held, storeOnDisk(directory, syncs.sync, { syncsMax: 3 }), { local: true })
    return yield* Effect.provide(names, storeIn(directory), { local: true })
  }).pipe(Effect.provide(Logger.layer([])))

describe("a commit", () => {
  it.live("a batch is answered as soon as a sync that began after its commit has ended", () =>
    inHeldStore((syncs) =>
      Effect.gen(function* () {
        const fibers = yield* Effect.forEach(["one", "two", "three", "four", "five"], send)
        // Three syncs run at the same time. Each sync covers the commits that were made before the sync began.
        assert.strictEqual(syncs.running.length, 3)
        syncs.end(null, 1)
        yield* settled
        assert.deepStrictEqual(fibers.map(isDone), [true, true, false, false, false])
        // The sync that ended has freed a slot. A new sync in this slot covers the commits that had to wait for a slot.
        assert.strictEqual(syncs.running.length, 3)
        syncs.end(null, 2)
        yield* Effect.forEach(fibers, Fiber.join)
      }),
    ),
  )

  it.live("a read waits until everything that it may show is durable", () =>
    inHeldStore((syncs) =>
      Effect.gen(function* () {
        yield* send("unsynced")
        const read = yield* begin(names)
        yield* settled
        assert.isFalse(isDone(read))
        syncs.end()
        assert.deepStrictEqual(yield* Fiber.join(read), ["before", "unsynced"])
      }),
    ),
  )

  it.live("a read in another thread fails if a commit that it may have seen is lost", () =>
    inHeldStore((syncs, outside) =>
      Effect.gen(function* () {
        const { onUndo, reading } = yield* ThreadCatalog
        // The other thread has a connection of its own, which must be closed before the database is opened again.
        const closed = { thread: false }
        yield* onUndo(async () => {
          outside.close()
          closed.thread = true
        })
        yield* send("unsynced")
        const count = Effect.sync(() => outside.prepare("SELECT count(*) AS entries FROM activity").get())
        const read = yield* begin(reading(count))
        yield* settled
        assert.isFalse(isDone(read))
        syncs.end(ioError)
        assert.isTrue(Exit.isFailure(yield* Fiber.await(read)))
        const after = yield* begin(names)
        syncs.release()
        yield* Effect.exit(Fiber.join(after))
        yield* Effect.repeat(Effect.yieldNow, { until: () => closed.thread })
        const again = Effect.retry(reading(names), { schedule: Schedule.spaced("10 millis") })
        assert.deepStrictEqual(yield* again, ["before"])
      }).pipe(Effect.scoped),
    ),
  )

  it.live(
    "a commit is durable, even without a sync of its own, once a checkpoint has made the write-ahead log start over",
    () =>
      inHeldStore((syncs, outside) =>
        Effect.gen(function* () {
          const checkpointed = yield* send("checkpointed")
          assert.strictEqual(outside.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()?.["busy"], 0)
          const next = yield* send("next")
          yield* Fiber.join(checkpointed)
          assert.isFalse(isDone(next))
          outside.close()
          syncs.end(ioError)
          syncs.end()
          assert.isTrue(Exit.isFailure(yield* Fiber.await(next)))
          assert.deepStrictEqual(yield* names, ["before", "checkpointed"])
        }),
      ),
  )
})

describe("a failed sync", () => {
  it.live(
    "a failed sync undoes all commits that were not durable, and the store then accepts further commits",
    () =>
      Effect.gen(function* () {
        const left = yield* inHeldStore((syncs, outside) =>
          Effect.gen(function* () {
            outside.close()
            const lost = yield* Effect.forEach(["one", "two"], send)
            const read = yield* begin(names)
            yield* settled
            syncs.end(ioError, 1)
            // The older sync may succeed after the newer sync has failed, because the operating system reports an error
            // only once. The store must not trust this success.
            syncs.end()
            for (const fiber of lost) assert.isTrue(Exit.isFailure(yield* Fiber.await(fiber)))
            // On a busy machine the read may begin only after the recovery. It then shows what is left.
            const shown = yield* Fiber.await(read)
            if (Exit.isSuccess(shown)) assert.deepStrictEqual(shown.value, ["before"])
            const after = yield* send("after")
            yield* settled
            syncs.end()
            yield* Fiber.join(after)
            assert.deepStrictEqual(yield* names, ["before", "after"])
          }),
        )
        assert.deepStrictEqual(left, ["before", "after"])
      }),
  )

  it.live("a failed sync does not undo a commit that a checkpoint has copied into the database", () =>
    Effect.gen(function* () {
      const left = yield* inHeldStore((syncs, outside) =>
        Effect.gen(function* () {
          const copied = yield* send("copied")
          outside.prepare("PRAGMA wal_checkpoint(PASSIVE)").get()
          const lost = yield* send("lost")
          outside.close()
          syncs.end(ioError)
          syncs.end()
          yield* Fiber.join(copied)
          assert.isTrue(Exit.isFailure(yield* Fiber.await(lost)))
        }),
      )
      assert.deepStrictEqual(left, ["before", "copied"])
    }),
  )

  it.live(
    "after a failed sync, the store is unavailable while something else has the database open, and then recovers",
    () =>
      inHeldStore((syncs, outside) =>
        Effect.gen(function* () {
          const store = yield* Store
          outside.prepare("SELECT count(*) FROM activity").get()
          const lost = yield* send("lost")
          syncs.end(ioError)
          assert.isTrue(Exit.isFailure(yield* Fiber.await(lost)))
          assert.strictEqual((yield* Effect.flip(names))._tag, "StoreUnavailable")
          assert.strictEqual((yield* Effect.flip(store.probe))._tag, "StoreUnavailable")
          outside.close()
          const probe = yield* begin(store.probe)
          yield* Effect.repeat(Effect.yieldNow, { until: () => syncs.running.length > 0 })
          syncs.end()
          yield* Fiber.join(probe)
          assert.deepStrictEqual(yield* names, ["before"])
        }),
      ),
  )
})
