import { assert, layer } from "@effect/vitest"
import { addDevice, byId, identify, merge, objectOf } from "@inlethq/store-conformance/script/commands"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Effect } from "effect"
import { apply, assertProblem, call, client, newWorkspace, server, svcIdOf } from "./managementServer.ts"

const preview = Effect.fnUntraced(function* ({ id }: Workspace, primary: string, secondary: string) {
  const api = yield* client
  return yield* api.merges.preview({ params: { w: id, svc_id: primary }, query: { secondary } })
})

/** Creates two people who have different values for the email and the plan. */
const twoPeople = Effect.gen(function* () {
  const workspace = yield* newWorkspace
  const [ada, bob] = yield* apply(
    identify(
      byId("ada"),
      [
        ["plan", "pro"],
        ["city", "Paris"],
      ],
      { in: workspace, email: "ada@example.com" },
    ),
    identify(
      byId("bob"),
      [
        ["plan", "free"],
        ["age", 40],
        ["unsubscribed", true],
      ],
      {
        in: workspace,
        email: "bob@example.com",
        anonymousId: "cookie",
        relatedTo: [[objectOf("1", "acme")]],
      },
    ),
    addDevice(byId("bob"), "token", [], { in: workspace }),
  )
  return { workspace, ada: svcIdOf(ada), bob: svcIdOf(bob) }
})

layer(server)("people after a merge in the management API", (it) => {
  it.effect("the values of the primary were set by its own operations and by the merge", () =>
    Effect.gen(function* () {
      const { ada, workspace } = yield* twoPeople
      yield* apply(merge(byId("ada"), byId("bob"), { in: workspace }))
      const api = yield* client
      const params = { w: workspace.id, svc_id: ada }
      const { items } = yield* api.people.provenance({ params, query: {} })
      const { items: operations } = yield* api.people.activity({ params, query: {} })
      const setBy = (path: string) => {
        const found = items.find((one) => one.path === path)
        return String(operations.find((one) => one.operation_id === found?.operation_id)?.sequence)
      }
      const paths = ["id", "email", "attributes.plan", "attributes.age", "devices.token"]
      assert.deepStrictEqual(paths.map(setBy), ["1", "1", "1", "4", "4"])
    }),
  )
})

layer(server)("explanations after a merge", (it) => {
  it.effect("an operation of a merged person overrides nothing of the person who stays", () =>
    Effect.gen(function* () {
      const { ada, workspace } = yield* twoPeople
      yield* apply(merge(byId("ada"), byId("bob"), { in: workspace }))
      const api = yield* client
      const { items } = yield* api.people.activity({ params: { w: workspace.id, svc_id: ada }, query: {} })
      const first = items.find(({ sequence }) => sequence === 1)
      const params = { w: workspace.id, operation_id: first?.operation_id ?? "" }
      assert.deepStrictEqual((yield* api.activity.explanation({ params })).overridden_by, [])
    }),
  )
})

layer(server)("the preview of a merge in the management API", (it) => {
  it.effect(
    "a merge preview shows the person that the merge would leave, and the values that the merge would drop",
    () =>
      Effect.gen(function* () {
        const { ada, bob, workspace } = yield* twoPeople
        const { lost, merged, outcome, primary, reason, secondary } = yield* preview(workspace, ada, bob)
        assert.deepStrictEqual([outcome, reason], ["applied", null])
        assert.deepStrictEqual([primary.id, secondary.id], ["ada", "bob"])
        assert.deepStrictEqual(lost, [
          { path: "id", value: "bob", kept: "ada" },
          { path: "email", value: "bob@example.com", kept: "ada@example.com" },
          { path: "attributes.plan", value: "free", kept: "pro" },
        ])
        assert.deepStrictEqual(merged?.attributes, { plan: "pro", city: "Paris", age: 40 })
        assert.deepStrictEqual(
          merged?.devices.map(({ token }) => token),
          ["token"],
        )
        assert.deepStrictEqual(
          merged?.relationships.map(({ object_id }) => object_id),
          ["acme"],
        )
        assert.strictEqual(merged?.unsubscribed, true)
      }),
  )

  it.effect("a merge preview equals the result of the merge, and changes no data", () =>
    Effect.gen(function* () {
      const { ada, bob, workspace } = yield* twoPeople
      const api = yield* client
      const person = (svc_id: string) => api.people.get({ params: { w: workspace.id, svc_id }, query: {} })
      const before = [yield* person(ada), yield* person(bob)]
      const { merged } = yield* preview(workspace, ada, bob)
      assert.deepStrictEqual([yield* person(ada), yield* person(bob)], before)
      yield* apply(merge(byId("ada"), byId("bob"), { in: workspace }))
      const { updated_at: previewedAt, ...previewed } = merged ?? assert.fail("there is no preview")
      // Only the page of a person has where they were last seen.
      const { last_seen: _, updated_at: mergedAt, ...result } = yield* person(ada)
      assert.deepStrictEqual(previewed, result)
      assert.isAtMost(Date.parse(previewedAt), Date.parse(mergedAt))
    }),
  )

  it.effect("a merge preview gives the reason if the server would refuse to merge the people", () =>
    Effect.gen(function* () {
      const { ada, workspace } = yield* twoPeople
      const { lost, merged, outcome, reason } = yield* preview(workspace, ada, ada)
      assert.deepStrictEqual([outcome, merged, lost], ["dropped", null, []])
      assert.isNotEmpty(reason ?? "")
    }),
  )

  it.effect("a merge preview answers 404 for unknown people and 400 if the second person is missing", () =>
    Effect.gen(function* () {
      const { ada, workspace } = yield* twoPeople
      const path = (svcId: string, query: string) =>
        `/workspaces/${workspace.id}/people/${svcId}/merge-preview${query}`
      const missing = "person not found in this workspace"
      assertProblem(yield* call("GET", path("nobody", `?secondary=${ada}`)), 404, "Not Found", missing)
      assertProblem(yield* call("GET", path(ada, "?secondary=nobody")), 404, "Not Found", missing)
      assertProblem(yield* call("GET", path(ada, "")), 400, "Bad Request", /^secondary: required/)
    }),
  )
})
