import { assert, layer } from "@effect/vitest"
import { byId, identify, remove, suppress } from "@inlethq/store-conformance/script/commands"
import { joinSegment } from "@inlethq/store-conformance/script/segmentCommands"
import { Effect } from "effect"
import { apply, assertProblem, call, client, newWorkspace, readPages, server } from "./managementServer.ts"

layer(server)("segments in the management API", (it) => {
  it.effect("contract §12: the management API creates a manual segment with an integer id", () =>
    Effect.gen(function* () {
      const { id } = yield* newWorkspace
      const path = `/workspaces/${id}/segments`
      const created = yield* call("POST", path, { body: { name: "VIP", description: "who pays most" } })
      assert.strictEqual(created.status, 201)
      const { items } = yield* (yield* client).segments.list({ params: { w: id }, query: {} })
      const [segment] = items
      if (segment === undefined) return assert.fail("the list is empty")
      const { segment_id } = segment
      const document = {
        segment_id,
        name: "VIP",
        description: "who pays most",
        kind: "manual",
        size: 0,
        state: null,
        version: null,
        rule: null,
        next: null,
        progress: null,
      }
      assert.deepStrictEqual(created.json, document)
      assert.deepStrictEqual((yield* call("GET", `${path}/${segment_id}`)).json, document)
      assert.deepStrictEqual((yield* call("GET", path)).json, { items: [document], next: null })
      for (const body of [{ name: "n" }, { name: "n", description: null }]) {
        const answer = yield* call("POST", path, { body })
        assert.strictEqual(answer.status, 201)
        assert.propertyVal(answer.json, "description", null)
      }
    }),
  )

  it.effect("the management API adds a person to a segment and removes the person again", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const { id } = workspace
      yield* apply(identify(byId("ada"), [], { in: workspace }))
      const api = yield* client
      const { segment_id } = yield* api.segments.create({ params: { w: id }, payload: { name: "s" } })
      const [ada] = (yield* api.people.list({ params: { w: id }, query: {} })).items
      const params = { w: id, segment_id, svc_id: ada?.svc_id ?? "" }
      const size = Effect.map(api.segments.get({ params }), (segment) => segment.size)
      for (const expected of [1, 1]) {
        yield* api.segments.addPerson({ params })
        assert.strictEqual(yield* size, expected)
      }
      yield* api.segments.removePerson({ params })
      assert.strictEqual(yield* size, 0)
      const missing = `/workspaces/${id}/segments/${segment_id}/people/p199`
      assertProblem(yield* call("PUT", missing), 404, "Not Found", /person not found/)
      const wrong = `/workspaces/${id}/segments/999999/people/${params.svc_id}`
      assertProblem(yield* call("PUT", wrong), 404, "Not Found", /segment not found/)
    }),
  )

  it.effect("the management API refuses to add a person to more segments than the limit", () =>
    Effect.gen(function* () {
      const api = yield* client
      const { id } = yield* newWorkspace
      const params = { w: id }
      const limits = { segments_per_person: 1 }
      yield* call("PATCH", `/workspaces/${id}`, { body: { limits } })
      const operation = { type: "person", action: "identify", identifiers: { id: "ada" } }
      yield* call("POST", `/workspaces/${id}/operations`, { body: operation })
      const [ada] = (yield* api.people.list({ params, query: {} })).items
      const statuses: Array<number> = []
      for (const name of ["first", "second"]) {
        const { segment_id } = yield* api.segments.create({ params, payload: { name } })
        const path = `/workspaces/${id}/segments/${segment_id}/people/${ada?.svc_id}`
        statuses.push((yield* call("PUT", path)).status)
      }
      assert.deepStrictEqual(statuses, [204, 409])
    }),
  )

  it.effect("the management API shows the size of a segment and lists its people", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const api = yield* client
      const params = { w: workspace.id }
      const names = ["a", "b", "c", "d"]
      const { segment_id } = yield* api.segments.create({ params, payload: { name: "s" } })
      yield* apply(
        ...names.map((name) => identify(byId(name), [], { in: workspace })),
        identify(byId("outside"), [], { in: workspace }),
        joinSegment(segment_id, [...names, "nobody"].map(byId), { in: workspace }),
      )
      const one = { params: { ...params, segment_id } }
      assert.strictEqual((yield* api.segments.get(one)).size, 4)
      for (const order of ["asc", "desc"] as const) {
        const seen = yield* readPages(
          `/workspaces/${workspace.id}/segments/${segment_id}/people`,
          `order=${order}`,
          "id",
        )
        assert.deepStrictEqual(seen, order === "asc" ? names : names.toReversed())
      }
      yield* apply(remove(byId("b"), { in: workspace }))
      const { items } = yield* api.segments.people({ ...one, query: { order: "asc" } })
      assert.deepStrictEqual(
        items.map(({ id }) => id),
        ["a", "c", "d"],
      )
      assert.strictEqual((yield* api.segments.get(one)).size, 3)
    }),
  )

  it.effect(
    "the management API deletes a segment, responds with 404 to a second deletion, and never reuses its id",
    () =>
      Effect.gen(function* () {
        const { id: w } = yield* newWorkspace
        const api = yield* client
        const payload = { name: "s" }
        const { segment_id } = yield* api.segments.create({ params: { w }, payload })
        const path = `/workspaces/${w}/segments/${segment_id}`
        const deleted = yield* call("DELETE", path)
        assert.deepStrictEqual([deleted.status, deleted.json], [204, null])
        for (const answer of [
          yield* call("DELETE", path),
          yield* call("GET", path),
          yield* call("GET", `${path}/people`),
        ]) {
          assertProblem(answer, 404, "Not Found", "segment not found in this workspace")
        }
        assert.deepStrictEqual((yield* api.segments.list({ params: { w }, query: {} })).items, [])
        assert.notStrictEqual((yield* api.segments.create({ params: { w }, payload })).segment_id, segment_id)
      }),
  )

  it.effect("the management API responds with 404 to an id that is not the number of a segment", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const [ada] = yield* apply(identify(byId("ada"), [], { in: workspace }))
      for (const id of ["0", "-1", "1.5", "x", "9007199254740993", "999999", String(ada?.subject)]) {
        const path = `/workspaces/${workspace.id}/segments/${id}`
        assertProblem(yield* call("GET", path), 404, "Not Found", /unknown path|segment not found/)
        assertProblem(yield* call("DELETE", path), 404, "Not Found", /unknown path|segment not found/)
      }
      assert.strictEqual((yield* call("GET", `/workspaces/${workspace.id}/people?id=ada`)).status, 200)
    }),
  )

  it.effect("the management API pages through segments in both orders", () =>
    Effect.gen(function* () {
      const { id: w } = yield* newWorkspace
      const api = yield* client
      const names = ["s1", "s2", "s3", "s4", "s5"]
      yield* Effect.forEach(names, (name) => api.segments.create({ params: { w }, payload: { name } }))
      for (const order of ["asc", "desc"] as const) {
        const seen = yield* readPages(`/workspaces/${w}/segments`, `order=${order}`, "name")
        assert.deepStrictEqual(seen, order === "asc" ? names : names.toReversed())
      }
    }),
  )

  it.effect("an error of the management API names the invalid field of a new segment", () =>
    Effect.gen(function* () {
      const { id } = yield* newWorkspace
      for (const [body, detail] of [
        [{}, /^name: required/],
        [{ name: "" }, /^name: /],
        [{ name: " " }, /^name: /],
        [{ name: "n".repeat(201) }, /^name: /],
        [{ name: 7 }, /^name: /],
        [{ name: "n", description: 7 }, /^description/],
        [{ name: "n", description: "d".repeat(2001) }, /^description/],
        [{ name: "n", kind: "manual" }, /^kind: unknown field/],
      ] as const) {
        const answer = yield* call("POST", `/workspaces/${id}/segments`, { body })
        assertProblem(answer, 400, "Bad Request", detail)
      }
    }),
  )
})

