import { assert, layer } from "@effect/vitest"
import { Registry } from "@inlet/core/Registry"
import { Effect, Option } from "effect"
import { HttpClient } from "effect/http"
import { digestOf } from "../src/Secret.ts"
import { assertProblem, call, client, Invalidated, newWorkspace, server } from "./managementServer.ts"

const send = (text: string, contentType: string) =>
  call("POST", "/workspaces", { text, headers: { "content-type": contentType } })

layer(server)("the management API", (it) => {
  it.effect("needs the management token", () =>
    Effect.gen(function* () {
      const refused = [
        { authorization: "" },
        { authorization: "Bearer " },
        { authorization: "Bearer wrong" },
        { authorization: "Basic dGhlLW1hbmFnZW1lbnQtdG9rZW4=" },
      ]
      for (const headers of refused) {
        const answer = yield* call("GET", "/workspaces", { headers })
        assertProblem(answer, 401, "Unauthorized", /Bearer/)
        assert.strictEqual(answer.headers["www-authenticate"], "Bearer")
      }
      // Who is not let in learns nothing about what is there.
      assertProblem(
        yield* call("GET", "/workspaces/999?limit=x", { headers: { authorization: "Bearer wrong" } }),
        401,
        "Unauthorized",
        /Bearer/,
      )
      const accepted = yield* call("GET", "/workspaces", {
        headers: { authorization: "bearer the-management-token" },
      })
      assert.strictEqual(accepted.status, 200)
      assert.strictEqual(accepted.headers["cache-control"], "no-store")
    }),
  )

  it.effect("is not opened by an ingestion key", () =>
    Effect.gen(function* () {
      const api = yield* client
      const { id } = yield* newWorkspace
      for (const kind of ["track", "pipelines"] as const) {
        const key = yield* api.keys.create({ params: { w: id }, payload: { kind, name: "n" } })
        const secret = key.kind === "track" ? key.api_key : key.write_key
        const answer = yield* call("GET", "/workspaces", {
          headers: { authorization: `Bearer ${secret}` },
        })
        assert.strictEqual(answer.status, 401)
      }
    }),
  )

  it.effect("describes itself without a token", () =>
    Effect.gen(function* () {
      const answer = yield* HttpClient.get("/management/v1/openapi.json")
      const document = JSON.stringify(yield* answer.json)
      assert.strictEqual(answer.status, 200)
      for (const path of [
        "/workspaces",
        "/workspaces/{w}",
        "/workspaces/{w}/keys",
        "/workspaces/{w}/keys/{key_id}",
        "/workspaces/{w}/people",
        "/workspaces/{w}/people/{svc_id}",
        "/workspaces/{w}/people/{svc_id}/activity",
        "/workspaces/{w}/activity",
        "/workspaces/{w}/activity/stream",
        "/workspaces/{w}/operations/{operation_id}",
      ]) {
        assert.include(document, `"/management/v1${path}":`)
      }
      assert.include(document, "application/problem+json")
      assert.include(document, "text/event-stream")
    }),
  )

  it.effect("answers 404 for unknown paths and 405 for unknown methods", () =>
    Effect.gen(function* () {
      for (const path of ["", "/nowhere", "/workspaces/1/nowhere", "/Workspaces", "/workspaces/"]) {
        assertProblem(yield* call("GET", path), 404, "Not Found", /no such path/)
      }
      assertProblem(yield* call("POST", "/nowhere", { body: {} }), 404, "Not Found", /no such path/)
      const answer = yield* call("DELETE", "/workspaces")
      assertProblem(answer, 405, "Method Not Allowed", "this path takes GET, POST")
      assert.strictEqual(answer.headers["allow"], "GET, POST")
      assertProblem(yield* call("POST", "/openapi.json", { body: {} }), 405, "Method Not Allowed", /GET/)
      assert.strictEqual((yield* call("HEAD", "/workspaces")).status, 200)
    }),
  )

  it.effect("creates, shows and lists workspaces", () =>
    Effect.gen(function* () {
      const created = yield* call("POST", "/workspaces", { body: { name: "Shop" } })
      assert.strictEqual(created.status, 201)
      const api = yield* client
      const { environment_id: w } = yield* api.workspaces.create({
        payload: {
          name: "Blog",
          region: "eu",
          identifiers: ["email"],
          email_update_by_id: true,
          event_merging: false,
          rate_limit: "throttle",
          limits: { request_bytes: 65_536 },
        },
      })
      const shown = yield* call("GET", `/workspaces/${w}`)
      assert.strictEqual(shown.status, 200)
      assert.deepStrictEqual(shown.json, {
        environment_id: w,
        name: "Blog",
        region: "eu",
        identifiers: ["email"],
        email_update_by_id: true,
        event_merging: false,
        rate_limit: "throttle",
        limits: {
          request_bytes: 65_536,
          batch_bytes: 512_000,
          batch_item_bytes: 32_768,
          person_id_bytes: 150,
          object_id_bytes: 150,
          attribute_name_bytes: 150,
          attribute_value_bytes: 1000,
          attributes_per_person: 300,
          attributes_per_object: 300,
          object_attributes_bytes: 102_400,
          event_name_bytes: 100,
          event_data_bytes: 100_000,
          segment_ids: 1000,
          rate_requests: 3000,
          rate_window_seconds: 3,
        },
      })
      const newestFirst = yield* api.workspaces.list({ query: { limit: 2 } })
      assert.deepStrictEqual(
        newestFirst.items.map(({ name }) => name),
        ["Blog", "Shop"],
      )
    }),
  )

  it.effect("pages through workspaces both ways", () =>
    Effect.gen(function* () {
      const api = yield* client
      yield* Effect.forEach([1, 2, 3], () => newWorkspace)
      const all = yield* Registry.use((registry) => registry.workspaces)
      const ids = all.map(({ id }) => id)
      for (const order of ["asc", "desc"] as const) {
        const seen: Array<number> = []
        let page = yield* api.workspaces.list({ query: { limit: 2, order } })
        seen.push(...page.items.map((item) => item.environment_id))
        while (page.next !== null) {
          page = yield* api.workspaces.list({ query: { limit: 2, order, after: page.next } })
          seen.push(...page.items.map((item) => item.environment_id))
        }
        assert.deepStrictEqual(seen, order === "asc" ? ids : ids.toReversed())
      }
    }),
  )

  it.effect("changes any part of a workspace, and says so", () =>
    Effect.gen(function* () {
      const invalidated = yield* Invalidated
      const before = yield* newWorkspace
      const path = `/workspaces/${before.id}`
      invalidated.length = 0
      const answer = yield* call("PATCH", path, {
        body: { identifiers: ["id"], limits: { rate_requests: 10 } },
      })
      assert.strictEqual(answer.status, 200)
      assert.deepStrictEqual(answer.json, (yield* call("GET", path)).json)
      assert.deepStrictEqual(
        yield* Registry.use((registry) => registry.workspace(before.id)),
        Option.some({
          ...before,
          identifiers: { id: true, email: false },
          limits: { ...before.limits, rateRequestsMax: 10 },
        }),
      )
      assert.deepStrictEqual(invalidated, [before.id])
      assert.strictEqual((yield* call("PATCH", path, { body: {} })).status, 200)
    }),
  )

  it.effect("says which field of a workspace is wrong", () =>
    Effect.gen(function* () {
      const { id } = yield* newWorkspace
      const wrong = [
        [{ identifiers: [] }, /^identifiers: /],
        [{ identifiers: ["phone"] }, /^identifiers\.0: /],
        [{ region: "mars" }, /^region: /],
        [{ rate_limit: true }, /^rate_limit: /],
        [{ name: " " }, /^name: /],
        [{ limits: { request_bytes: 0 } }, /^limits\.request_bytes: /],
        [{ limits: { request_bytes: 1.5 } }, /^limits\.request_bytes: /],
        [{ limits: { speed: 1 } }, /^limits\.speed: /],
        [{ environment_id: 7 }, /^environment_id: /],
        [{ colour: "red", event_merging: 1 }, /event_merging: .*colour: |colour: .*event_merging: /],
        [[], /object/],
      ] as const
      for (const [body, detail] of wrong) {
        assertProblem(yield* call("PATCH", `/workspaces/${id}`, { body }), 400, "Bad Request", detail)
      }
      assertProblem(yield* call("POST", "/workspaces", { body: {} }), 400, "Bad Request", /^name: /)
      assertProblem(yield* call("POST", "/workspaces"), 400, "Bad Request", /object/)
    }),
  )

  it.effect("says what is wrong with a body that is no JSON", () =>
    Effect.gen(function* () {
      assertProblem(yield* send("{", "application/json"), 400, "Bad Request", /JSON/)
      assertProblem(yield* send("name=a", "text/plain"), 415, "Unsupported Media Type", /application\/json/)
      const tooLarge = yield* send(`{"name":"${"x".repeat(1024 * 1024)}"}`, "application/json")
      assertProblem(tooLarge, 413, "Payload Too Large", "the body is too large")
    }),
  )

  it.effect("answers 404 for an unknown workspace everywhere", () =>
    Effect.gen(function* () {
      for (const w of ["999999", "0", "abc", "1.5"]) {
        const detail = /no workspace 999999|no such path/
        for (const path of [
          "",
          "/keys",
          "/people",
          "/people/p000000001",
          "/people/p000000001/activity",
          "/activity",
          "/activity/stream",
          "/operations/op0000000001",
        ]) {
          assertProblem(yield* call("GET", `/workspaces/${w}${path}`), 404, "Not Found", detail)
        }
        assertProblem(yield* call("PATCH", `/workspaces/${w}`, { body: {} }), 404, "Not Found", detail)
        assertProblem(yield* call("DELETE", `/workspaces/${w}/keys/k`), 404, "Not Found", detail)
        const key = { kind: "track", name: "n" }
        assertProblem(yield* call("POST", `/workspaces/${w}/keys`, { body: key }), 404, "Not Found", detail)
      }
    }),
  )

  it.effect("issues a key once and keeps its digest only", () =>
    Effect.gen(function* () {
      const registry = yield* Registry
      const invalidated = yield* Invalidated
      const api = yield* client
      const { id } = yield* newWorkspace
      invalidated.length = 0
      const track = yield* api.keys.create({ params: { w: id }, payload: { kind: "track", name: "Web" } })
      const write = yield* api.keys.create({ params: { w: id }, payload: { kind: "pipelines", name: "" } })
      assert.deepStrictEqual(invalidated, [id, id])
      if (track.kind !== "track" || write.kind !== "pipelines") return assert.fail("wrong kinds")
      assert.hasAllKeys(track, ["key_id", "kind", "name", "site_id", "api_key"])
      assert.hasAllKeys(write, ["key_id", "kind", "name", "write_key"])
      for (const secret of [track.api_key, write.write_key]) assert.match(secret, /^[0-9a-f]{40,}$/)

      const bySite = yield* registry.find({ kind: "track", siteId: track.site_id })
      assert.strictEqual(Option.getOrThrow(bySite).key.digest, digestOf(track.api_key))
      const byDigest = yield* registry.find({ kind: "pipelines", digest: digestOf(write.write_key) })
      assert.strictEqual(Option.getOrThrow(byDigest).workspace.id, id)

      const listed = yield* call("GET", `/workspaces/${id}/keys?order=asc`)
      const created_at = "1970-01-01T00:00:00.000Z"
      const { api_key: _a, ...trackKey } = track
      const { write_key: _w, ...writeKey } = write
      const both = [
        { ...trackKey, created_at },
        { ...writeKey, site_id: null, created_at },
      ]
      assert.sameDeepMembers((yield* api.keys.list({ params: { w: id }, query: {} })).items.slice(), both)
      assert.notInclude(JSON.stringify(listed.json), track.api_key)
      assert.notInclude(JSON.stringify(listed.json), digestOf(track.api_key))
    }),
  )

  it.effect("pages through keys both ways", () =>
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

  it.effect("revokes a key, and says so", () =>
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
      assertProblem(unknown, 404, "Not Found", /no such key/)
      assert.deepStrictEqual(invalidated, [])
      const revoked = yield* call("DELETE", `/workspaces/${mine.id}/keys/${key.key_id}`)
      assert.strictEqual(revoked.status, 204)
      assert.isNull(revoked.json)
      assert.deepStrictEqual(invalidated, [mine.id])
      assert.deepStrictEqual(yield* registry.keys(mine.id), [])
      const again = yield* call("DELETE", `/workspaces/${mine.id}/keys/${key.key_id}`)
      assertProblem(again, 404, "Not Found", /no such key/)
    }),
  )

  it.effect("says which field of a key or a page is wrong", () =>
    Effect.gen(function* () {
      const { id } = yield* newWorkspace
      const keys = `/workspaces/${id}/keys`
      const wrong = [
        [{ kind: "magic", name: "n" }, /^kind: /],
        [{ kind: "track" }, /^name: /],
        [{ kind: "track", name: "n", secret: "s" }, /^secret: /],
      ] as const
      for (const [body, detail] of wrong) {
        assertProblem(yield* call("POST", keys, { body }), 400, "Bad Request", detail)
      }
      for (const path of ["keys", "people", "activity"]) {
        for (const [query, detail] of [
          ["limit=0", /^limit: /],
          ["limit=1001", /^limit: /],
          ["limit=x", /^limit: /],
          ["after=nonsense", /^after: Expected the `next` of a page/],
          ["order=up", /^order: /],
        ] as const) {
          const answer = yield* call("GET", `/workspaces/${id}/${path}?${query}`)
          assertProblem(answer, 400, "Bad Request", detail)
        }
      }
      assertProblem(yield* call("GET", "/workspaces?after=1"), 400, "Bad Request", /^after: /)
    }),
  )
})
