import { assert, layer } from "@effect/vitest"
import { svcIdText, svcObjectIdText, SubjectKey } from "@inlethq/core/values/Identifier"
import {
  byId,
  identify,
  identifyObject,
  objectOf,
  register,
  submitForm,
} from "@inlethq/store-conformance/script/commands"
import { createSegment } from "@inlethq/store-conformance/script/segmentCommands"
import { Effect, Schema } from "effect"
import { apply, assertProblem, call, client, newWorkspace, server } from "./managementServer.ts"

const Token = Schema.Struct({ token: Schema.String })

const Everywhere = Schema.Struct({
  items: Schema.Array(
    Schema.Struct({
      environment_id: Schema.Int,
      name: Schema.String,
      found: Schema.Struct({ kind: Schema.String, exact: Schema.Boolean }),
    }),
  ),
})

/** Returns where a search in all workspaces finds something, and what, with a token or else that of the installation. */
const foundEverywhere = (q: string, token?: string) =>
  call("GET", `/search?q=${encodeURIComponent(q)}`, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  }).pipe(
    Effect.flatMap(({ json }) => Schema.decodeUnknownEffect(Everywhere)(json)),
    Effect.map(({ items }) =>
      items.map(({ environment_id, found, name }) => [environment_id, name, found.kind, found.exact]),
    ),
  )

