import { DatabaseSync } from "node:sqlite"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { migrate } from "../src/migrations/migrate.ts"
import { storeIn, temporaryDirectory } from "./temporary.ts"

const one = { id: 1, name: "one", sql: "CREATE TABLE one (n INTEGER); INSERT INTO one VALUES (1)" }
const two = { id: 2, name: "two", sql: "UPDATE one SET n = n + 1" }
const broken = { id: 2, name: "broken", sql: "UPDATE one SET n = 99; UPDATE nowhere SET n = 1" }

const valueOf = (connection: DatabaseSync) => connection.prepare("SELECT n FROM one").get()?.["n"]

describe("migrations", () => {
  it.effect("each migration runs once, and in order", () =>
    Effect.gen(function* () {
      const connection = new DatabaseSync(":memory:")
      yield* migrate(connection, "here", [one])
      yield* migrate(connection, "here", [one, two])
      yield* migrate(connection, "here", [one, two])
      assert.strictEqual(valueOf(connection), 2)
    }),
  )

  it.effect("a migration that fails changes nothing", () =>
    Effect.gen(function* () {
      const connection = new DatabaseSync(":memory:")
      const exit = yield* Effect.exit(migrate(connection, "here", [one, broken]))
      assert.strictEqual(exit._tag, "Failure")
      assert.strictEqual(valueOf(connection), 1)
      yield* migrate(connection, "here", [one, two])
      assert.strictEqual(valueOf(connection), 2)
    }),
  )

  it.effect(
    "data in a format from before the first release is refused with an error that says what to do",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const before = new DatabaseSync(join(directory, "inlet.db"))
        yield* migrate(before, directory, [one])
        before.close()
        const refusal = yield* Effect.flip(Layer.build(Layer.fresh(storeIn(directory))))
        assert.strictEqual(refusal._tag, "DataTooOld")
        assert.strictEqual(
          refusal.message,
          `the data in ${directory} has format 1, from a build before the first release; run \`inlet export\` with that build and \`inlet import\` into a new data directory`,
        )
      }),
  )

  it.effect("data of a newer version is refused with an error that names the directory", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* Effect.scoped(Layer.build(Layer.fresh(storeIn(directory))))
      const outside = new DatabaseSync(join(directory, "inlet.db"))
      outside.exec("INSERT INTO migrations VALUES (999, 'from the future')")
      outside.close()
      const refusal = yield* Effect.flip(Layer.build(Layer.fresh(storeIn(directory))))
      assert.strictEqual(refusal._tag, "DataTooNew")
      assert.match(
        refusal.message,
        /^the data in \S+ has format 999, but this version of Inlet reads only formats up to \d+$/,
      )
      assert.include(refusal.message, directory)
    }),
  )
})
