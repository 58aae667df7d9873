import { assert, layer } from "@effect/vitest"
import { byId, suppress } from "@inlethq/store-conformance/script/commands"
import { Effect } from "effect"
import { apply, assertProblem, call, newWorkspace, server } from "./managementServer.ts"
import { entries, personById } from "./managementUploads.ts"

const person = (id: string, attributes: Record<string, string | number> = {}) => ({
  type: "person",
  action: "identify",
  identifiers: { id },
  attributes,
})

layer(server)("imports of exported documents in the management API", (it) => {
  it.effect(
    "the management API says what became of each entity, and records only those that took effect",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        const send = (...entities: ReadonlyArray<{ readonly entity: object; readonly key: string }>) =>
          call("POST", `/workspaces/${workspace.id}/import`, {
            body: JSON.parse(JSON.stringify({ entities })),
          })
        yield* apply(suppress(byId("eve"), { in: workspace }))
        const before = (yield* entries(workspace)).length
        const ada = { entity: person("ada"), key: "a" }
        const object = { type: "object", action: "identify", identifiers: { object_id: "" } }
        const mixed = yield* send(
          ada,
          { entity: person("eve"), key: "e" },
          { entity: object, key: "o" },
          { entity: person("bob", { created_at: "soon" }), key: "b" },
        )
        assert.deepStrictEqual(mixed.json, {
          results: [
            { outcome: "imported", message: null },
            { outcome: "skipped", message: null },
            { outcome: "failed", message: "identifiers.object_id must be present" },
            {
              outcome: "imported",
              message: "attributes.created_at: created_at must be Unix seconds or an ISO 8601 date-time",
            },
          ],
        })
        assert.strictEqual((yield* entries(workspace)).length, before + 3)
        const again = yield* send(ada, { entity: person("cid"), key: "c" })
        assert.deepStrictEqual(again.json, {
          results: [
            { outcome: "skipped", message: null },
            { outcome: "imported", message: null },
          ],
        })
        assert.strictEqual((yield* entries(workspace)).length, before + 4)
        assert.isDefined(yield* personById(workspace, "cid"))
      }),
  )

  it.effect("the management API refuses more than 1000 entities in one call", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const entities = Array.from({ length: 1001 }, (_, i) => ({ entity: person("ada"), key: `k${i}` }))
      const refused = yield* call("POST", `/workspaces/${workspace.id}/import`, { body: { entities } })
      assertProblem(refused, 400, "Bad Request", /^entities: /)
      assert.deepStrictEqual(yield* entries(workspace), [])
    }),
  )
})
