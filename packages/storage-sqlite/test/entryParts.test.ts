import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { ActivityKind } from "@inlethq/core/log/ActivityEntry"
import {
  byAnonymousId,
  byId,
  identify,
  noon,
  objectOf,
  reject,
  relatePeople,
  unrelatePeople,
} from "@inlethq/store-conformance/script/commands"
import { activity, apply, load, personBy, sweepAll } from "@inlethq/store-conformance/script/scenario"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { runEntries } from "../src/log/runs.ts"
import { storeIn, temporaryDirectory } from "./temporary.ts"

const acme = objectOf("1", "acme")
const day = 24 * 60 * 60 * 1000

const countOf = (directory: string, table: string): unknown => {
  const file = new DatabaseSync(join(directory, "inlet.db"), { readOnly: true })
  const count = file.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.["count"]
  file.close()
  return count
}

describe("entries about an object", () => {
  it.effect(
    "entries about an object appear in order in the activity of the people that they name, before and after the entries are indexed",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        yield* Effect.gen(function* () {
          yield* apply(identify(byId("ada")), identify(byId("bob")))
          const expected: Array<ActivityKind> = ["identify"]
          const both = [[byId("bob")], [byId("ada")], [byAnonymousId("cookie")]] as const
          const expectAll = Effect.fnUntraced(function* () {
            const ada = yield* personBy({ kind: "id", value: "ada" })
            for (const limit of [1, 3, 100]) {
              const up = yield* activity({ person: ada }, { limit })
              assert.deepStrictEqual(
                up.map(({ kind }) => kind),
                expected,
              )
              assert.deepStrictEqual(
                yield* activity({ person: ada }, { limit, order: "desc" }),
                up.toReversed(),
              )
            }
          })
          for (let run = 1; run <= 3; run++) {
            const { nextSequence } = yield* load({})
            yield* apply(...Array.from({ length: run * runEntries - 2 - nextSequence }, () => reject()))
            yield* apply(
              relatePeople(acme, both),
              identify(byId("ada"), [["run", run]]),
              unrelatePeople(acme, both),
              relatePeople(acme, both),
            )
            expected.push("add_relationships", "identify", "delete_relationships", "add_relationships")
            yield* expectAll()
            if (run < 3) yield* sweepAll(noon)
          }
          yield* expectAll()
          yield* sweepAll(noon)
          yield* expectAll()
          yield* sweepAll(noon + 31 * day)
        }).pipe(Effect.provide(storeIn(directory)))
        const left = ["activity", "entry_parts", "timeline"].map((table) => countOf(directory, table))
        assert.deepStrictEqual(left, [0, 0, 0], "after pruning")
      }),
  )
})
