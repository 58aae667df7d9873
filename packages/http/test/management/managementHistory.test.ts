import { assert, layer } from "@effect/vitest"
import {
  addDevice,
  byAnonymousId,
  byId,
  deleteObject,
  event,
  identify,
  merge,
  objectOf,
  remove,
} from "@inlethq/store-conformance/script/commands"
import { sweepAll } from "@inlethq/store-conformance/script/scenario"
import { Sequence } from "@inlethq/core/values/Identifier"
import { Effect } from "effect"
import {
  apply,
  assertProblem,
  call,
  client,
  newWorkspace,
  receivedAt,
  server,
  svcIdOf,
} from "./managementServer.ts"

/** A life in five operations, at the log positions 1 to 5. */
const life = Effect.gen(function* () {
  const workspace = yield* newWorkspace
  const within = { in: workspace }
  const entries = yield* apply(
    identify(byId("ada"), [["plan", "free"]], within),
    identify(byId("bob"), [["city", "Paris"]], { in: workspace, relatedTo: [[objectOf("1", "acme")]] }),
    identify(byId("ada"), [["plan", "pro"]], { in: workspace, email: "ada@example.com" }),
    merge(byId("ada"), byId("bob"), within),
    addDevice(byId("ada"), "phone", [], within),
  )
  const [ada, bob] = entries.map(svcIdOf)
  return { workspace, ada: ada ?? "", bob: bob ?? "" }
})

layer(server)("people as they were in the management API", (it) => {
  it.effect("shows a person as they were at each position of the log", () =>
    Effect.gen(function* () {
      const { ada: svc_id, workspace } = yield* life
      const api = yield* client
      const params = { w: workspace.id, svc_id }
      const then = yield* Effect.forEach([1, 2, 3, 4, 5, 9], (position) =>
        Effect.map(api.people.get({ params, query: { position: Sequence.make(position) } }), (found) => [
          found.attributes,
          found.email,
          found.relationships.length,
          found.devices.length,
          found.as_of?.position,
        ]),
      )
      const before = { plan: "free" }
      const after = { plan: "pro" }
      const merged = { plan: "pro", city: "Paris" }
      const email = "ada@example.com"
      assert.deepStrictEqual(then, [
        [before, null, 0, 0, 1],
        [before, null, 0, 0, 2],
        [after, email, 0, 0, 3],
        [merged, email, 1, 0, 4],
        [merged, email, 1, 1, 5],
        [merged, email, 1, 1, 9],
      ])
      const now = yield* api.people.get({ params, query: { at: "2199-01-01T00:00:00Z" } })
      const { as_of: _, ...shown } = now
      assert.deepStrictEqual(shown, yield* api.people.get({ params, query: {} }))
    }),
  )

  it.effect("answers 404 for a time before the person and for deleted people, and 400 for two moments", () =>
    Effect.gen(function* () {
      const { ada, bob, workspace } = yield* life
      const path = `/workspaces/${workspace.id}/people`
      const none = /no such person then/
      assertProblem(yield* call("GET", `${path}/${ada}?at=2000-01-01T00:00:00Z`), 404, "Not Found", none)
      assertProblem(yield* call("GET", `${path}/${bob}?position=1`), 404, "Not Found", none)
      const both = yield* call("GET", `${path}/${ada}?position=1&at=2026-01-01T00:00:00Z`)
      assertProblem(both, 400, "Bad Request", /`position` or `at`, not both/)
      assertProblem(yield* call("GET", `${path}/${ada}?position=x`), 400, "Bad Request", /position/)
      yield* apply(remove(byId("ada"), { in: workspace }))
      assertProblem(yield* call("GET", `${path}/${ada}?position=3`), 404, "Not Found", none)
    }),
  )

  it.effect("answers 410 with the beginning of the history for a moment before it", () =>
    Effect.gen(function* () {
      const { ada, workspace } = yield* life
      const days = 24 * 60 * 60 * 1000
      yield* sweepAll(Date.parse(receivedAt) + 31 * days)
      yield* apply(identify(byId("ada"), [["plan", "max"]], { in: workspace }))
      const path = `/workspaces/${workspace.id}/people/${ada}`
      const gone = /the history of this workspace begins after position 5/
      assertProblem(yield* call("GET", `${path}?position=4`), 410, "Gone", gone)
      assertProblem(yield* call("GET", `${path}?at=2020-01-01T00:00:00Z`), 410, "Gone", gone)
      const api = yield* client
      const params = { w: workspace.id, svc_id: ada }
      const { attributes } = yield* api.people.get({ params, query: { position: Sequence.make(5) } })
      assert.strictEqual(attributes["plan"], "pro")
    }),
  )
})

