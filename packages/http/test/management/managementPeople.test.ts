import { assert, layer } from "@effect/vitest"
import {
  addDevice,
  byId,
  deleteObject,
  event,
  identify,
  merge,
  objectOf,
} from "@inlethq/store-conformance/script/commands"
import { joinSegment } from "@inlethq/store-conformance/script/segmentCommands"
import { Effect, Schema } from "effect"
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

const decodePeople = Schema.decodeUnknownEffect(
  Schema.Struct({ items: Schema.Tuple([Schema.Record(Schema.String, Schema.Json)]) }),
)

/** Requests a list with a single person, and returns a field of this person. */
const shown = Effect.fnUntraced(function* (path: string, field: string) {
  const { items } = yield* decodePeople((yield* call("GET", path)).json)
  return items[0][field]
})

layer(server)("people in the management API", (it) => {
  it.effect("a list of people by the beginning of a text gives exact matches first, and nobody twice", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const entries = yield* apply(
        ...["user-12", "user-1", "user-129", "user-120", "other"].map((id) =>
          identify(byId(id), id === "other" ? [["name", "Ada User-1"]] : [], { in: workspace }),
        ),
      )
      const idsOf = (query: string, limit: number) =>
        readPages(`/workspaces/${workspace.id}/people`, query, "id", limit)
      for (const limit of [1, 2, 3, 50]) {
        assert.deepStrictEqual(yield* idsOf("q=user-12", limit), ["user-12", "user-120", "user-129"])
        const oldest = yield* idsOf("q=user-12&order=asc", limit)
        assert.deepStrictEqual([...oldest].toSorted(), ["user-12", "user-120", "user-129"])
        assert.deepStrictEqual(yield* idsOf("q=user-1", limit), [
          "user-1",
          "other",
          "user-120",
          "user-129",
          "user-12",
        ])
        assert.deepStrictEqual(yield* idsOf("q=USER-1", limit), ["other"])
        assert.deepStrictEqual(yield* idsOf(`q=${svcIdOf(entries[2])}`, limit), ["user-129"])
      }
    }),
  )

  it.effect("the management API shows a person in the list of people and by svc_id", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const [entry] = yield* apply(
        identify(
          byId("ada"),
          [
            ["plan", "pro"],
            ["tags", ["a", { b: 1 }]],
            ["created_at", 1_600_000_000],
            ["unsubscribed", "TRUE"],
            ["svc_subscription_preferences.topics.news", false],
          ],
          { in: workspace, email: "Ada@Example.com", anonymousId: "anon-1" },
        ),
      )
      const svcId = svcIdOf(entry)
      const ada = {
        svc_id: svcId,
        id: "ada",
        email: "Ada@Example.com",
        anonymous_ids: ["anon-1"],
        attributes: { plan: "pro", tags: ["a", { b: 1 }] },
        created_at: "2020-09-13T12:26:40.000Z",
        updated_at: receivedAt,
        unsubscribed: true,
        subscription_preferences: { topics: { news: false } },
        devices: [],
        relationships: [],
        segments: [],
      }
      const people = `/workspaces/${workspace.id}/people`
      assert.deepStrictEqual((yield* call("GET", `${people}/${svcId}`)).json, { ...ada, last_seen: null })
      for (const query of [
        "id=ada",
        "email=ada%40example.COM",
        `svc_id=${svcId}`,
        "anonymous_id=anon-1",
        "q=ad",
        "q=ADA%40",
        "q=",
        "limit=1",
      ]) {
        const answer = yield* call("GET", `${people}?${query}`)
        assert.deepStrictEqual(answer.json, { items: [ada], next: null }, query)
      }
      for (const query of [
        "id=bob",
        "email=a@b.c",
        "svc_id=p999999999",
        "svc_id=x",
        "anonymous_id=ada",
        "q=z",
      ]) {
        const answer = yield* call("GET", `${people}?${query}`)
        assert.deepStrictEqual(answer.json, { items: [], next: null }, query)
      }
    }),
  )

  it.effect(
    "the management API shows the time of creation as created_at if the client sent no created_at",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        const api = yield* client
        yield* apply(identify(byId("bob"), [], { in: workspace }))
        const { items } = yield* api.people.list({ params: { w: workspace.id }, query: { id: "bob" } })
        assert.strictEqual(items[0]?.created_at, receivedAt)
        assert.isFalse(items[0]?.unsubscribed)
        assert.deepStrictEqual(items[0]?.subscription_preferences, {})
      }),
  )

  it.effect("the management API rejects a list request with more than one identifier or search", () =>
    Effect.gen(function* () {
      const { id } = yield* newWorkspace
      for (const query of ["id=a&email=b", "id=a&q=b"]) {
        const answer = yield* call("GET", `/workspaces/${id}/people?${query}`)
        assertProblem(
          answer,
          400,
          "Bad Request",
          /at most one of `id`, `email`, `svc_id`, `anonymous_id`, `q`, `attribute` and `filter`/,
        )
      }
      assertProblem(yield* call("GET", `/workspaces/${id}/people?id=`), 400, "Bad Request", /^id: /)
    }),
  )

  it.effect("the management API pages through people in both orders", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const names = ["p1", "p2", "p3", "p4", "p5"]
      yield* apply(...names.map((name) => identify(byId(name), [], { in: workspace })))
      for (const order of ["asc", "desc"] as const) {
        const seen = yield* readPages(`/workspaces/${workspace.id}/people`, `q=p&order=${order}`, "id")
        assert.deepStrictEqual(seen, order === "asc" ? names : names.toReversed())
      }
    }),
  )

  it.effect(
    "contract §10: the management API shows a device only under the last person to whom it was added",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        const here = { in: workspace }
        const phone = { platform: "ios", lastUsed: 1_600_000_000_000, ...here }
        const tablet = { platform: "android", ...here }
        yield* apply(
          identify(byId("ada"), [], here),
          identify(byId("bob"), [], here),
          addDevice(byId("ada"), "t/1", [], phone),
          addDevice(
            byId("ada"),
            "t2",
            [
              ["device_os", "14"],
              ["created_at", "2020"],
            ],
            tablet,
          ),
          addDevice(byId("bob"), "t/1", [], phone),
        )
        const path = `/workspaces/${workspace.id}/people`
        const devices = yield* shown(`${path}?id=ada`, "devices")
        const tabletDocument = {
          token: "t2",
          platform: "android",
          last_used: null,
          attributes: { device_os: "14", created_at: "2020" },
        }
        const phoneDocument = {
          token: "t/1",
          platform: "ios",
          last_used: "2020-09-13T12:26:40.000Z",
          attributes: {},
        }
        assert.deepStrictEqual(devices, [tabletDocument])
        assert.deepStrictEqual(yield* shown(`${path}?id=bob`, "devices"), [phoneDocument])
      }),
  )

  it.effect(
    "the management API does not list deleted objects and segments in a person's relationships and segments",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        const api = yield* client
        const params = { w: workspace.id }
        const acme = objectOf("1", "acme")
        const gone = objectOf("1", "gone")
        yield* apply(
          identify(byId("ada"), [], { in: workspace, relatedTo: [[acme, [["role", "ceo"]]], [gone]] }),
          deleteObject(gone, { in: workspace }),
        )
        const first = yield* api.segments.create({ params, payload: { name: "first" } })
        const second = yield* api.segments.create({ params, payload: { name: "second" } })
        yield* apply(
          joinSegment(second.segment_id, [byId("ada")], { in: workspace }),
          joinSegment(first.segment_id, [byId("ada")], { in: workspace }),
        )
        const path = `/workspaces/${workspace.id}/people?id=ada`
        const acmeDocument = { object_type_id: "1", object_id: "acme", attributes: { role: "ceo" } }
        assert.deepStrictEqual(yield* shown(path, "relationships"), [acmeDocument])
        assert.deepStrictEqual(yield* shown(path, "segments"), [second.segment_id, first.segment_id])
        yield* api.segments.delete({ params: { ...params, segment_id: second.segment_id } })
        assert.deepStrictEqual(yield* shown(path, "segments"), [first.segment_id])
      }),
  )

  it.effect(
    "contract §6: after a merge, the management API shows the data of both people only under the primary",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        const api = yield* client
        const params = { w: workspace.id }
        const [primary, secondary] = yield* apply(
          identify(byId("ada"), [], { in: workspace }),
          identify(byId("lovelace"), [], {
            in: workspace,
            anonymousId: "v",
            relatedTo: [[objectOf("1", "acme")]],
          }),
          event(byId("lovelace"), "bought", { in: workspace }),
        )
        const segment = yield* api.segments.create({ params, payload: { name: "s" } })
        yield* apply(
          joinSegment(segment.segment_id, [byId("lovelace")], { in: workspace }),
          merge(byId("ada"), byId("lovelace"), { in: workspace }),
        )
        const path = `/workspaces/${workspace.id}/people`
        const merged = `${path}/${svcIdOf(secondary)}`
        assertProblem(yield* call("GET", merged), 404, "Not Found", /person not found/)
        assertProblem(yield* call("GET", `${merged}/activity`), 404, "Not Found", /person not found/)
        for (const query of ["id=lovelace", `svc_id=${svcIdOf(secondary)}`]) {
          assert.deepStrictEqual((yield* call("GET", `${path}?${query}`)).json, { items: [], next: null })
        }
        const svc_id = svcIdOf(primary)
        const ada = yield* api.people.get({ params: { ...params, svc_id }, query: {} })
        assert.deepStrictEqual(ada.anonymous_ids, ["v"])
        assert.deepStrictEqual(ada.segments, [segment.segment_id])
        assert.deepStrictEqual(
          ada.relationships.map(({ object_id }) => object_id),
          ["acme"],
        )
        const query = { kind: "event" } as const
        const { items } = yield* api.people.activity({ params: { ...params, svc_id }, query })
        assert.deepStrictEqual(
          items.map(({ name, subject, trigger_eligible }) => [name, subject.svc_id, trigger_eligible]),
          [["bought", svc_id, false]],
        )
      }),
  )
})
