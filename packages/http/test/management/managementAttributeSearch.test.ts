import { assert, layer } from "@effect/vitest"
import { byId, identify } from "@inlethq/store-conformance/script/commands"
import { Effect, Schema } from "effect"
import { apply, assertProblem, call, newWorkspace, readPages, server } from "./managementServer.ts"

const decodePage = Schema.decodeUnknownEffect(
  Schema.Struct({
    items: Schema.Array(Schema.Record(Schema.String, Schema.Json)),
    next: Schema.NullOr(Schema.String),
    searched: Schema.Int,
  }),
)

layer(server)("a search of people by attribute in the management API", (it) => {
  it.effect("a page of people with large documents ends after one MiB, and the next page continues", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const names = Array.from({ length: 30 }, (_, n) => `p${n}`)
      const large = Array.from({ length: 60 }, (_, n) => [`a${n}`, "x".repeat(990)] as const)
      for (const name of names) yield* apply(identify(byId(name), large, { in: workspace }))
      const path = `/workspaces/${workspace.id}/people?attribute=a0&order=asc&limit=100`
      const first = yield* decodePage((yield* call("GET", path)).json)
      assert.isBelow(JSON.stringify(first.items).length, 1.2 * 1024 * 1024)
      assert.isAbove(first.items.length, 1)
      const rest = yield* decodePage((yield* call("GET", `${path}&after=${first.next}`)).json)
      assert.deepStrictEqual(
        [...first.items, ...rest.items].map(({ id }) => id),
        names,
      )
    }),
  )

  it.effect("a search by attribute finds people with a text, a number, a list or any value", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const given = { in: workspace }
      yield* apply(
        identify(
          byId("ada"),
          [
            ["plan", "pro"],
            ["seats", 12],
            ["tags", ["a", 1]],
          ],
          given,
        ),
        identify(
          byId("bob"),
          [
            ["plan", "free"],
            ["seats", "12"],
            ["vip", true],
          ],
          given,
        ),
        identify(
          byId("cyd"),
          [
            ["plan", "pro"],
            ["vip", false],
          ],
          given,
        ),
        identify(byId("dan"), [], given),
        identify(byId("eve"), [["billing", { tier: "pro", seats: [{ n: 7 }], note: null }]], given),
        identify(byId("fay"), [["billing.tier", "pro"]], given),
      )
      const found = (query: string) => readPages(`/workspaces/${workspace.id}/people`, query, "id")
      assert.deepStrictEqual(yield* found("attribute=plan&value=pro"), ["cyd", "ada"])
      assert.deepStrictEqual(yield* found("attribute=plan&value=pro&order=asc"), ["ada", "cyd"])
      assert.deepStrictEqual(yield* found("attribute=plan"), ["cyd", "bob", "ada"])
      assert.deepStrictEqual(yield* found("attribute=seats&value=12"), ["bob", "ada"])
      assert.deepStrictEqual(yield* found("attribute=tags&value=%5B%22a%22%2C1%5D"), ["ada"])
      assert.deepStrictEqual(yield* found("attribute=vip&value=false"), ["cyd"])
      assert.deepStrictEqual(yield* found("attribute=plan&value=Pro"), [])
      assert.deepStrictEqual(yield* found("attribute=toString"), [])
      assert.deepStrictEqual(yield* found("attribute=billing.tier&value=pro"), ["fay", "eve"])
      assert.deepStrictEqual(yield* found("attribute=billing.seats.0.n&value=7"), ["eve"])
      assert.deepStrictEqual(yield* found("attribute=billing.seats"), ["eve"])
      for (const nothing of [
        "billing.note",
        "billing.toString",
        "billing.seats.length",
        "plan.length",
        "billing.",
      ]) {
        assert.deepStrictEqual(yield* found(`attribute=${nothing}`), [], nothing)
      }
    }),
  )

  it.effect(
    "a search by attribute checks at most 5,000 people for a page, says how many it checked, and continues on the next page",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        const given = { in: workspace }
        yield* apply(identify(byId("first"), [["plan", "pro"]], given))
        for (let chunk = 0; chunk < 5; chunk++) {
          const people = Array.from({ length: 1000 }, (_, i) => identify(byId(`p${chunk}-${i}`), [], given))
          yield* apply(...people)
        }
        const path = `/workspaces/${workspace.id}/people?attribute=plan&value=pro`
        const first = yield* decodePage((yield* call("GET", path)).json)
        assert.deepStrictEqual([first.items.length, first.searched], [0, 5000])
        const second = yield* decodePage((yield* call("GET", `${path}&after=${first.next}`)).json)
        assert.deepStrictEqual(
          [second.items.map(({ id }) => id), second.searched, second.next],
          [["first"], 1, null],
        )
      }),
  )

  it.effect("a filter of people holds words, identifiers, attributes and what is excluded, all at once", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const given = { in: workspace }
      yield* apply(
        identify(
          byId("p1"),
          [
            ["name", "Ada King Lovelace"],
            ["plan", "pro"],
            ["tags", ["a", "b"]],
          ],
          {
            ...given,
            email: "ada.lovelace@example.com",
          },
        ),
        identify(
          byId("p2"),
          [
            ["first_name", "Zoë"],
            ["last_name", "Müller"],
            ["plan", "Pro"],
          ],
          given,
        ),
        identify(
          byId("p3"),
          [
            ["billing", { tier: "pro" }],
            ["unsubscribed", true],
          ],
          given,
        ),
      )
      const found = (filter: string) =>
        readPages(`/workspaces/${workspace.id}/people`, `filter=${encodeURIComponent(filter)}`, "id")
      assert.deepStrictEqual(yield* found("lovelace ada"), ["p1"])
      assert.deepStrictEqual(yield* found("velace@exam"), ["p1"])
      assert.deepStrictEqual(yield* found("muller zoe"), ["p2"])
      assert.deepStrictEqual(yield* found("plan:pro"), ["p2", "p1"])
      assert.deepStrictEqual(yield* found("plan:pro -king tags:b"), [])
      assert.deepStrictEqual(yield* found("tags:b"), ["p1"])
      assert.deepStrictEqual(yield* found("billing.tier:pro is:unsubscribed"), ["p3"])
      assert.deepStrictEqual(yield* found("email:*@example.com"), ["p1"])
      assert.deepStrictEqual(yield* found("-plan:pro"), ["p3"])
      assert.deepStrictEqual(yield* found("id:p2,p3"), ["p3", "p2"])
      assert.deepStrictEqual(yield* found("toString:x"), [])
    }),
  )

  it.effect(
    "a search by attribute is refused if it is combined with another search, or lacks the name of the attribute",
    () =>
      Effect.gen(function* () {
        const { id } = yield* newWorkspace
        const both = yield* call("GET", `/workspaces/${id}/people?attribute=plan&q=ada`)
        assertProblem(both, 400, "Bad Request", /at most one of/)
        const unnamed = yield* call("GET", `/workspaces/${id}/people?value=pro`)
        assertProblem(unnamed, 400, "Bad Request", /`value` needs `attribute`/)
      }),
  )
})
