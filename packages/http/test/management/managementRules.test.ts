import { assert, layer } from "@effect/vitest"
import { byId, identify } from "@inlethq/store-conformance/script/commands"
import { Effect } from "effect"
import { apply, assertProblem, call, client, newWorkspace, server } from "./managementServer.ts"

const rulePath = (rule: string) => `/rules/${encodeURIComponent(rule)}`

layer(server)("rules in the management API", (it) => {
  it.effect("the management API returns the text of the rule named in an activity entry", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const [entry] = yield* apply(identify(byId("ada"), [], { in: workspace }))
      assert.strictEqual(entry?.rule, "track-api §2.1 rule 1")
      const { json, status } = yield* call("GET", rulePath("track-api §2.1 rule 1"))
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(json, {
        rule: "track-api §2.1 rule 1",
        title: "Person: no person matches",
        text: "If no person has any of the call's identifiers, Inlet creates a person, unless the call has a `svc_id`.",
        url: "docs/references.md#track-api-2-1-rule-1",
      })
    }),
  )

  it.effect("the management API finds a rule by a name with slashes or commas", () =>
    Effect.gen(function* () {
      for (const rule of ["track-api §4.2 /v2/batch", "pipelines-api §2.1 context, integrations"]) {
        const { json, status } = yield* call("GET", rulePath(rule))
        assert.strictEqual(status, 200)
        assert.deepInclude(json, { rule })
      }
    }),
  )

  it.effect("the management API returns a whole section for the section's name", () =>
    Effect.gen(function* () {
      const { json } = yield* call("GET", rulePath("contract §15"))
      assert.deepInclude(json, { title: "Rate", url: "docs/contract.md#contract-15" })
    }),
  )

  it.effect("the management API responds with 404 to a request for an unknown rule", () =>
    Effect.gen(function* () {
      for (const rule of ["no such rule", "toString", "contract"]) {
        assertProblem(yield* call("GET", rulePath(rule)), 404, "Not Found", /^unknown rule: expected/)
      }
    }),
  )

  it.effect("the management API refuses a request without the management token", () =>
    Effect.gen(function* () {
      const { status } = yield* call("GET", rulePath("contract §15"), { headers: { authorization: "" } })
      assert.strictEqual(status, 401)
    }),
  )

  it.effect("the typed client of the management API can read a rule", () =>
    Effect.gen(function* () {
      const api = yield* client
      const rule = yield* api.rules.get({ params: { rule: "contract §6 merge attributes" } })
      assert.strictEqual(rule.title, "People: merge attributes")
    }),
  )
})
