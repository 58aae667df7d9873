import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { Registry } from "@inlethq/core/ports/Registry"
import { Store } from "@inlethq/core/ports/Store"
import { Sequence, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import {
  byId,
  bySvcId,
  event,
  first,
  identify,
  noon,
  reject,
  second,
  workspaceOf,
} from "@inlethq/store-conformance/script/commands"
import { activity, apply, load, people, sweepAll } from "@inlethq/store-conformance/script/scenario"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Option } from "effect"
import { numberMax, rowId, rowIdRange, workspaceMax } from "../src/engine/rowIds.ts"
import { workspacesPerStep } from "../src/housekeeping/logKeeper.ts"
import { runEntries } from "../src/log/runs.ts"
import { storeIn, temporaryDirectory } from "./temporary.ts"

/**
 * Runs a test on a store in a new directory. The test gets a function that runs SQL on the database file of the store.
 */
const onStore = <A, E>(
  test: (sql: (text: string) => void) => Effect.Effect<A, E, Store | Catalog | Registry>,
) =>
  Effect.gen(function* () {
    const directory = yield* temporaryDirectory
    const sql = (text: string) => {
      const outside = new DatabaseSync(join(directory, "inlet.db"))
      outside.exec(text)
      outside.close()
    }
    return yield* test(sql).pipe(Effect.provide(storeIn(directory)))
  })

describe("row ids", () => {
  it("the row ids of two workspaces are in separate ranges, and all row ids are safe integers", () => {
    const last = WorkspaceId.make(workspaceMax)
    const highest = rowId(last, SubjectKey.make(numberMax))
    assert.strictEqual(highest, Number.MAX_SAFE_INTEGER)
    const [, end] = rowIdRange(first.id, 1, Infinity)
    assert.strictEqual(end, rowId(second.id, SubjectKey.make(1)) - 1)
    assert.isBelow(rowId(first.id, SubjectKey.make(numberMax)), end)
  })

  it("a subject key that is too large for the row ids of its workspace is converted to a row id that no row has", () => {
    const beyond = rowId(first.id, SubjectKey.make(numberMax + 6))
    assert.isBelow(beyond, rowId(first.id, SubjectKey.make(1)))
  })
})

describe("the limits of a workspace", () => {
  it.effect(
    "a key, position or cursor beyond the range of a workspace never returns data of the next workspace",
    () =>
      onStore(() =>
        Effect.gen(function* () {
          yield* apply(identify(byId("ada"), [], { in: second }), identify(byId("ada")))
          const catalog = yield* Catalog
          const key = SubjectKey.make(numberMax + 2)
          const { subjects } = yield* load({ subjects: new Set([key]) })
          assert.strictEqual(subjects.size, 0)
          assert.isTrue(Option.isNone(yield* catalog.person(first.id, key)))
          assert.isTrue(Option.isNone(yield* catalog.segment(first.id, key)))
          assert.isTrue(Option.isNone(yield* catalog.operation(first.id, Sequence.make(numberMax + 2))))
          const after = { limit: 10, after: key, order: "asc" } as const
          assert.deepStrictEqual((yield* catalog.people(first.id, null, after)).items, [])
          const before = { limit: 10, after: key, order: "desc" } as const
          assert.strictEqual((yield* catalog.people(first.id, null, before)).items.length, 1)
          const { entries } = yield* apply(event(bySvcId(numberMax + 2), "bought"))
          assert.strictEqual(entries[0]?.outcome, "dropped")
        }),
      ),
  )

  for (const { column, command, what } of [
    { column: "next_key", what: "subjects", command: identify(byId("bob")) },
    { column: "next_sequence", what: "log entries", command: reject() },
  ]) {
    it.effect(
      `if a workspace has no numbers left for new ${what}, its batches fail and other workspaces continue`,
      () =>
        onStore((sql) =>
          Effect.gen(function* () {
            yield* apply(identify(byId("ada")))
            sql(`UPDATE heads SET ${column} = ${numberMax}`)
            yield* apply(command)
            const exit = yield* Effect.exit(
              apply({ ...command, deduplicationKey: "one more" }, identify(byId("cyd"))),
            )
            assert.isTrue(Exit.isFailure(exit))
            if (Exit.isFailure(exit)) {
              assert.include(
                Cause.pretty(exit.cause),
                `workspace 1 cannot have more than ${numberMax} ${what}`,
              )
            }
            assert.isFalse((yield* people()).some(({ id }) => id === "cyd"))
            yield* apply(identify(byId("ada"), [], { in: second }))
            assert.strictEqual((yield* activity({}, { workspace: second })).length, 1)
          }),
        ),
    )
  }

  it.effect("a store refuses to create more workspaces than it can hold", () =>
    onStore((sql) =>
      Effect.gen(function* () {
        const registry = yield* Registry
        const { id: _, ...settings } = workspaceOf(1)
        sql(`INSERT INTO workspaces (id, doc) VALUES (${workspaceMax - 1}, '${JSON.stringify(settings)}')`)
        assert.strictEqual((yield* registry.createWorkspace(settings)).id, workspaceMax)
        const refusal = yield* Effect.flip(registry.createWorkspace(settings))
        assert.strictEqual(refusal._tag, "TooManyWorkspaces")
        assert.strictEqual(refusal.message, `this store cannot have more than ${workspaceMax} workspaces`)
        yield* apply(identify(byId("ada"), [], { in: workspaceOf(workspaceMax) }))
        assert.strictEqual((yield* people(null, { workspace: workspaceOf(workspaceMax) })).length, 1)
      }),
    ),
  )
})

describe("housekeeping of many workspaces", () => {
  it.effect(
    "one step of housekeeping examines a bounded number of workspaces, and later steps examine the other workspaces",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const count = 2 * workspacesPerStep + 5
        yield* Effect.gen(function* () {
          const late = workspaceOf(count)
          for (let id = 1; id < count; id++) yield* apply(reject({ in: workspaceOf(id) }))
          yield* apply(...Array.from({ length: runEntries }, () => reject({ in: late })))
          const store = yield* Store
          const steps = Array.from({ length: 3 }, () => store.sweep(noon))
          const done = (yield* Effect.all(steps)).map((swept) => swept.done)
          assert.deepStrictEqual(done, [true, true, false])
          yield* sweepAll(noon)
          assert.strictEqual((yield* activity({}, { workspace: late, limit: 1000 })).length, runEntries)
        }).pipe(Effect.provide(storeIn(directory)))
        const file = new DatabaseSync(join(directory, "inlet.db"))
        const { run } = file.prepare("SELECT count(*) AS run FROM heads WHERE timeline_runs = 1").get() ?? {}
        file.close()
        assert.strictEqual(run, 1)
      }),
  )
})
