import { assert, layer } from "@effect/vitest"
import { addDevice, byId, identify } from "@inlethq/store-conformance/script/commands"
import { Effect } from "effect"
import {
  apply,
  assertProblem,
  call,
  client,
  newWorkspace,
  readPages,
  server,
  svcIdOf,
} from "./managementServer.ts"

/** Ada and Bob, who have the same phone, and Bob and Eve, who gave the same email. */
const twoPairs = Effect.gen(function* () {
  const workspace = yield* newWorkspace
  const here = { in: workspace }
  const [ada, bob, eve] = yield* apply(
    identify(byId("ada"), [["name", "Ada Lovelace"]], here),
    identify(byId("bob"), [], { ...here, email: "bob@example.com" }),
    identify(byId("eve"), [], { ...here, email: "bob@example.com" }),
    addDevice(byId("ada"), "phone", [], here),
    addDevice(byId("bob"), "phone", [], here),
  )
  const path = `/workspaces/${workspace.id}/duplicates`
  return { workspace, w: workspace.id, path, ada: svcIdOf(ada), bob: svcIdOf(bob), eve: svcIdOf(eve) }
})

layer(server)("pairs of people who may be one, in the management API", (it) => {
  it.effect("lists pairs with both people, reasons, operations and the path of the merge preview", () =>
    Effect.gen(function* () {
      const { ada, bob, eve, w } = yield* twoPairs
      const api = yield* client
      const { items, next, searched_to } = yield* api.duplicates.list({ params: { w }, query: {} })
      assert.deepStrictEqual(
        items.map(({ people, reasons }) => [...people.map(({ svc_id }) => svc_id), ...reasons]),
        [
          [ada, bob, "device"],
          [bob, eve, "identifier"],
        ],
      )
      assert.deepStrictEqual([next, searched_to], [null, null])
      const [first] = items
      assert.deepStrictEqual(first?.people[0], { svc_id: ada, id: "ada", email: null, name: "Ada Lovelace" })
      const operation = yield* api.activity.operation({
        params: { w, operation_id: first?.operation_ids[0] ?? "" },
      })
      assert.strictEqual(operation.kind, "add_device")
      const preview = yield* call("GET", (first?.merge_preview ?? "").replace("/management/v1", ""))
      assert.strictEqual(preview.status, 200)
    }),
  )

  it.effect("filters pairs by reason, and reads them page by page", () =>
    Effect.gen(function* () {
      const { path, w } = yield* twoPairs
      const api = yield* client
      const byEmail = yield* api.duplicates.list({ params: { w }, query: { reason: "identifier" } })
      assert.deepStrictEqual(
        byEmail.items.map(({ people }) => people.map(({ id }) => id)),
        [["bob", "eve"]],
      )
      const pages = yield* readPages(path, "", "last_at", 1)
      assert.strictEqual(pages.flat().length, 2)
      assertProblem(yield* call("GET", `${path}?reason=looks`), 400, "Bad Request", /reason/)
    }),
  )

  it.effect("a dismissed pair is not listed until its dismissal is removed", () =>
    Effect.gen(function* () {
      const { ada, bob, path, w } = yield* twoPairs
      const api = yield* client
      const listed = Effect.map(
        api.duplicates.list({ params: { w }, query: {} }),
        ({ items }) => items.length,
      )
      const { svc_ids } = yield* api.duplicates.dismiss({
        params: { w },
        payload: { svc_ids: [bob, ada] },
      })
      assert.deepStrictEqual(svc_ids, [ada, bob])
      assert.strictEqual(yield* listed, 1)
      const { items } = yield* api.duplicates.dismissed({ params: { w }, query: {} })
      assert.deepStrictEqual(
        items.map((one) => one.svc_ids),
        [[ada, bob]],
      )
      yield* api.duplicates.restore({ params: { w, one: bob, other: ada } })
      assert.strictEqual(yield* listed, 2)
      assertProblem(
        yield* call("DELETE", `${path}/dismissed/${ada}/${bob}`),
        404,
        "Not Found",
        /dismissed pair/,
      )
    }),
  )

  it.effect("refuses to dismiss somebody unknown, or the same person twice", () =>
    Effect.gen(function* () {
      const { ada, path } = yield* twoPairs
      const dismiss = (svc_ids: ReadonlyArray<string>) =>
        call("POST", `${path}/dismissed`, { body: { svc_ids } })
      assertProblem(yield* dismiss([ada, "svc_nobody"]), 404, "Not Found", /person not found/)
      assertProblem(yield* dismiss([ada, ada]), 400, "Bad Request", /are one/)
      assertProblem(yield* dismiss([ada]), 400, "Bad Request", /svc_ids/)
    }),
  )
})
