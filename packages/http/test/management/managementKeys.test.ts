import { assert, layer } from "@effect/vitest"
import { keysPerWorkspaceMax, Registry } from "@inlethq/core/ports/Registry"
import { Effect, Option } from "effect"
import { digestOf } from "../../src/credentials/Secret.ts"
import { assertProblem, call, client, Invalidated, newWorkspace, server } from "./managementServer.ts"

layer(server)("keys in the management API", (it) => {
  it.effect(
    "the management API shows the secret of a key only when it is created, and stores only its digest",
    () =>
      Effect.gen(function* () {
        const registry = yield* Registry
        const invalidated = yield* Invalidated
        const api = yield* client
        const { id } = yield* newWorkspace
        invalidated.length = 0
        const track = yield* api.keys.create({ params: { w: id }, payload: { kind: "track", name: "Web" } })
        const write = yield* api.keys.create({
          params: { w: id },
          payload: { kind: "pipelines", name: "App" },
        })
        assert.deepStrictEqual(invalidated, [id, id])
        if (track.kind !== "track" || write.kind !== "pipelines") return assert.fail("wrong kinds")
        const common = ["key_id", "kind", "name", "prefix", "expires_at"]
        assert.hasAllKeys(track, [...common, "site_id", "api_key"])
        assert.hasAllKeys(write, [...common, "write_key"])
        for (const [secret, { prefix }] of [
          [track.api_key, track] as const,
          [write.write_key, write] as const,
        ]) {
          assert.match(secret, /^[0-9a-f]{40,}$/)
          assert.isTrue(prefix !== null && prefix.length === 8 && secret.startsWith(prefix))
          assert.isAtLeast(secret.length - 8, 2 * 20, "hex digits of 20 random bytes stay unknown")
        }

        const bySite = yield* registry.find({ kind: "track", siteId: track.site_id })
        assert.strictEqual(Option.getOrThrow(bySite).key.digest, digestOf(track.api_key))
        const byDigest = yield* registry.find({ kind: "pipelines", digest: digestOf(write.write_key) })
        assert.strictEqual(Option.getOrThrow(byDigest).workspace.id, id)

        const listed = yield* call("GET", `/workspaces/${id}/keys?order=asc`)
        const created_at = "1970-01-01T00:00:00.000Z"
        const { api_key: _a, ...trackKey } = track
        const { write_key: _w, ...writeKey } = write
        const both = [
          { ...trackKey, scope: null, created_at, last_used_at: null },
          { ...writeKey, site_id: null, scope: null, created_at, last_used_at: null },
        ]
        assert.sameDeepMembers((yield* api.keys.list({ params: { w: id }, query: {} })).items.slice(), both)
        assert.notInclude(JSON.stringify(listed.json), track.api_key)
        assert.notInclude(JSON.stringify(listed.json), digestOf(track.api_key))
      }),
  )

  it.effect("an app key has 32 hex characters and a scope, which no other key has", () =>
    Effect.gen(function* () {
      const registry = yield* Registry
      const api = yield* client
      const { id } = yield* newWorkspace
      const params = { w: id }
      const scopes = [undefined, "read", "read+segments"] as const
      for (const [n, scope] of scopes.entries()) {
        const payload = { kind: "app", name: `crm ${n}`, ...(scope !== undefined && { scope }) } as const
        const made = yield* api.keys.create({ params, payload })
        if (made.kind !== "app") return assert.fail("wrong kind")
        assert.match(made.app_key, /^[0-9a-f]{32}$/)
        assert.strictEqual(made.scope, scope ?? "read")
        const found = yield* registry.find({ kind: "app", digest: digestOf(made.app_key) })
        assert.strictEqual(Option.getOrThrow(found).key.scope, made.scope)
        const write = yield* registry.find({ kind: "pipelines", digest: digestOf(made.app_key) })
        assert.isTrue(Option.isNone(write))
      }
      const listed = yield* api.keys.list({ params, query: { order: "asc" } })
      assert.sameMembers(
        listed.items.map(({ scope }) => scope),
        ["read", "read", "read+segments"],
      )
      const body = { kind: "track", name: "Web", scope: "read" }
      const refused = yield* call("POST", `/workspaces/${id}/keys`, { body })
      assertProblem(refused, 400, "Bad Request", /only keys of the kind `app` have a scope/)
    }),
  )

  it.effect("a workspace with as many keys as it may have gets no further one", () =>
    Effect.gen(function* () {
      const registry = yield* Registry
      const { id } = yield* newWorkspace
      const body = { kind: "pipelines", name: "App" }
      yield* call("POST", `/workspaces/${id}/keys`, { body })
      const [key] = yield* registry.keys(id)
      if (key === undefined) return assert.fail("no key")
      for (let n = 1; n < keysPerWorkspaceMax; n++) {
        yield* registry.addKey({ ...key, keyId: `key ${n}`, digest: `digest ${n}` })
      }
      const detail = /^a workspace has at most 1000 API keys/
      assertProblem(yield* call("POST", `/workspaces/${id}/keys`, { body }), 409, "Conflict", detail)
    }),
  )

  it.effect("the management API pages through the keys of a workspace in both orders", () =>
    Effect.gen(function* () {
      const api = yield* client
      const { id } = yield* newWorkspace
      const params = { w: id }
      yield* Effect.forEach(["a", "b", "c"], (name) =>
        api.keys.create({ params, payload: { kind: "track", name } }),
      )
      const whole = yield* api.keys.list({ params, query: { order: "asc" } })
      const first = yield* api.keys.list({ params, query: { order: "asc", limit: 2 } })
      if (first.next === null) return assert.fail("no second page")
      const second = yield* api.keys.list({ params, query: { order: "asc", limit: 2, after: first.next } })
      assert.deepStrictEqual([...first.items, ...second.items], whole.items)
      assert.isNull(second.next)
      const back = yield* api.keys.list({ params, query: {} })
      assert.deepStrictEqual(back.items, whole.items.toReversed())
    }),
  )

  it.effect("the management API shows when a key expires and when it was last used", () =>
    Effect.gen(function* () {
      const registry = yield* Registry
      const api = yield* client
      const params = { w: (yield* newWorkspace).id }
      const expires_at = "2027-01-31T12:00:00.000Z"
      const key = yield* api.keys.create({
        params,
        payload: { kind: "track", name: "n", expires_at: "2027-01-31T13:00:00+01:00" },
      })
      assert.strictEqual(key.expires_at, expires_at)
      yield* api.keys.create({ params, payload: { kind: "track", name: "for ever", expires_at: null } })
      yield* registry.recordUses([{ keyId: key.key_id, at: 60_000 }])
      const { items } = yield* api.keys.list({ params, query: {} })
      assert.sameDeepMembers(
        items.map((item) => [item.name, item.expires_at, item.last_used_at]),
        [
          ["n", expires_at, "1970-01-01T00:01:00.000Z"],
          ["for ever", null, null],
        ],
      )
    }),
  )

  it.effect("the management API revokes a key and clears the cache of its workspace", () =>
    Effect.gen(function* () {
      const registry = yield* Registry
      const invalidated = yield* Invalidated
      const api = yield* client
      const mine = yield* newWorkspace
      const other = yield* newWorkspace
      const key = yield* api.keys.create({
        params: { w: mine.id },
        payload: { kind: "track", name: "n" },
      })
      invalidated.length = 0
      const unknown = yield* call("DELETE", `/workspaces/${other.id}/keys/${key.key_id}`)
      assertProblem(unknown, 404, "Not Found", /key not found/)
      assert.deepStrictEqual(invalidated, [])
      const revoked = yield* call("DELETE", `/workspaces/${mine.id}/keys/${key.key_id}`)
      assert.strictEqual(revoked.status, 204)
      assert.isNull(revoked.json)
      assert.deepStrictEqual(invalidated, [mine.id])
      assert.deepStrictEqual(yield* registry.keys(mine.id), [])
      const again = yield* call("DELETE", `/workspaces/${mine.id}/keys/${key.key_id}`)
      assertProblem(again, 404, "Not Found", /key not found/)
    }),
  )

  it.effect("an error of the management API names the invalid field of a new key", () =>
    Effect.gen(function* () {
      const { id } = yield* newWorkspace
      const keys = `/workspaces/${id}/keys`
      const wrong = [
        [{ kind: "magic", name: "n" }, /^kind: /],
        [{ kind: "track" }, /^name: required/],
        [{ kind: "track", name: "" }, /^name: Expected a name that is not blank/],
        [{ kind: "track", name: " " }, /^name: Expected a name that is not blank/],
        [{ kind: "track", name: "n".repeat(201) }, /^name: /],
        [{ kind: "track", name: "n", secret: "s" }, /^secret: unknown field/],
        [{ kind: "track", name: "n", expires_at: "soon" }, /^expires_at: Expected a time in ISO 8601/],
        [
          { kind: "track", name: "n", expires_at: "1970-01-01T00:00:00Z" },
          /^expires_at: expected an ISO 8601 time in the future/,
        ],
      ] as const
      for (const [body, detail] of wrong) {
        assertProblem(yield* call("POST", keys, { body }), 400, "Bad Request", detail)
      }
      const longest = { kind: "track", name: "n".repeat(200) }
      assert.strictEqual((yield* call("POST", keys, { body: longest })).status, 201)
    }),
  )
})
