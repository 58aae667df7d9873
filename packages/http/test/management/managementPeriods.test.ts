import { assert, layer } from "@effect/vitest"
import { byId, event, identify, noon } from "@inlethq/store-conformance/script/commands"
import { Catalog, type LogPageRequest } from "@inlethq/core/catalog/Catalog"
import { toIso } from "@inlethq/core/values/Timestamp"
import { Effect, Layer } from "effect"
import {
  apply,
  assertProblem,
  call,
  decodePage,
  memory,
  newWorkspace,
  readPages,
  server,
  serverWith,
  svcIdOf,
} from "./managementServer.ts"

const time = (minute: number) => toIso(noon + minute * 60_000)

/** Creates Ada and Bob in minute 0. Then records an event for each of them in every minute from 1 to 9. */
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

  it.effect("a list of one person's activity can be limited to a period", () =>
    Effect.gen(function* () {
      const { ada, path } = yield* workspaceWithMinutes
      const period = `since=${time(4)}&until=${time(6)}`
      assert.deepStrictEqual(yield* readPages(`${path}/people/${ada}/activity`, period, "name"), [
        "ada 5",
        "ada 4",
      ])
    }),
  )

  it.effect(
    "in a list of a period, a cursor from before the period continues with the first entry of the period, and a cursor from after the period returns no entries",
    () =>
      Effect.gen(function* () {
        const { path } = yield* workspaceWithMinutes
        const named = Effect.fnUntraced(function* (query: string) {
          const page = yield* decodePage((yield* call("GET", `${path}/activity?limit=2&${query}`)).json)
          return { names: page.items.map(({ name }) => name), next: page.next ?? "" }
        })
        const period = `since=${time(3)}&until=${time(5)}`
        for (const filter of ["", "&kind=event", "&filter=-kind:identify"]) {
          const oldest = (yield* named("order=asc")).next
          const newest = (yield* named("order=desc")).next
          const ascending = (after: string) => named(`order=asc&after=${after}&${period}${filter}`)
          const descending = (after: string) => named(`order=desc&after=${after}&${period}${filter}`)
          assert.deepStrictEqual((yield* ascending(oldest)).names, ["ada 3", "bob 3"])
          assert.deepStrictEqual((yield* descending(newest)).names, ["bob 4", "ada 4"])
          assert.deepStrictEqual(yield* ascending(newest), { names: [], next: "" })
          assert.deepStrictEqual(yield* descending(oldest), { names: [], next: "" })
        }
      }),
  )

  it.effect("a request for activity with an invalid time in its period gets a 400", () =>
    Effect.gen(function* () {
      const { path } = yield* workspaceWithMinutes
      const answer = yield* call("GET", `${path}/activity?until=soon`)
      assertProblem(answer, 400, "Bad Request", /until: Expected a time in ISO 8601/)
    }),
  )
})

/** The page requests of all reads of the log. */
let reads: Array<LogPageRequest> = []

const recordedCatalog = Layer.effect(
  Catalog,
  Effect.map(Catalog, (catalog) =>
    Catalog.of({
      ...catalog,
      activity: (workspace, filter, page) => {
        reads.push(page)
        return catalog.activity(workspace, filter, page)
      },
    }),
  ),
).pipe(Layer.provideMerge(memory))

layer(serverWith(recordedCatalog))("the reads of the log for a period", (it) => {
  it.effect(
    "reads of a period read only the log entries of the period, even with a filter that few entries match",
    () =>
      Effect.gen(function* () {
        const { path } = yield* workspaceWithMinutes
        for (const order of ["asc", "desc"]) {
          const period = `since=${time(3)}&until=${time(5)}`
          yield* call("GET", `${path}/activity?${period}&name=rare&order=${order}`)
        }
        // The search for the start and the end of the period reads one entry at a time. All other reads are pages.
        const pages = reads.filter(({ limit }) => limit > 1)
        const bounds = pages.map(({ after, end }) => [Number(after), Number(end)])
        assert.deepStrictEqual(bounds, [
          [6, 11],
          [11, 6],
        ])
      }),
  )

  it.effect(
    "pages after the first do not search the log again for the position where the first page of a period began",
    () =>
      Effect.gen(function* () {
        const { path } = yield* workspaceWithMinutes
        for (const [period, readsMax] of [
          [`since=${time(3)}&order=asc`, 3],
          [`until=${time(7)}&order=desc`, 2],
        ] as const) {
          const first = yield* decodePage((yield* call("GET", `${path}/activity?limit=2&${period}`)).json)
          reads = []
          yield* call("GET", `${path}/activity?limit=2&${period}&after=${first.next}`)
          assert.isAtMost(reads.length, readsMax, period)
        }
      }),
  )
})
