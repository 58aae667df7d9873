import { assert, layer } from "@effect/vitest"
import type { JsonObject } from "@inlethq/core/values/Json"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import { operationIdText } from "@inlethq/core/values/Identifier"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { byId, event, identify } from "@inlethq/store-conformance/script/commands"
import { Effect } from "effect"
import { apply, assertProblem, call, client, newWorkspace, server, svcIdOf } from "./managementServer.ts"

/** Applies an operation through the management API and returns its log entry. */
const operate = Effect.fnUntraced(function* ({ id }: Workspace, payload: JsonObject) {
  const api = yield* client
  return yield* api.activity.apply({ params: { w: id }, payload: { type: "person", action: "", ...payload } })
})

const person = (id: string) => ({ identifiers: { id } })

const personOf = Effect.fnUntraced(function* ({ id }: Workspace, svcId: string) {
  const api = yield* client
  return yield* api.people.get({ params: { w: id, svc_id: svcId }, query: {} })
})

layer(server)("operations in the management API", (it) => {
  it.effect("the management API edits the attributes of a person and returns the log entry", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const svcId = svcIdOf(
        (yield* apply(
          identify(
            byId("ada"),
            [
              ["plan", "free"],
              ["old", 1],
            ],
            { in: workspace },
          ),
        ))[0],
      )
      const entry = yield* operate(workspace, {
        action: "identify",
        identifiers: { svc_id: svcId },
        attributes: { plan: "pro", old: null, email: "ada@example.com" },
      })
      assert.deepInclude(entry, { source: "management", kind: "identify", outcome: "applied" })
      assert.deepStrictEqual(entry.changes, [
        { path: "email", from: null, to: "ada@example.com" },
        { path: "attributes.plan", from: "free", to: "pro" },
        { path: "attributes.old", from: 1, to: null },
      ])
      const { attributes, email } = yield* personOf(workspace, svcId)
      assert.deepStrictEqual([attributes, email], [{ plan: "pro" }, "ada@example.com"])
    }),
  )

  it.effect("the management API merges, suppresses, releases and deletes people", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      yield* apply(
        identify(byId("ada"), [["plan", "pro"]], { in: workspace }),
        identify(byId("bob"), [["city", "Paris"]], { in: workspace }),
        identify(byId("eve"), [], { in: workspace }),
      )
      const merged = yield* operate(workspace, {
        action: "merge",
        primary: { id: "ada" },
        secondary: { id: "bob" },
      })
      assert.deepInclude(merged, { kind: "merge", outcome: "applied", source: "management" })
      const { attributes } = yield* personOf(workspace, merged.subject.svc_id ?? "")
      assert.deepStrictEqual(attributes, { plan: "pro", city: "Paris" })

      const suppressions = `/workspaces/${workspace.id}/suppressions?id=eve`
      yield* operate(workspace, { action: "suppress", ...person("eve") })
      assert.deepStrictEqual((yield* call("GET", suppressions)).json, { suppressed: true })
      yield* operate(workspace, { action: "unsuppress", ...person("eve") })
      assert.deepStrictEqual((yield* call("GET", suppressions)).json, { suppressed: false })

      const deleted = yield* operate(workspace, { action: "delete", ...person("ada") })
      assert.deepInclude(deleted, { kind: "delete", outcome: "applied" })
      const api = yield* client
      const { items } = yield* api.people.list({ params: { w: workspace.id }, query: {} })
      assert.deepStrictEqual(items, [])
    }),
  )

  it.effect("the management API adds people to a segment and removes them, and counts unknown people", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      yield* apply(identify(byId("ada"), [], { in: workspace }), identify(byId("bob"), [], { in: workspace }))
      const api = yield* client
      const params = { w: workspace.id }
      const { segment_id } = yield* api.segments.create({ params, payload: { name: "beta" } })
      const change = (action: string, ...ids: ReadonlyArray<string>) =>
        operate(workspace, { type: "segment", action, segment_id, ids })
      const added = yield* change("add", "ada", "bob", "eve")
      assert.deepInclude(added, { kind: "segment_add", outcome: "applied", source: "management" })
      assert.deepInclude(added.data, { ids_applied: 2, ids_ignored: 1 })
      assert.deepInclude(yield* change("remove", "bob"), { kind: "segment_remove", outcome: "applied" })
      const { size } = yield* api.segments.get({ params: { ...params, segment_id } })
      assert.strictEqual(size, 1)
      const path = `/workspaces/${workspace.id}/operations`
      const table = [
        [{ type: "segment", action: "fly" }, /unknown action "fly"/],
        [{ type: "segment", action: "add", segment_id }, /ids/],
        [{ type: "segment", action: "add", segment_id: 9999, ids: ["ada"] }, /segment not found/],
        [{ type: "segment", action: "add", segment_id, id_type: "name", ids: ["ada"] }, /id_type/],
      ] as const
      for (const [body, reason] of table) {
        assertProblem(yield* call("POST", path, { body }), 400, "Bad Request", reason)
      }
    }),
  )

  it.effect("the management API returns what an operation did even if nothing was applied", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const dropped = yield* operate(workspace, { action: "delete", ...person("nobody") })
      assert.strictEqual(dropped.outcome, "dropped")
    }),
  )

  it.effect(
    "the management API answers 400 with the reason to an operation that is rejected, and records the operation",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        const path = `/workspaces/${workspace.id}/operations`
        const table = [
          [{ type: "person", action: "fly" }, /^action: unknown action "fly"/],
          [{ type: "person", action: "identify" }, /identifiers/],
          [
            { type: "person", action: "identify", identifiers: { id: "a" }, attributes: 1 },
            /attributes must be an object/,
          ],
          [{ type: "robot", action: "identify" }, /unknown type "robot"/],
        ] as const
        for (const [body, reason] of table) {
          assertProblem(yield* call("POST", path, { body }), 400, "Bad Request", reason)
        }
        assertProblem(yield* call("POST", path, { body: { type: "person" } }), 400, "Bad Request", /^action/)
        const api = yield* client
        const { items } = yield* api.activity.list({
          params: { w: workspace.id },
          query: { outcome: "rejected" },
        })
        assert.deepStrictEqual(
          items.map(({ source }) => source),
          table.map(() => "management"),
        )
      }),
  )

  it.effect(
    "the management API refuses an operation in an unknown workspace, and without the management token",
    () =>
      Effect.gen(function* () {
        const body = { type: "person", action: "delete", ...person("ada") }
        assert.strictEqual((yield* call("POST", "/workspaces/999/operations", { body })).status, 404)
        const headers = { authorization: "" }
        assert.strictEqual((yield* call("POST", "/workspaces/1/operations", { body, headers })).status, 401)
      }),
  )
})

