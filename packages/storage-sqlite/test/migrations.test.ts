import { DatabaseSync } from "node:sqlite"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { sequenceOf, workspaceId } from "@inlet/storage/ids"
import { rowId } from "../src/engine/rowIds.ts"
import { migrate } from "../src/migrations/migrate.ts"
import { released } from "../src/migrations/released.ts"
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

  it.effect("a copy to Kafka keeps its position when its cursor moves to the table of all cursors", () =>
    Effect.gen(function* () {
      const connection = new DatabaseSync(":memory:")
      yield* migrate(
        connection,
        "here",
        released.filter(({ id }) => id < 19),
      )
      connection.exec("INSERT INTO kafka_cursors (workspace, sequence) VALUES (1, 7)")
      yield* migrate(connection, "here", released)
      const rows = connection.prepare("SELECT workspace, destination, token, sequence FROM log_cursors").all()
      assert.deepStrictEqual(
        rows.map((row) => ({ ...row })),
        [{ workspace: 1, destination: "kafka", token: 0, sequence: 7 }],
      )
    }),
  )

  it.effect("the runs of the log that are indexed already are counted when a store is upgraded", () =>
    Effect.gen(function* () {
      const connection = new DatabaseSync(":memory:")
      yield* migrate(
        connection,
        "here",
        released.filter(({ id }) => id < 33),
      )
      connection.exec(
        "INSERT INTO heads (workspace, next_key, next_sequence, indexed_runs) VALUES (3, 1, 5001, 1)",
      )
      const insert = connection.prepare(
        "INSERT INTO activity (id, kind, source, outcome, at, received, detail) VALUES (?, ?, 1, 1, 0, ?, '')",
      )
      for (let sequence = 1; sequence <= 5000; sequence++) {
        insert.run(rowId(workspaceId(3), sequenceOf(sequence)), sequence % 5 === 0 ? null : 2, sequence)
      }
      yield* migrate(connection, "here", released)
      const rows = connection.prepare("SELECT * FROM log_counts ORDER BY kind").all()
      const run = { workspace: 3, block: 0, outcome: 1 }
      assert.deepStrictEqual(
        rows.map((row) => ({ ...row })),
        [
          { ...run, kind: 0, earliest: 5, latest: 4095, entries: 819 },
          { ...run, kind: 2, earliest: 1, latest: 4094, entries: 3276 },
        ],
      )
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
          `the data in ${directory} has format 1, which no release of Inlet uses; start with a new data directory`,
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
