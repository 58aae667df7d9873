import {
  ImportId,
  ImportJobs,
  importsUnfinishedMax,
  noCounts,
  type ImportJob,
} from "@inlethq/core/ports/ImportJobs"
import type { Store } from "@inlethq/core/ports/Store"
import { namedDigests } from "@inlethq/core/decision/namedDigests"
import { SubjectKey, svcIdText, type WorkspaceId } from "@inlethq/core/values/Identifier"
import { Effect, Option } from "effect"
import { byId, first, identify, noon, remove, second } from "../script/commands.ts"
import { expectSame, type Law } from "../script/Law.ts"
import { apply, load } from "../script/scenario.ts"

const idOf = (n: number): ImportId => ImportId.make(`imp_${String(n).padStart(9, "0")}`)

/** Returns an import that waits. */
export const importJob = (n: number, workspace: WorkspaceId = first.id): ImportJob => ({
  workspace,
  id: idOf(n),
  kind: "people",
  state: "waiting",
  name: `file ${n} \u0000 ü.csv`,
  key: null,
  digest: "digest",
  bytes: n,
  createdAt: noon + n,
  startedAt: null,
  endedAt: null,
  actor: { kind: "token", id: "installation", name: null },
  sender: null,
  after: 0,
  counts: noCounts,
  failure: null,
  runner: null,
  version: 1,
})

const idsOf = (jobs: ReadonlyArray<ImportJob>) => jobs.map(({ id }) => id)

