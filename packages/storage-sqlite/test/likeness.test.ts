import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { Registry } from "@inlet/core/ports/Registry"
import { Store } from "@inlet/core/ports/Store"
import { likenessKinds } from "@inlet/core/workspace/Likeness"
import { defaultSettings } from "@inlet/core/workspace/Workspace"
import { byId, identify, merge, noon, remove, suppress } from "@inlet/store-conformance/commands"
import { apply, sweepAll } from "@inlet/store-conformance/scenario"
import { Effect } from "effect"
import { storeIn, temporaryDirectory } from "./temporary.ts"

const settings = defaultSettings("One", "us")

const somebody = (id: string) =>
  identify(
    byId(id),
    [
      ["name", "Ada"],
      ["postcode", "AB1"],
      ["phone", "+1 555 0100 777"],
    ],
    { email: `${id}@example.com` },
  )

/** Returns whose digests are stored of each kind, which digests are shared, and what housekeeping still has to do. */
const stored = (directory: string) => {
  const file = new DatabaseSync(join(directory, "inlet.db"), { readOnly: true })
  const numbers = (sql: string) =>
    file
      .prepare(sql)
      .all()
      .map((row) => Object.values(row).join(" of kind "))
  const found = {
    rows: numbers("SELECT subject, kind FROM likeness ORDER BY subject, kind"),
    shared: numbers("SELECT kind FROM likeness_shared ORDER BY kind"),
    work: numbers("SELECT kind, state FROM likeness_work ORDER BY kind"),
  }
  file.close()
  return found
}

const nothing = { rows: [], shared: [], work: [] }

/** What is stored of people with everything. Emails are not shared. */
const of = (...people: ReadonlyArray<number>) => ({
  rows: people.flatMap((key) => [1, 2, 3].map((kind) => `${key} of kind ${kind}`)),
  shared: people.length < 2 ? [] : ["2", "3"],
  work: [],
})

describe("what is stored of people who are alike", () => {
  it.effect("nothing is stored of people who were merged, deleted or suppressed", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* Effect.gen(function* () {
        yield* (yield* Registry).createWorkspace({ ...settings, likeness: likenessKinds })
        yield* apply(...["ada", "bob", "eve", "fay"].map(somebody))
        yield* sweepAll(noon)
        assert.deepStrictEqual(stored(directory), of(1, 2, 3, 4))
        yield* apply(merge(byId("ada"), byId("bob")))
        assert.deepStrictEqual(stored(directory), of(1, 3, 4))
        yield* apply(remove(byId("ada")), suppress(byId("eve")))
        assert.deepStrictEqual(stored(directory), of(4))
        yield* apply(somebody("gil"), remove(byId("gil")), remove(byId("fay")))
        assert.deepStrictEqual(stored(directory), nothing)
      }).pipe(Effect.provide(storeIn(directory)))
    }),
  )

  it.effect(
    "nothing is stored unless a workspace compares people, and nothing is left once it does not",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        yield* Effect.gen(function* () {
          const registry = yield* Registry
          const workspace = yield* registry.createWorkspace(settings)
          yield* apply(somebody("ada"), somebody("bob"))
          assert.deepStrictEqual(stored(directory), nothing)
          const comparing = { ...workspace, likeness: likenessKinds }
          const renamed = { ...comparing, name: "Other" }
          yield* registry.updateWorkspace(workspace, comparing)
          yield* registry.updateWorkspace(comparing, renamed)
          yield* apply(somebody("eve"))
          assert.deepStrictEqual(stored(directory).work, ["1 of kind 3", "2 of kind 3", "3 of kind 3"])
          yield* sweepAll(noon)
          assert.deepStrictEqual(stored(directory), of(1, 2, 3))
          yield* registry.updateWorkspace(renamed, { ...renamed, likeness: [] })
          yield* apply(somebody("fay"), remove(byId("eve")))
          yield* sweepAll(noon)
          assert.deepStrictEqual(stored(directory), nothing)
        }).pipe(Effect.provide(storeIn(directory)))
      }),
  )

  it.effect("a store that is opened again goes on with the people that it has not compared yet", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const people = Array.from({ length: 9 }, (_, n) => `person ${n}`)
      yield* Effect.gen(function* () {
        const registry = yield* Registry
        const workspace = yield* registry.createWorkspace(settings)
        yield* apply(...people.map(somebody))
        yield* registry.updateWorkspace(workspace, { ...workspace, likeness: likenessKinds })
        yield* (yield* Store).sweep(noon)
      }).pipe(Effect.provide(storeIn(directory, { sweepRowsMax: 20 })))
      const { rows } = stored(directory)
      assert.isTrue(rows.length > 0 && rows.length < people.length * 3, `${rows.length} rows`)
      yield* sweepAll(noon).pipe(Effect.provide(storeIn(directory, { sweepRowsMax: 20 })))
      assert.deepStrictEqual(stored(directory), of(1, 2, 3, 4, 5, 6, 7, 8, 9))
    }),
  )
})
