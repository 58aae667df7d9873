import { assert, layer } from "@effect/vitest"
import { formFieldsMax } from "@inlethq/core/workspace/Limits"
import { submitForm } from "@inlethq/store-conformance/script/commands"
import { Effect } from "effect"
import {
  apply,
  assertProblem,
  call,
  client,
  newWorkspace,
  readPages,
  receivedAt,
  server,
} from "./managementServer.ts"

layer(server)("forms in the management API", (it) => {
  it.effect(
    "track-api §4.3 rule 3: the management API shows a form that was created by its first submission",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        yield* apply(
          submitForm("news/letter", Object.entries({ email: "ada@example.com", city: "Paris" }), {
            in: workspace,
          }),
        )
        const document = {
          form_id: "news/letter",
          fields: ["email", "city"],
          mapping: { email: "email", city: "city" },
          created_at: receivedAt,
          updated_at: receivedAt,
        }
        const path = `/workspaces/${workspace.id}/forms`
        assert.deepStrictEqual((yield* call("GET", `${path}/news%2Fletter`)).json, document)
        assert.deepStrictEqual((yield* call("GET", path)).json, { items: [document], next: null })
        assertProblem(yield* call("GET", `${path}/other`), 404, "Not Found", /form not found/)
      }),
  )

  it.effect("track-api §4.3 rule 3: a form can be mapped even if its only submission had no identifier", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const api = yield* client
      const w = workspace.id
      const fields = { mail: "ada@example.com", city: "Paris" }
      const [refused] = yield* apply(submitForm("f", Object.entries(fields), { in: workspace }))
      assert.strictEqual(refused?.outcome, "rejected")
      const path = `/workspaces/${w}/forms/f`
      const patched = yield* call("PATCH", path, { body: { mapping: { mail: "email", phone: "tel" } } })
      assert.strictEqual(patched.status, 200)
      assert.deepStrictEqual(patched.json, {
        form_id: "f",
        fields: ["mail", "city", "phone"],
        mapping: { mail: "email", city: "city", phone: "tel" },
        created_at: receivedAt,
        // Receipt times never go back. The test clock is at 1970, so this request gets the receipt time of the commands
        // before it.
        updated_at: "2027-01-15T08:00:00.000Z",
      })
      assert.deepStrictEqual((yield* call("GET", path)).json, patched.json)
      yield* apply(submitForm("f", Object.entries({ ...fields, phone: "1" }), { in: workspace }))
      const { items } = yield* api.people.list({ params: { w }, query: { email: "ada@example.com" } })
      assert.deepStrictEqual(items[0]?.attributes, { city: "Paris", tel: "1" })
    }),
  )

  it.effect(
    "contract §1: the management API accepts any field name, and reserved attribute names with either prefix (svc or cio)",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        yield* apply(submitForm("f", Object.entries({ email: "a@example.com" }), { in: workspace }))
        const path = `/workspaces/${workspace.id}/forms/f`
        const text = '{"mapping":{"__proto__":"a","news":"cio_subscription_preferences.topics.news"}}'
        const answer = yield* call("PATCH", path, { text, headers: { "content-type": "application/json" } })
        const mapping = [
          ["email", "email"],
          ["__proto__", "a"],
          ["news", "svc_subscription_preferences.topics.news"],
        ] as const
        assert.strictEqual(answer.status, 200)
        assert.deepInclude(answer.json, {
          fields: mapping.map(([field]) => field),
          mapping: Object.fromEntries(mapping),
        })
      }),
  )

  it.effect("the management API responds with 404 to a patch of an unknown form", () =>
    Effect.gen(function* () {
      const { id } = yield* newWorkspace
      const answer = yield* call("PATCH", `/workspaces/${id}/forms/f`, { body: { mapping: { a: "b" } } })
      assertProblem(answer, 404, "Not Found", "form not found in this workspace")
      assert.deepStrictEqual((yield* call("GET", `/workspaces/${id}/forms`)).json, { items: [], next: null })
    }),
  )

  it.effect(
    "track-api §8: the management API rejects the whole mapping of a form if a name is too long or if the mapping has too many fields",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        yield* apply(submitForm("f", Object.entries({ email: "a@example.com" }), { in: workspace }))
        const path = `/workspaces/${workspace.id}/forms/f`
        const before = (yield* call("GET", path)).json
        const tooLong = "mapping: names cannot be longer than 150 bytes"
        const many = Object.fromEntries(Array.from({ length: formFieldsMax }, (_, i) => [`f${i}`, "a"]))
        for (const [body, detail] of [
          [{}, /^mapping: required/],
          [{ mapping: [] }, /^mapping: /],
          [{ mapping: { a: "" } }, /^mapping\.a: /],
          [{ mapping: { a: null } }, /^mapping\.a: /],
          [{ mapping: {}, fields: ["a"] }, /^fields: unknown field/],
          [{ mapping: { a: "é".repeat(76) } }, tooLong],
          [{ mapping: { ["x".repeat(151)]: "a" } }, tooLong],
          [{ mapping: many }, /a form has at most 300 fields/],
        ] as const) {
          assertProblem(yield* call("PATCH", path, { body }), 400, "Bad Request", detail)
        }
        assert.deepStrictEqual((yield* call("GET", path)).json, before)
        const longest = { mapping: { email: "é".repeat(75) } }
        assert.strictEqual((yield* call("PATCH", path, { body: longest })).status, 200)
      }),
  )

  it.effect("the management API pages through forms in both orders", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const ids = ["f1", "f2", "f3", "f4", "f5"]
      yield* apply(...ids.map((id) => submitForm(id, Object.entries({ id: "ada" }), { in: workspace })))
      for (const order of ["asc", "desc"] as const) {
        const seen = yield* readPages(`/workspaces/${workspace.id}/forms`, `order=${order}`, "form_id")
        assert.deepStrictEqual(seen, order === "asc" ? ids : ids.toReversed())
      }
    }),
  )
})
