import { assert, layer } from "@effect/vitest"
import { SavedViews, viewsPerWorkspaceMax } from "@inlethq/core/ports/SavedViews"
import { Effect } from "effect"
import { assertProblem, call, client, newWorkspace, server } from "./managementServer.ts"

const query = { filter: "outcome:rejected", last: "24h" }
const refused = { page: "live", name: "Refused today", query } as const

layer(server)("saved views in the management API", (it) => {
  it.effect("a saved view is listed, renamed and deleted, and belongs to its workspace", () =>
    Effect.gen(function* () {
      const { views } = yield* client
      const { id: w } = yield* newWorkspace
      const other = yield* newWorkspace
      const params = { w }
      const path = `/workspaces/${w}/views`
      const created = yield* views.create({ params, payload: refused })
      const at = "1970-01-01T00:00:00.000Z"
      const { view_id } = created
      assert.deepStrictEqual(created, { view_id, ...refused, created_at: at, updated_at: at })
      yield* views.create({ params, payload: { page: "people", name: "Pro", query: { q: "plan=pro" } } })
      const ofLive = yield* views.list({ params, query: { page: "live" } })
      assert.deepStrictEqual(ofLive, { items: [created], next: null })
      assert.deepStrictEqual((yield* views.list({ params: { w: other.id }, query: {} })).items, [])
      const renamed = yield* views.update({ params: { w, view_id }, payload: { name: "Refused" } })
      assert.deepStrictEqual(renamed, { ...created, name: "Refused" })
      const first = yield* views.list({ params, query: { limit: 1 } })
      if (first.next === null) return assert.fail("a second page is missing")
      const second = yield* views.list({ params, query: { limit: 1, after: first.next } })
      assert.sameMembers(
        [...first.items, ...second.items].map(({ name }) => name),
        ["Refused", "Pro"],
      )
      assert.strictEqual((yield* call("DELETE", `${path}/${view_id}`)).status, 204)
      const gone = [
        yield* call("DELETE", `${path}/${view_id}`),
        yield* call("PATCH", `${path}/${view_id}`, { body: { name: "n" } }),
      ]
      for (const answer of gone) assertProblem(answer, 404, "Not Found", "view not found in this workspace")
    }),
  )

  it.effect("a second view of a page with the same name is refused, and so is one above the limit", () =>
    Effect.gen(function* () {
      const views = yield* SavedViews
      const { id: workspace } = yield* newWorkspace
      const path = `/workspaces/${workspace}/views`
      yield* call("POST", path, { body: refused })
      const again = yield* call("POST", path, { body: refused })
      assertProblem(again, 409, "Conflict", "a view of the page live is named Refused today already")
      const rest = Array.from({ length: viewsPerWorkspaceMax - 1 }, (_, n) => n)
      yield* Effect.forEach(rest, (n) =>
        views.add({
          workspace,
          viewId: `v${n}`,
          page: "live",
          name: `${n}`,
          query: {},
          createdAt: 0,
          updatedAt: 0,
        }),
      )
      const full = yield* call("POST", path, { body: { ...refused, name: "more" } })
      assertProblem(
        full,
        409,
        "Conflict",
        `the workspace has ${viewsPerWorkspaceMax} saved views, which is the limit`,
      )
    }),
  )

  it.effect("a view has only parameters that an address can have", () =>
    Effect.gen(function* () {
      const { id } = yield* newWorkspace
      for (const query of [{ "no word": "" }, { filter: "x".repeat(2_001) }, { filter: 7 }]) {
        const answer = yield* call("POST", `/workspaces/${id}/views`, { body: { ...refused, query } })
        assert.strictEqual(answer.status, 400)
      }
      const elsewhere = yield* call("POST", `/workspaces/${id}/views`, { body: { ...refused, page: "moon" } })
      assert.strictEqual(elsewhere.status, 400)
    }),
  )
})