layer(server)("suppressions in the management API", (it) => {
  it.effect("contract §6: the management API shows whether an identifier is suppressed", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const path = `/workspaces/${workspace.id}/suppressions`
      yield* apply(
        identify(byId("ada"), [], { in: workspace, email: "Ada@example.com" }),
        identify(byId("bob"), [], { in: workspace }),
        suppress(byId("ada"), { in: workspace }),
        suppress(byId("never seen"), { in: workspace }),
      )
      for (const [query, suppressed] of [
        ["id=ada", true],
        ["email=ADA%40example.com", true],
        ["id=never%20seen", true],
        ["id=bob", false],
        ["id=Ada%40example.com", false],
        ["email=ada", false],
      ] as const) {
        assert.deepStrictEqual((yield* call("GET", `${path}?${query}`)).json, { suppressed }, query)
      }
    }),
  )

  it.effect("the management API rejects a suppression query without exactly one valid identifier", () =>
    Effect.gen(function* () {
      const { id } = yield* newWorkspace
      const path = `/workspaces/${id}/suppressions`
      for (const query of ["", "?id=a&email=b"]) {
        const answer = yield* call("GET", path + query)
        assertProblem(answer, 400, "Bad Request", "give exactly one of `id` and `email`")
      }
      assertProblem(yield* call("GET", `${path}?id=`), 400, "Bad Request", /^id: /)
      assertProblem(yield* call("GET", `${path}?svc_id=p11000000001`), 400, "Bad Request", /^svc_id: /)
    }),
  )
})