layer(server)("undoing merges in the management API", (it) => {
  it.effect("contract §6 unmerge: lists a merge, shows what undoing it would do, and undoes it", () =>
    Effect.gen(function* () {
      const { ada, bob, workspace } = yield* life
      const api = yield* client
      const params = { w: workspace.id, svc_id: ada }
      const { items } = yield* api.merges.list({ params, query: {} })
      assert.deepStrictEqual(
        items.map(({ position, secondary }) => [position, secondary]),
        [[4, { svc_id: bob, id: "bob", email: null }]],
      )
      const preview = yield* api.merges.unmergePreview({ params, query: { secondary: bob } })
      assert.deepStrictEqual([preview.outcome, preview.stays], ["applied", []])
      const unmerge = {
        type: "person",
        action: "unmerge",
        primary: { id: "ada" },
        secondary: { svc_id: bob },
      }
      const path = `/workspaces/${workspace.id}/operations`
      assert.strictEqual((yield* call("POST", path, { body: unmerge })).status, 200)
      const person = Effect.fnUntraced(function* (svc_id: string) {
        // Only the page of a person has where they were last seen.
        const { last_seen: _, ...shown } = yield* api.people.get({
          params: { w: workspace.id, svc_id },
          query: {},
        })
        return shown
      })
      assert.deepStrictEqual(yield* person(ada), preview.after?.primary)
      const back = yield* person(bob)
      assert.deepStrictEqual(back, preview.after?.secondary)
      assert.deepStrictEqual(
        [back.id, back.attributes, back.relationships.length],
        ["bob", { city: "Paris" }, 1],
      )
      assert.deepStrictEqual((yield* person(ada)).attributes, { plan: "pro" })
      assertProblem(yield* call("POST", path, { body: unmerge }), 404, "Not Found", /no such merge/)
      const bare = { type: "person", action: "unmerge", primary: { id: "ada" } }
      assertProblem(yield* call("POST", path, { body: bare }), 400, "Bad Request", /to undo a merge/)
      const divided = { ...unmerge, divide: "yes" }
      assertProblem(yield* call("POST", path, { body: divided }), 400, "Bad Request", /^divide must be/)
    }),
  )

  it.effect(
    "contract §6 unmerge: returns the events since the merge that named the secondary, if asked",
    () =>
      Effect.gen(function* () {
        const { ada, workspace } = yield* life
        const within = { in: workspace }
        const [created] = yield* apply(
          identify(byId("eve"), [], { in: workspace, anonymousId: "cookie" }),
          merge(byId("ada"), byId("eve"), within),
          event(byId("ada"), "hers", within),
          event(byAnonymousId("cookie"), "theirs", within),
        )
        const eve = svcIdOf(created)
        const api = yield* client
        const params = { w: workspace.id, svc_id: ada }
        const { items } = yield* api.people.activity({ params, query: { kind: "event", limit: 2 } })
        assert.deepStrictEqual(
          items.map(({ name, via }) => [name, via?.svc_id]),
          [
            ["theirs", eve],
            ["hers", undefined],
          ],
        )
        const preview = yield* api.merges.unmergePreview({
          params,
          query: { secondary: eve, divide: "true" },
        })
        assert.deepStrictEqual([preview.outcome, preview.after?.secondary.id], ["applied", "eve"])
        const unmerge = {
          type: "person",
          action: "unmerge",
          primary: { id: "ada" },
          secondary: { svc_id: eve },
          divide: true,
        }
        const path = `/workspaces/${workspace.id}/operations`
        assert.strictEqual((yield* call("POST", path, { body: unmerge })).status, 200)
        const eventsOf = (svc_id: string) =>
          Effect.map(
            api.people.activity({ params: { w: workspace.id, svc_id }, query: { kind: "event" } }),
            ({ items }) => items.map(({ name }) => name),
          )
        assert.deepStrictEqual(yield* eventsOf(eve), ["theirs"])
        assert.include(yield* eventsOf(ada), "hers")
        assert.notInclude(yield* eventsOf(ada), "theirs")
      }),
  )

  it.effect(
    "contract §6 unmerge: lists only the last merge of somebody who came back and was merged again",
    () =>
      Effect.gen(function* () {
        const { ada, bob, workspace } = yield* life
        const api = yield* client
        const path = `/workspaces/${workspace.id}/operations`
        const unmerge = {
          type: "person",
          action: "unmerge",
          primary: { id: "ada" },
          secondary: { svc_id: bob },
        }
        assert.strictEqual((yield* call("POST", path, { body: unmerge })).status, 200)
        const [again] = yield* apply(merge(byId("ada"), byId("bob"), { in: workspace }))
        yield* apply(
          identify(byId("eve"), [], { in: workspace }),
          merge(byId("ada"), byId("eve"), { in: workspace }),
        )
        const params = { w: workspace.id, svc_id: ada }
        const page = (query: {
          readonly order?: "asc"
          readonly limit?: number
          readonly after?: Sequence
        }) =>
          Effect.map(api.merges.list({ params, query }), ({ items, next }) => ({
            next,
            names: items.map(({ position, secondary }) => [position, secondary.id]),
          }))
        const ofBob = [Number(again?.sequence), "bob"]
        const ofEve = [Number(again?.sequence) + 2, "eve"]
        assert.deepStrictEqual((yield* page({})).names, [ofEve, ofBob])
        const first = yield* page({ limit: 1, order: "asc" })
        assert.deepStrictEqual(first.names, [ofBob])
        assert.isNotNull(first.next)
        const rest = yield* page({ order: "asc", ...(first.next !== null && { after: first.next }) })
        assert.deepStrictEqual([rest.names, rest.next], [[ofEve], null])
      }),
  )

  it.effect("contract §6 unmerge: previews who has an identifier since, and what was deleted", () =>
    Effect.gen(function* () {
      const { ada, bob, workspace } = yield* life
      const within = { in: workspace }
      const entries = yield* apply(
        identify(byId("bob"), [], within),
        deleteObject(objectOf("1", "acme"), within),
      )
      const [other] = entries.map(svcIdOf)
      const api = yield* client
      const query = { secondary: bob }
      const params = { w: workspace.id, svc_id: ada }
      const { outcome, stays } = yield* api.merges.unmergePreview({ params, query })
      assert.deepStrictEqual(
        [outcome, stays.map(({ other: owner, path }) => [path, owner])],
        [
          "partial",
          [
            ["id", other],
            ["relationships", null],
          ],
        ],
      )
    }),
  )
})
