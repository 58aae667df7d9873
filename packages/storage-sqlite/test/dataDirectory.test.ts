import { spawn } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { byId, event, remove, noon } from "@inlethq/store-conformance/script/commands"
import { activity, apply, load, sweepAll } from "@inlethq/store-conformance/script/scenario"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, Scope } from "effect"
import { storeIn, temporaryDirectory } from "./temporary.ts"

/** Starts a process that commits events one by one and prints how many it has committed. */
const commitForever = (directory: string) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, [fileURLToPath(new URL("./commitForever.ts", import.meta.url)), directory], {
        stdio: ["ignore", "pipe", "inherit"],
      }),
    ),
    (child) => Effect.sync(() => child.kill("SIGKILL")),
  )

/** Waits until a process has printed a number that is at least `count`. Returns the last printed number. */
const printed = (child: Effect.Success<ReturnType<typeof commitForever>>, count: number) =>
  Effect.callback<number>((resume) => {
    let output = ""
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString()
      const numbers = output.split("\n").slice(0, -1).map(Number)
      const last = numbers.at(-1) ?? 0
      if (last >= count) resume(Effect.succeed(last))
    })
  })

const killed = (child: Effect.Success<ReturnType<typeof commitForever>>) =>
  Effect.callback<void>((resume) => {
    child.on("exit", () => resume(Effect.void))
    child.kill("SIGKILL")
  })

const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8)

describe("a data directory", () => {
  it.effect("a new data directory and its files are readable only by their owner", () =>
    Effect.gen(function* () {
      const directory = join(yield* temporaryDirectory, "a", "b")
      yield* Layer.build(storeIn(directory))
      assert.strictEqual(modeOf(directory), "700")
      for (const file of ["inlet.db", "inlet.db-wal", "inlet.db-shm", "lock"]) {
        assert.strictEqual(modeOf(join(directory, file)), "600", file)
      }
      assert.strictEqual(statSync(join(directory, "lock")).size, 0)
    }),
  )

  it.effect("opening a data directory makes its files unreadable for others", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* Effect.scoped(Layer.build(storeIn(directory)))
      chmodSync(join(directory, "inlet.db"), 0o644)
      yield* Layer.build(storeIn(directory))
      assert.strictEqual(modeOf(join(directory, "inlet.db")), "600")
      assert.strictEqual(modeOf(join(directory, "inlet.db-wal")), "600")
    }),
  )

  it.effect("a data directory cannot be opened twice in one process until the first store is closed", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const scope = yield* Scope.make()
      const open = Layer.build(Layer.fresh(storeIn(directory)))
      yield* Scope.provide(open, scope)
      for (const _ of [1, 2]) {
        const refusal = yield* Effect.flip(open)
        assert.strictEqual(refusal._tag, "DataDirectoryInUse")
        assert.strictEqual(refusal.message, `the data directory ${directory} is in use by another process`)
      }
      yield* Scope.close(scope, Exit.void)
      yield* open
    }),
  )

  it.live(
    "a second process cannot open a data directory until the first is killed, and then finds all commits of the first",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const child = yield* commitForever(directory)
        yield* printed(child, 50)
        const refusal = yield* Effect.flip(Layer.build(storeIn(directory)))
        assert.strictEqual(refusal._tag, "DataDirectoryInUse")
        const acknowledged = printed(child, 100)
        const count = yield* acknowledged
        yield* killed(child)
        yield* Effect.gen(function* () {
          const names = (yield* activity({ kind: "event" }, { limit: 1000 })).map(({ name }) => name)
          assert.isAtLeast(names.length, count)
          assert.deepStrictEqual(
            names,
            names.map((_, i) => `event ${i + 1}`),
          )
          assert.strictEqual((yield* load({})).nextSequence, names.length + 1)
          yield* apply(event(byId("ada"), "after"))
        }).pipe(Effect.provide(storeIn(directory)))
      }),
  )

  it.effect("the start error names the data directory that cannot be opened", () =>
    Effect.gen(function* () {
      const parent = yield* temporaryDirectory
      writeFileSync(join(parent, "file"), "")
      const refusal = yield* Effect.flip(Layer.build(storeIn(join(parent, "file"))))
      assert.strictEqual(refusal._tag, "StoreUnavailable")
      assert.include(refusal.message, join(parent, "file"))
      mkdirSync(join(parent, "other", "inlet.db"), { recursive: true })
      const other = yield* Effect.flip(Layer.build(storeIn(join(parent, "other"))))
      assert.strictEqual(other._tag, "StoreUnavailable")
    }),
  )

  it.effect(
    "keys and positions are not used again after a restart, even if the newest entries and people were deleted",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const inIt = Effect.provide(storeIn(directory), { local: true })
        yield* Effect.gen(function* () {
          yield* apply(event(byId("ada"), "one"), event(byId("ada"), "two"))
          yield* apply(remove(byId("ada")))
          yield* sweepAll(noon + 60 * 24 * 60 * 60 * 1000)
          assert.deepStrictEqual(yield* activity(), [])
        }).pipe(inIt)
        const { nextKey, nextSequence } = yield* load({}).pipe(inIt)
        assert.deepStrictEqual([nextKey, nextSequence], [2, 4])
        assert.isTrue(existsSync(join(directory, "inlet.db")))
      }),
  )
})
