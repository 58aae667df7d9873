import { assert, layer } from "@effect/vitest"
import { byId, event, identify, noon } from "@inlet/store-conformance/commands"
import { toIso } from "@inlet/core/values/Timestamp"
import { Effect } from "effect"
import { apply, assertProblem, call, newWorkspace, readPages, server, svcIdOf } from "./managementServer.ts"

const time = (minute: number) => toIso(noon + minute * 60_000)

/** Records an identify of Ada, and then an event of Ada and of Bob in each minute. */
const workspaceWithMinutes = Effect.gen(function* () {
  const workspace = yield* newWorkspace
  const at = (minute: number) => ({ in: workspace, receivedAt: noon + minute * 60_000 })
  const [ada] = yield* apply(identify(byId("ada"), [], at(0)), identify(byId("bob"), [], at(0)))
  if (ada === undefined) return assert.fail("nothing was recorded")
  for (let minute = 1; minute <= 9; minute++) {
    yield* apply(
      event(byId("ada"), `ada ${minute}`, at(minute)),
      event(byId("bob"), `bob ${minute}`, at(minute)),
    )
  }
  return { path: `/workspaces/${workspace.id}`, ada: svcIdOf(ada) }
})

layer(server)("a period of activity in the management API", (it) => {
  it.effect("a period includes its start and excludes its end, in both orders and on all pages", () =>
    Effect.gen(function* () {
      const { path } = yield* workspaceWithMinutes
      const named = (query: string) => readPages(`${path}/activity`, query, "name")
      const found = ["ada 3", "bob 3", "ada 4", "bob 4"]
      const period = `since=${time(3)}&until=${time(5)}`
      assert.deepStrictEqual(yield* named(`${period}&order=asc`), found)
      assert.deepStrictEqual(yield* named(period), found.toReversed())
      assert.deepStrictEqual(yield* named(`since=${time(9)}`), ["bob 9", "ada 9"])
      assert.deepStrictEqual(yield* named(`until=${time(1)}`), [null, null])
      for (const empty of [`until=${time(0)}`, `since=${time(10)}`, `since=${time(5)}&until=${time(5)}`]) {
        assert.deepStrictEqual([empty, yield* named(empty)], [empty, []])
        assert.deepStrictEqual([empty, yield* named(`${empty}&order=asc`)], [empty, []])
      }
    }),
  )

  it.effect(
    "a period can be combined with a filter that the store applies, and with a filter that the server applies afterwards",
    () =>
      Effect.gen(function* () {
        const { path } = yield* workspaceWithMinutes
        const named = (query: string) =>
          readPages(`${path}/activity`, `since=${time(2)}&until=${time(4)}&${query}`, "name")
        assert.deepStrictEqual(yield* named("kind=event&name=ada%203"), ["ada 3"])
        assert.deepStrictEqual(yield* named("name=ada%207"), [])
        assert.deepStrictEqual(yield* named("filter=name:bob*"), ["bob 3", "bob 2"])
        assert.deepStrictEqual(yield* named("filter=name:bob*&order=asc"), ["bob 2", "bob 3"])
      }),
  )

  it.effect("a period selects entries of one person", () =>
    Effect.gen(function* () {
      const { ada, path } = yield* workspaceWithMinutes
      const period = `since=${time(4)}&until=${time(6)}`
      assert.deepStrictEqual(yield* readPages(`${path}/people/${ada}/activity`, period, "name"), [
        "ada 5",
        "ada 4",
      ])
    }),
  )

  it.effect("a request with an invalid time gets a 400", () =>
    Effect.gen(function* () {
      const { path } = yield* workspaceWithMinutes
      const answer = yield* call("GET", `${path}/activity?until=soon`)
      assertProblem(answer, 400, "Bad Request", /until: Expected a time in ISO 8601/)
    }),
  )
})
