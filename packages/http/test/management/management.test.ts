import { calls } from "./managementPaths.ts"
import { assert, layer } from "@effect/vitest"
import { operationIdText } from "@inlethq/core/values/Identifier"
import {
  byId,
  identify,
  identifyObject,
  objectOf,
  report,
  submitForm,
  suppress,
} from "@inlethq/store-conformance/script/commands"
import { Effect, Schema } from "effect"
import { HttpClient } from "effect/http"
import { apply, assertProblem, call, client, newWorkspace, server, svcIdOf } from "./managementServer.ts"

const send = (text: string, contentType: string) =>
  call("POST", "/workspaces", { text, headers: { "content-type": contentType } })

const lists = ["keys", "people", "activity", "objects", "segments", "forms", "deliveries"]

layer(server)("the management API", (it) => {
  it.effect("the management API responds with 401 to a request without the management token", () =>
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
      // The response is the same for existing and unknown workspaces, so it does not reveal which workspaces exist.
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

  it.effect("the management API does not accept an ingestion key as the management token", () =>
    Effect.gen(function* () {
      const api = yield* client
      const { id } = yield* newWorkspace
      for (const kind of ["track", "pipelines", "app"] as const) {
        const key = yield* api.keys.create({ params: { w: id }, payload: { kind, name: "n" } })
        const secret = key.kind === "track" ? key.api_key : key.kind === "app" ? key.app_key : key.write_key
        const answer = yield* call("GET", "/workspaces", {
          headers: { authorization: `Bearer ${secret}` },
        })
        assert.strictEqual(answer.status, 401)
      }
    }),
  )

  it.effect("the management API serves an OpenAPI document of all calls, and requires no token for it", () =>
    Effect.gen(function* () {
      const answer = yield* HttpClient.get("/management/v1/openapi.json")
      assert.strictEqual(answer.status, 200)
      const json = yield* answer.json
      const { components, paths } = yield* Schema.decodeUnknownEffect(
        Schema.Struct({
          paths: Schema.Record(Schema.String, Schema.Record(Schema.String, Schema.Json)),
          components: Schema.Struct({
            schemas: Schema.Record(
              Schema.String,
              Schema.Struct({ description: Schema.optionalKey(Schema.String) }),
            ),
          }),
        }),
      )(json)
      assert.deepStrictEqual(
        Object.fromEntries(
          Object.entries(paths).map(([path, methods]) => [
            path.replace(/^\/management\/v1/, ""),
            Object.keys(methods).toSorted(),
          ]),
        ),
        calls,
      )
      for (const [name, { description }] of Object.entries(components.schemas)) {
        if (!name.endsWith("Encoded")) assert.isNotEmpty(description ?? "", name)
      }
      const text = JSON.stringify(json)
      assert.include(text, "application/problem+json")
      assert.include(text, "text/event-stream")
    }),
  )

  it.effect("the management API responds with 404 to unknown paths and with 405 to unknown methods", () =>
    Effect.gen(function* () {
      for (const path of ["", "/nowhere", "/workspaces/1/nowhere", "/Workspaces", "/workspaces/"]) {
        assertProblem(yield* call("GET", path), 404, "Not Found", /unknown path/)
      }
      assertProblem(yield* call("POST", "/nowhere", { body: {} }), 404, "Not Found", /unknown path/)
      const answer = yield* call("DELETE", "/workspaces")
      assertProblem(answer, 405, "Method Not Allowed", "this path accepts GET, POST")
      assert.strictEqual(answer.headers["allow"], "GET, POST")
      assertProblem(yield* call("POST", "/openapi.json", { body: {} }), 405, "Method Not Allowed", /GET/)
      assert.strictEqual((yield* call("HEAD", "/workspaces")).status, 200)
      for (const method of ["OPTIONS", "QUERY"] as const) {
        assertProblem(yield* call(method, "/workspaces"), 405, "Method Not Allowed", /GET, POST/)
        assertProblem(yield* call(method, "/nowhere"), 404, "Not Found", /unknown path/)
      }
      assert.strictEqual((yield* call("HEAD", "/workspaces/1/import")).status, 405)
      const long = `/workspaces/1/people/${"x".repeat(1001)}`
      for (const path of [long, "/workspaces/%zz", "/workspaces/1/people/%ff", "/%"]) {
        assertProblem(yield* call("GET", path), 404, "Not Found", /unknown path/)
      }
      // Paths outside the management API get the 404 of the HTTP router.
      for (const path of ["/nowhere", "/%zz", "/management/v10", "/management/v10/%zz"]) {
        const beside = yield* HttpClient.get(path)
        assert.deepStrictEqual([beside.status, yield* beside.text], [404, ""])
      }
    }),
  )

  it.effect(
    "the management API rejects a body that is not JSON, has another media type or is too large, and says why",
    () =>
      Effect.gen(function* () {
        assertProblem(yield* send("{", "application/json"), 400, "Bad Request", /JSON/)
        assertProblem(
          yield* send("name=a", "text/plain"),
          415,
          "Unsupported Media Type",
          /`Content-Type: application\/json`/,
        )
        const tooLarge = yield* send(`{"name":"${"x".repeat(1024 * 1024)}"}`, "application/json")
        assertProblem(tooLarge, 413, "Payload Too Large", "the body is too large")
      }),
  )

  it.effect("the management API responds with 415 to a compressed body", () =>
    Effect.gen(function* () {
      const { id } = yield* newWorkspace
      for (const encoding of ["gzip", "br", "identity, gzip"]) {
        for (const [method, path] of [
          ["POST", "/workspaces"],
          ["PATCH", `/workspaces/${id}`],
        ] as const) {
          const headers = { "content-encoding": encoding }
          assertProblem(
            yield* call(method, path, { body: { name: "compressed" }, headers }),
            415,
            "Unsupported Media Type",
            "the management API does not accept compressed bodies",
          )
        }
      }
      const stranger = { "content-encoding": "gzip", authorization: "Bearer wrong" }
      assert.strictEqual((yield* call("POST", "/workspaces", { body: {}, headers: stranger })).status, 401)
      for (const encoding of ["identity", " Identity ", ""]) {
        const answer = yield* call("PATCH", `/workspaces/${id}`, {
          body: { name: "plain" },
          headers: { "content-encoding": encoding },
        })
        assert.strictEqual(answer.status, 200)
      }
    }),
  )

  it.effect("the management API responds with 404 to every path of an unknown workspace", () =>
    Effect.gen(function* () {
      for (const w of ["999999", "0", "abc", "1.5"]) {
        const detail = /workspace 999999 not found|unknown path/
        for (const path of [
          "",
          "/keys",
          "/people",
          "/people/p11000000001",
          "/people/p11000000001/activity",
          "/activity",
          "/activity/stream",
          "/operations/op11000000001",
          "/objects",
          "/objects/1/acme",
          "/objects/1/acme/people",
          "/segments",
          "/segments/1",
          "/segments/1/people",
          "/suppressions?id=ada",
          "/forms",
          "/forms/f",
          "/deliveries",
          "/deliveries/d",
        ]) {
          assertProblem(yield* call("GET", `/workspaces/${w}${path}`), 404, "Not Found", detail)
        }
        assertProblem(yield* call("PATCH", `/workspaces/${w}`, { body: {} }), 404, "Not Found", detail)
        for (const path of ["/keys/k", "/segments/1"]) {
          assertProblem(yield* call("DELETE", `/workspaces/${w}${path}`), 404, "Not Found", detail)
        }
        for (const [method, path, body] of [
          ["POST", "/keys", { kind: "track", name: "n" }],
          ["POST", "/segments", { name: "n" }],
          ["PATCH", "/forms/f", { mapping: {} }],
          ["PUT", "/deliveries/d", { channel: "email" }],
        ] as const) {
          assertProblem(yield* call(method, `/workspaces/${w}${path}`, { body }), 404, "Not Found", detail)
        }
      }
    }),
  )

  it.effect("the management API shows the data of a workspace only in this workspace", () =>
    Effect.gen(function* () {
      const mine = yield* newWorkspace
      const other = yield* newWorkspace
      const [entry] = yield* apply(
        identify(byId("ada"), [], { in: mine, email: "ada@example.com", anonymousId: "v" }),
        identifyObject(objectOf("1", "acme"), [], [], { in: mine }),
        submitForm("f", Object.entries({ email: "ada@example.com" }), { in: mine }),
        report("d", "opened", { in: mine }),
        identify(byId("eve"), [], { in: mine }),
        suppress(byId("eve"), { in: mine }),
      )
      const api = yield* client
      const segment = yield* api.segments.create({ params: { w: mine.id }, payload: { name: "s" } })
      if (entry === undefined) return assert.fail("nothing was recorded")
      const path = `/workspaces/${other.id}`
      for (const list of [...lists, "people?id=ada", "people?q=a", "people?anonymous_id=v"]) {
        assert.deepInclude((yield* call("GET", `${path}/${list}`)).json, { items: [], next: null }, list)
      }
      const svcId = svcIdOf(entry)
      const found = yield* call("GET", `${path}/people?svc_id=${svcId}`)
      assert.deepStrictEqual(found.json, { items: [], next: null })
      const suppressed = yield* call("GET", `${path}/suppressions?id=eve`)
      assert.deepStrictEqual(suppressed.json, { suppressed: false })
      const one = `segments/${segment.segment_id}`
      for (const document of [
        `people/${svcId}`,
        `people/${svcId}/activity`,
        `operations/${operationIdText(entry.workspace, entry.sequence, null)}`,
        "objects/1/acme",
        one,
        `${one}/people`,
        "forms/f",
        "deliveries/d",
      ]) {
        assertProblem(
          yield* call("GET", `${path}/${document}`),
          404,
          "Not Found",
          /not found in this workspace/,
        )
      }
      assertProblem(yield* call("DELETE", `${path}/${one}`), 404, "Not Found", /segment not found/)
      const patch = yield* call("PATCH", `${path}/forms/f`, { body: { mapping: { email: "id" } } })
      assertProblem(patch, 404, "Not Found", /form not found/)
      assert.strictEqual((yield* call("GET", `/workspaces/${mine.id}/${one}`)).status, 200)
    }),
  )

  it.effect("an error of the management API names the invalid query parameter of a request for a page", () =>
    Effect.gen(function* () {
      const { id } = yield* newWorkspace
      for (const path of ["", ...lists.map((list) => `/${id}/${list}`)]) {
        for (const [query, detail] of [
          ["limit=0", /^limit: /],
          ["limit=1001", /^limit: /],
          ["limit=x", /^limit: /],
          ["limit=1&limit=2", /^limit: /],
          ["after=1", /^after: must be the `next` value of an earlier page/],
          ["after=z1", /^after: must be the `next` value of an earlier page/],
          ["order=up", /^order: /],
        ] as const) {
          const answer = yield* call("GET", `/workspaces${path}?${query}`)
          assertProblem(answer, 400, "Bad Request", detail)
        }
      }
    }),
  )

  it.effect("an error of the management API names each unknown query parameter", () =>
    Effect.gen(function* () {
      const { id } = yield* newWorkspace
      const unknown = /^(nme: unknown field; __proto__: |__proto__: .*; nme: )unknown field$/
      for (const path of [
        "",
        `/${id}`,
        ...lists.map((list) => `/${id}/${list}`),
        `/${id}/activity/stream`,
        `/${id}/operations/op11000000001`,
        `/${id}/people/p11000000001`,
        `/${id}/people/p11000000001/activity`,
        `/${id}/objects/1/acme`,
        `/${id}/objects/1/acme/people`,
        `/${id}/segments/1`,
        `/${id}/segments/1/people`,
        `/${id}/suppressions`,
        `/${id}/forms/f`,
        `/${id}/deliveries/d`,
      ]) {
        const answer = yield* call("GET", `/workspaces${path}?nme=ada&__proto__=x`)
        assertProblem(answer, 400, "Bad Request", unknown)
      }
      for (const [method, path, body] of [
        ["POST", "", { name: "n" }],
        ["PATCH", `/${id}`, {}],
        ["POST", `/${id}/keys`, { kind: "track", name: "n" }],
        ["DELETE", `/${id}/keys/k`],
        ["POST", `/${id}/segments`, { name: "n" }],
        ["DELETE", `/${id}/segments/1`],
        ["PATCH", `/${id}/forms/f`, { mapping: {} }],
        ["PUT", `/${id}/deliveries/d`, { channel: "email" }],
      ] as const) {
        const options = body === undefined ? {} : { body }
        const answer = yield* call(method, `/workspaces${path}?nme=ada&__proto__=x`, options)
        assertProblem(answer, 400, "Bad Request", unknown)
      }
      const segments = yield* call("GET", `/workspaces/${id}/segments`)
      assert.deepStrictEqual(segments.json, { items: [], next: null })
    }),
  )
})
