import { assert, layer } from "@effect/vitest"
import { segmentOfId } from "@inlethq/contract/values/pathSegments"
import { Sequence, svcObjectIdText } from "@inlethq/core/values/Identifier"
import {
  byAnonymousId,
  byId,
  deleteObject,
  identify,
  identifyObject,
  objectOf,
  remove,
  unrelate,
} from "@inlethq/store-conformance/script/commands"
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
  svcIdOf,
} from "./managementServer.ts"

layer(server)("objects in the management API", (it) => {
  it.effect("shows an object as it was at each position of the log, and the people who are not erased", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const here = { in: workspace }
      const acme = objectOf("1", "acme")
      const entries = yield* apply(
        identify(byId("ada"), [["name", "Ada"]], { ...here, email: "ada@example.com" }),
        identify(byId("bob"), [], here),
        identifyObject(acme, [["plan", "pro"]], [[byId("ada"), [["role", "ceo"]]], [byId("bob")]], here),
        identifyObject(acme, [["plan", "team"]], [[byAnonymousId("cookie")]], here),
        unrelate(byId("bob"), [[acme]], here),
        deleteObject(acme, here),
        identifyObject(acme, [["seats", 3]], [], here),
        remove(byId("bob"), here),
        identify(byId("ada"), [["name", "Grace"]], here),
      )
      const api = yield* client
      const params = { w: workspace.id, object_type_id: "1", object_id: "acme" }
      const asOf = Effect.fnUntraced(function* (position: number) {
        const query = { position: Sequence.make(position) }
        const found = yield* api.objects.get({ params, query })
        const { items } = yield* api.objects.people({ params, query })
        const people = items.map(({ attributes, id, name }) => [id, name, attributes])
        return [found.attributes, found.people_total, people, found.as_of?.position]
      })
      const ada = ["ada", "Ada", { role: "ceo" }]
      assert.deepStrictEqual(yield* asOf(3), [{ plan: "pro" }, 1, [ada], 3])
      assert.deepStrictEqual(yield* asOf(4), [{ plan: "team" }, 1, [ada], 4])
      assert.deepStrictEqual(yield* asOf(5), [{ plan: "team" }, 1, [ada], 5])
      assert.deepStrictEqual(yield* asOf(9), [{ seats: 3 }, 0, [], 9])
      const path = `/workspaces/${workspace.id}/objects/1/acme`
      const none = "there was no such object at that moment"
      for (const position of [2, 6]) {
        assertProblem(yield* call("GET", `${path}?position=${position}`), 404, "Not Found", none)
        assertProblem(yield* call("GET", `${path}/people?position=${position}`), 404, "Not Found", none)
      }
      assertProblem(yield* call("GET", `${path}?position=3&at=2026-01-01`), 400, "Bad Request", /not both/)
      const adaThen = yield* api.people.get({
        params: { w: workspace.id, svc_id: svcIdOf(entries[0]) },
        query: { position: Sequence.make(4) },
      })
      assert.deepStrictEqual(adaThen.relationships, [
        { object_type_id: "1", object_id: "acme", attributes: { role: "ceo" } },
      ])
    }),
  )

  it.effect(
    "track-api §2.2: the management API shows an object with the people and visitors related to it",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        const [ada, acme] = yield* apply(
          identify(
            byId("ada"),
            [
              ["first_name", "Ada"],
              ["last_name", "Lovelace"],
            ],
            { in: workspace, email: "ada@example.com", anonymousId: "known" },
          ),
          identifyObject(
            objectOf("1", "acme"),
            [
              ["plan", "pro"],
              ["created_at", "1999"],
              ["unsubscribed", true],
            ],
            [
              [byId("ada"), [["role", "ceo"]]],
              [byAnonymousId("v"), [["since", 2020]]],
            ],
            { in: workspace },
          ),
        )
        if (acme?.subject == null) return assert.fail("nothing was created")
        const document = {
          object_type_id: "1",
          object_id: "acme",
          svc_object_id: svcObjectIdText(workspace.id, acme.subject),
          attributes: { plan: "pro", created_at: "1999", unsubscribed: true },
          people_total: 2,
          created_at: receivedAt,
          updated_at: receivedAt,
        }
        const path = `/workspaces/${workspace.id}/objects`
        assert.deepStrictEqual((yield* call("GET", `${path}/1/acme`)).json, document)
        for (const query of ["", "?object_type_id=1"]) {
          assert.deepStrictEqual((yield* call("GET", path + query)).json, { items: [document], next: null })
        }
        const people = [
          {
            svc_id: svcIdOf(ada),
            id: "ada",
            email: "ada@example.com",
            name: "Ada Lovelace",
            anonymous_id: null,
            attributes: { role: "ceo" },
          },
          { svc_id: null, id: null, email: null, name: null, anonymous_id: "v", attributes: { since: 2020 } },
        ]
        const first = yield* call("GET", `${path}/1/acme/people`)
        assert.deepStrictEqual(first.json, { items: people.toReversed(), next: null })
        const seen = yield* readPages(`${path}/1/acme/people`, "order=asc", "anonymous_id")
        assert.deepStrictEqual(seen, [null, "v"])
        const others = yield* call("GET", `${path}?object_type_id=2`)
        assert.deepStrictEqual(others.json, { items: [], next: null })
      }),
  )

  it.effect(
    "contract §7: after a visitor is identified, the management API shows the visitor's relationships under the person",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        const api = yield* client
        const [, ada] = yield* apply(
          identifyObject(objectOf("1", "acme"), [], [[byAnonymousId("v"), [["role", "guest"]]]], {
            in: workspace,
          }),
          identify(byId("ada"), [], { in: workspace, anonymousId: "v" }),
        )
        const params = { w: workspace.id, object_type_id: "1", object_id: "acme" }
        const { items } = yield* api.objects.people({ params, query: {} })
        const attributes = { role: "guest" }
        assert.deepStrictEqual(items, [
          { svc_id: svcIdOf(ada), id: "ada", email: null, name: null, anonymous_id: null, attributes },
        ])
      }),
  )

  it.effect(
    "contract §9: the management API finds an object by any percent-encoded id until the object is deleted",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        const api = yield* client
        const objectIds = [
          "a/b c",
          "100%25",
          "%2F",
          "é+;=?#",
          "1:acme",
          ".",
          "..",
          "~.",
          "%2E%2E",
          "x".repeat(150),
        ]
        for (const objectId of objectIds) {
          const reference = objectOf("a/b", objectId)
          const params = { w: workspace.id, object_type_id: "a/b", object_id: objectId }
          const path = `/workspaces/${workspace.id}/objects/a%2Fb/${encodeURIComponent(segmentOfId(objectId))}`
          assertProblem(yield* call("GET", path), 404, "Not Found", /object not found/)
          assertProblem(yield* call("GET", `${path}/people`), 404, "Not Found", /object not found/)
          yield* apply(identifyObject(reference, [], [], { in: workspace }))
          assert.strictEqual((yield* api.objects.get({ params, query: {} })).object_id, objectId)
          yield* apply(deleteObject(reference, { in: workspace }))
          assertProblem(yield* call("GET", path), 404, "Not Found", /object not found/)
        }
      }),
  )

  it.effect("the management API pages through the objects of a type in both orders", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const ids = ["o1", "o2", "o3", "o4", "o5"]
      yield* apply(
        ...ids.flatMap((id) => [
          identifyObject(objectOf("1", id), [], [], { in: workspace }),
          identifyObject(objectOf("2", id), [], [], { in: workspace }),
        ]),
      )
      for (const order of ["asc", "desc"] as const) {
        const seen = yield* readPages(
          `/workspaces/${workspace.id}/objects`,
          `object_type_id=2&order=${order}`,
          "object_id",
        )
        assert.deepStrictEqual(seen, order === "asc" ? ids : ids.toReversed())
      }
    }),
  )
})