/** The properties that every store must have in the handling of imports that the server goes on with. */
export const importLaws: ReadonlyArray<Law<ImportJobs | Store>> = [
  {
    name: "forgets errors of lines that name somebody who is erased, whichever identifier the deletion has",
    check: Effect.gen(function* () {
      const jobs = yield* ImportJobs
      const { digest } = yield* load({})
      const ada = svcIdText(first.id, SubjectKey.make(1))
      const lines = [["ada"], ["Ada@Example.com"], ["bob", "Ada@example.com"], [ada], ["bob"], []]
      const errors = lines.map((texts, index) => ({
        number: index + 1,
        line: index + 1,
        message: `wrong ${texts.join(" ")}`,
        names: texts.flatMap((text) => namedDigests(digest, first.id, text)),
      }))
      const left = Effect.map(jobs.errors(first.id, idOf(1), { after: 0, limit: 99 }), (found) =>
        found.map(({ number }) => number),
      )
      yield* apply(identify(byId("ada"), [], { email: "ada@example.com" }))
      yield* jobs.add(importJob(1))
      yield* jobs.add(importJob(2, second.id))
      yield* jobs.save({ ...importJob(1), after: 1 }, errors)
      yield* jobs.save(importJob(2, second.id), errors)
      yield* expectSame("before", yield* left, [1, 2, 3, 4, 5, 6])
      yield* apply(remove(byId("ada")))
      yield* expectSame("after the deletion", yield* left, [5, 6])
      const late = errors.map((error) => ({ ...error, number: error.number + 6 }))
      yield* jobs.save({ ...importJob(1), version: 2, after: 1 }, late)
      yield* expectSame("saved after the deletion", yield* left, [5, 6, 11, 12])
      const elsewhere = yield* jobs.errors(second.id, idOf(2), { after: 0, limit: 99 })
      yield* expectSame("elsewhere", elsewhere.length, errors.length)
      yield* apply(remove(byId("bob")))
      yield* expectSame("after a deletion of nobody", yield* left, [6, 12])
      yield* apply(identify(byId("ada")))
      yield* jobs.add(importJob(3))
      yield* jobs.save({ ...importJob(3), after: 9 }, errors.slice(0, 1))
      const again = yield* jobs.errors(first.id, idOf(3), { after: 0, limit: 99 })
      yield* expectSame("an import that began after the deletion", again.length, 1)
      const done = { ...importJob(3), after: 9, version: 2, state: "done", endedAt: noon } as const
      yield* jobs.save(done, [])
      while (!(yield* jobs.prune(noon + 1))) continue
      yield* apply(remove(byId("ada")))
    }),
  },
  {
    name: "lists the imports of a workspace page by page, in both orders",
    check: Effect.gen(function* () {
      const jobs = yield* ImportJobs
      for (const n of [1, 2, 3]) yield* jobs.add(importJob(n))
      yield* jobs.add(importJob(4, second.id))
      const newest = yield* jobs.list(first.id, { limit: 2, after: null, order: "desc" })
      yield* expectSame("newest", newest, { items: [importJob(3), importJob(2)], next: idOf(2) })
      const rest = yield* jobs.list(first.id, { limit: 2, after: newest.next, order: "desc" })
      yield* expectSame("rest", rest, { items: [importJob(1)], next: null })
      const oldest = yield* jobs.list(first.id, { limit: 2, after: idOf(1), order: "asc" })
      yield* expectSame("ascending", oldest, { items: [importJob(2), importJob(3)], next: null })
      yield* expectSame("found", yield* jobs.find(second.id, idOf(4)), Option.some(importJob(4, second.id)))
      yield* expectSame("of another workspace", yield* jobs.find(second.id, idOf(1)), Option.none())
    }),
  },
  {
    name: "saves only the first of two changes of the same version, with its errors",
    check: Effect.gen(function* () {
      const jobs = yield* ImportJobs
      yield* jobs.add(importJob(1))
      const counts = { ...noCounts, rows: 2, failed: 1, errors: 1 }
      const running: ImportJob = { ...importJob(1), state: "running", counts }
      const errors = [{ number: 1, line: 3, message: "wrong \u0000" }]
      const named = errors.map((error) => ({ ...error, names: [] }))
      yield* expectSame("first", yield* jobs.save(running, named), true)
      const late = { ...importJob(1), state: "cancelling" } as const
      yield* expectSame(
        "second",
        yield* jobs.save(late, [{ number: 1, line: 9, message: "other", names: [] }]),
        false,
      )
      yield* expectSame("saved", yield* jobs.find(first.id, idOf(1)), Option.some({ ...running, version: 2 }))
      yield* expectSame("errors", yield* jobs.errors(first.id, idOf(1), { after: 0, limit: 9 }), errors)
      yield* expectSame("later errors", yield* jobs.errors(first.id, idOf(1), { after: 1, limit: 9 }), [])
      yield* expectSame("unknown", yield* jobs.save(importJob(7), []), false)
    }),
  },
  {
    name: "refuses more unfinished imports than a workspace may have, and forgets ended ones after their time",
    check: Effect.gen(function* () {
      const jobs = yield* ImportJobs
      for (let n = 1; n <= importsUnfinishedMax; n++) {
        yield* expectSame("added", yield* jobs.add(importJob(n)), true)
      }
      yield* expectSame("one too many", yield* jobs.add(importJob(90)), false)
      yield* expectSame("elsewhere", yield* jobs.add(importJob(91, second.id)), true)
      const ended: ImportJob = { ...importJob(1), state: "done", endedAt: noon }
      yield* jobs.save(ended, [{ number: 1, line: 1, message: "an error", names: ["name"] }])
      yield* expectSame("after one has ended", yield* jobs.add(importJob(92)), true)
      yield* expectSame("unfinished", idsOf(yield* jobs.unfinished(2)), [idOf(2), idOf(3)])
      while (!(yield* jobs.prune(noon))) continue
      yield* expectSame("kept", Option.isSome(yield* jobs.find(first.id, idOf(1))), true)
      while (!(yield* jobs.prune(noon + 1))) continue
      yield* expectSame("forgotten", yield* jobs.find(first.id, idOf(1)), Option.none())
      yield* expectSame("its errors", yield* jobs.errors(first.id, idOf(1), { after: 0, limit: 9 }), [])
    }),
  },
]