layer(server)("search in the management API", (it) => {
  it.effect(
    "one search finds people, objects, deliveries, segments, forms and operations, exact matches first",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        const api = yield* client
        const at = { in: workspace }
        const [ada, , thing] = yield* apply(
          identify(
            byId("user-12"),
            [
              ["first_name", "Ada"],
              ["last_name", "Lovelace"],
            ],
            { ...at, email: "ada@example.com" },
          ),
          identify(byId("user-129"), [], at),
          identifyObject(objectOf("1", "user-12"), [], [], at),
          register("user-12", byId("user-12"), at),
          createSegment("User-12", at),
          createSegment("Friends of user-129", at),
          submitForm("user-12", [["id", "user-12"]], at),
        )
        if (ada?.subject == null || thing?.subject == null) return assert.fail("nothing was recorded")
        const find = (q: string, given: Partial<Parameters<typeof api.search.find>[0]["query"]> = {}) =>
          Effect.map(
            api.search.find({ params: { w: workspace.id }, query: { q, ...given } }),
            ({ items }) => items,
          )
        const kinds = (q: string) =>
          Effect.map(find(q), (items) => items.map(({ exact, kind }) => `${exact ? "=" : "~"} ${kind}`))
        const svcId = svcIdText(workspace.id, ada.subject)
        const person = {
          svc_id: svcId,
          id: "user-12",
          email: "ada@example.com",
          name: "Ada Lovelace",
          merged_svc_id: null,
        }
        assert.deepStrictEqual(yield* find("love"), [{ kind: "person", exact: false, ...person }])
        assert.deepStrictEqual(yield* kinds("user-12"), [
          "= form",
          "= delivery",
          "= object",
          "= person",
          "= segment",
          "~ person",
          "~ segment",
        ])
        for (const form of [svcId, `svc_${svcId}`, `cio_${svcId}`, " user-12 ", "ADA@example.com"]) {
          const items = yield* find(form, { kind: "person" })
          assert.deepStrictEqual(items[0], { kind: "person", exact: true, ...person }, form)
        }
        const objectId = svcObjectIdText(workspace.id, SubjectKey.make(thing.subject))
        const object = { object_type_id: "1", object_id: "user-12", svc_object_id: objectId, name: null }
        for (const form of [objectId, `svc_${objectId}`, `cio_${objectId}`, "1/user-12"]) {
          assert.deepStrictEqual(yield* find(form), [{ kind: "object", exact: true, ...object }], form)
        }
        const { items } = yield* api.activity.list({ params: { w: workspace.id }, query: { limit: 1 } })
        const operation_id = items[0]?.operation_id ?? ""
        assert.deepStrictEqual(yield* find(operation_id), [{ kind: "operation", exact: true, operation_id }])
        assert.deepStrictEqual(yield* kinds(`${operation_id}9`), [])
        assert.deepStrictEqual(yield* find("  "), [])
        const segments = yield* find("friends")
        const id =
          segments.flatMap((one) => (one.kind === "segment" ? [String(one.segment_id)] : []))[0] ?? ""
        assert.deepStrictEqual(yield* kinds(id), ["= segment"])
        const elsewhere = yield* newWorkspace
        assert.deepStrictEqual(
          (yield* api.search.find({ params: { w: elsewhere.id }, query: { q: "user-12" } })).items,
          [],
        )
      }),
  )

  it.effect(
    "a search in all workspaces finds only what the text names in full, where the token may read",
    () =>
      Effect.gen(function* () {
        const [first, second, third] = [yield* newWorkspace, yield* newWorkspace, yield* newWorkspace]
        yield* apply(
          identify(byId("everywhere-1"), [["name", "everywhere-1"]], { in: first }),
          identify(byId("everywhere-12"), [], { in: first }),
          identifyObject(objectOf("1", "everywhere-1"), [], [], { in: second }),
          identify(byId("everywhere-1"), [], { in: third }),
        )
        const issued = yield* call("POST", "/tokens", {
          body: { name: "two", scope: "read", workspaces: [first.id, second.id] },
        })
        const { token } = yield* Schema.decodeUnknownEffect(Schema.Struct({ token: Schema.String }))(
          issued.json,
        )
        const ofFirst = [first.id, first.name, "person", true]
        const ofSecond = [second.id, second.name, "object", true]
        assert.deepStrictEqual(yield* foundEverywhere(" everywhere-1 ", token), [ofFirst, ofSecond])
        assert.deepStrictEqual(yield* foundEverywhere("everywhere-1"), [
          ofFirst,
          ofSecond,
          [third.id, third.name, "person", true],
        ])
        const masked = yield* call("POST", "/tokens", {
          body: { name: "masked", scope: "read", workspaces: [first.id], masked: true },
        })
        const hidden = yield* call("GET", "/search?q=everywhere-1", {
          headers: {
            authorization: `Bearer ${(yield* Schema.decodeUnknownEffect(Token)(masked.json)).token}`,
          },
        })
        assert.strictEqual(hidden.status, 200)
        assert.notInclude(JSON.stringify(hidden.json), "everywhere-1")
        assert.deepStrictEqual(yield* foundEverywhere("everywhere"), [])
        assert.deepStrictEqual(yield* foundEverywhere("  "), [])
      }),
  )

  it.effect("a search says if it compared only the names of the newest 2,000 segments", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const api = yield* client
      const find = (q: string) => api.search.find({ params: { w: workspace.id }, query: { q } })
      yield* apply(
        ...Array.from({ length: 2000 }, (_, n) => createSegment(`Segment ${n}`, { in: workspace })),
      )
      const all = yield* find("segment 0")
      assert.deepStrictEqual([all.items.length, all.partly_searched], [1, []])
      yield* apply(createSegment("One more", { in: workspace }))
      const newest = yield* find("segment 0")
      assert.deepStrictEqual([newest.items.length, newest.partly_searched], [0, ["segment"]])
      const [first] = all.items
      if (first?.kind !== "segment") return assert.fail("no segment was found")
      assert.deepStrictEqual((yield* find(String(first.segment_id))).items[0], first)
      assert.deepStrictEqual((yield* find("nobody")).partly_searched, ["segment"])
    }),
  )

  it.effect("a search responds with 400 to a missing or too long text, and to a limit above 50", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      for (const query of ["", "?q=", `?q=${"x".repeat(1001)}`, "?q=x&limit=51", "?q=x&kind=cat"]) {
        const answer = yield* call("GET", `/workspaces/${workspace.id}/search${query}`)
        assertProblem(answer, 400, "Bad Request", /./)
      }
    }),
  )
})