layer(server)("the operations of one request in the management API", (it) => {
  it.effect(
    "for the id of any operation of a batch, the management API returns all operations of the batch, in pages",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        const { submit } = yield* Ingest
        const batch = (...names: ReadonlyArray<string>) =>
          submit(
            names.map((name, batchIndex) => ({ ...event(byId("ada"), name, { in: workspace }), batchIndex })),
            100,
          )
        yield* batch("a", "b")
        const [, second] = yield* batch("c", "d", "e")
        yield* batch("f")
        if (second === undefined) return assert.fail("nothing was recorded")
        const api = yield* client
        const params = {
          w: workspace.id,
          operation_id: operationIdText(workspace.id, second.sequence, second.batchIndex),
        }
        const all = yield* api.activity.request({ params, query: {} })
        assert.deepStrictEqual([all.items.map(({ name }) => name), all.next], [["c", "d", "e"], null])
        const page = yield* api.activity.request({ params, query: { limit: 2 } })
        assert.deepStrictEqual(
          page.items.map(({ name }) => name),
          ["c", "d"],
        )
        if (page.next === null) return assert.fail("the first page must not be the last")
        const rest = yield* api.activity.request({ params, query: { limit: 2, after: page.next } })
        assert.deepStrictEqual([rest.items.map(({ name }) => name), rest.next], [["e"], null])
      }),
  )

  it.effect("the management API returns a single operation for a call that is not a batch", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const [alone] = yield* apply(
        identify(byId("ada"), [], { in: workspace }),
        event(byId("ada"), "a", { in: workspace }),
      )
      if (alone === undefined) return assert.fail("nothing was recorded")
      const id = operationIdText(workspace.id, alone.sequence, null)
      const api = yield* client
      const { items, next } = yield* api.activity.request({
        params: { w: workspace.id, operation_id: id },
        query: {},
      })
      assert.deepStrictEqual([items.map(({ operation_id }) => operation_id), next], [[id], null])
      const unknown = yield* call("GET", `/workspaces/${workspace.id}/operations/op9999999999/request`)
      assertProblem(unknown, 404, "Not Found", "operation not found in this workspace")
    }),
  )
})

layer(server)("the provenance of a person's fields in the management API", (it) => {
  it.effect("the management API returns the operation that last changed each field", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const entries = yield* apply(
        identify(
          byId("ada"),
          [
            ["plan", "free"],
            ["city", "Paris"],
          ],
          { in: workspace },
        ),
        event(byId("ada"), "a", { in: workspace }),
        identify(byId("ada"), [["plan", "pro"]], { in: workspace }),
      )
      const [created, , changed] = entries.map((entry) =>
        entry === undefined ? "" : operationIdText(workspace.id, entry.sequence, null),
      )
      const api = yield* client
      const params = { w: workspace.id, svc_id: svcIdOf(entries[0]) }
      const { items, next } = yield* api.people.provenance({ params, query: {} })
      assert.deepStrictEqual(
        items.map(({ operation_id, path }) => [path, operation_id]),
        [
          ["attributes.plan", changed],
          ["id", created],
          ["attributes.city", created],
        ],
      )
      assert.strictEqual(next, null)
      assert.deepInclude(items[0], { source: "track-v2" })
    }),
  )

  it.effect("the management API answers 404 for an unknown person", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const answer = yield* call("GET", `/workspaces/${workspace.id}/people/nobody/provenance`)
      assertProblem(answer, 404, "Not Found", "person not found in this workspace")
    }),
  )
})
