import { assert, describe, it } from "@effect/vitest"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { ExportFiles } from "@inlethq/core/ports/ExportFiles"
import { Registry } from "@inlethq/core/ports/Registry"
import { Store } from "@inlethq/core/ports/Store"
import type { SubjectKey } from "@inlethq/core/values/Identifier"
import { defaultSettings } from "@inlethq/core/workspace/Workspace"
import { byId, identify, remove } from "@inlethq/store-conformance/script/commands"
import { Deferred, Effect, Exit, Fiber, Scope, Stream } from "effect"
import { checkingMax, encodeKeys, ExportChecks } from "../../src/appApi/ExportChecks.ts"
import { madeFile, type ExportJob } from "../../src/appApi/ExportJob.ts"
import { apply, memory } from "../management/managementServer.ts"

const jobAfter = (id: number, after: number): ExportJob => ({
  id,
  type: "customers",
  status: "done",
  createdAt: 0,
  updatedAt: 0,
  total: 1,
  after,
  filters: null,
  deliveries: null,
  attributes: null,
})

/** A workspace in which bob was deleted, and checks whose looks at people wait for `release`. `scope` is that of the checks. */
const slowChecks = Effect.gen(function* () {
  const workspace = yield* Registry.use((registry) => registry.createWorkspace(defaultSettings("test", "us")))
  const own = { workspace }
  yield* apply({ ...identify(byId("ada"), []), ...own }, { ...identify(byId("bob"), []), ...own })
  yield* apply({ ...remove(byId("bob")), ...own })
  const catalog = yield* Catalog
  const files = yield* ExportFiles
  const { items } = yield* catalog.people(workspace.id, null, { limit: 1, after: null, order: "asc" })
  const keys = new Set<SubjectKey>(items.map(({ person }) => person.key))
  const release = yield* Deferred.make<void>()
  const looking: Array<number> = []
  const slow: Catalog["Service"] = {
    ...catalog,
    ownersAmong: Effect.fnUntraced(function* (of, among) {
      looking.push(among.size)
      yield* Deferred.await(release)
      return yield* catalog.ownersAmong(of, among)
    }),
  }
  const scope = yield* Scope.make()
  const checks = yield* Scope.provide(ExportChecks.make({ catalog: slow, files, store: yield* Store }), scope)
  const isErased = Effect.fnUntraced(function* (job: ExportJob) {
    yield* files.save(madeFile(workspace.id, job, "keys"), Stream.succeed(encodeKeys(keys)))
    return yield* checks.isErased(workspace.id, job)
  })
  return { isErased, looking, release, scope }
})

describe("the checks of exports", () => {
  it.effect("that look at people hold up no check that does not", () =>
    Effect.gen(function* () {
      const { isErased, looking, release } = yield* slowChecks
      const slow = yield* Effect.forEach(Array.from({ length: checkingMax + 1 }), (_, id) =>
        Effect.forkChild(isErased(jobAfter(id, 1))),
      )
      yield* Effect.repeat(Effect.yieldNow, { until: () => looking.length >= checkingMax })
      assert.isFalse(yield* isErased(jobAfter(100, 3)))
      assert.strictEqual(looking.length, checkingMax, "the others wait")
      yield* Deferred.succeed(release, undefined)
      assert.deepStrictEqual(
        yield* Effect.forEach(slow, (one) => Fiber.join(one)),
        slow.map(() => false),
      )
    }).pipe(Effect.provide(memory)),
  )

  it.effect("are waited for by nobody once the server ends", () =>
    Effect.gen(function* () {
      const { isErased, looking, scope } = yield* slowChecks
      const asked = yield* Effect.forEach([1, 1, 2], (id) => Effect.forkChild(isErased(jobAfter(id, 1))))
      yield* Effect.repeat(Effect.yieldNow, { until: () => looking.length >= 2 })
      yield* Scope.close(scope, Exit.void)
      for (const one of asked) assert.isTrue(Exit.isFailure(yield* Fiber.await(one)))
      for (const id of [1, 1, 3]) {
        assert.isTrue(Exit.isFailure(yield* Effect.exit(isErased(jobAfter(id, 1)))))
      }
    }).pipe(Effect.provide(memory)),
  )
})
