import { assert, layer } from "@effect/vitest"
import { operationIdText, Sequence } from "@inlethq/core/values/Identifier"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import {
  addDevice,
  byAnonymousId,
  byId,
  bySvcId,
  deleteObject,
  event,
  identify,
  identifyObject,
  noon,
  objectOf,
  remove,
} from "@inlethq/store-conformance/script/commands"
import { toIso } from "@inlethq/core/values/Timestamp"
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

layer(server)("activity in the management API", (it) => {
  it.effect("the management API shows every field of an activity entry", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const [created, bought] = yield* apply(
        identify(byId("ada"), [["first_name", "Ada"]], { in: workspace, email: "ada@example.com" }),
        {
          ...event(byId("ada"), "bought", {
            in: workspace,
            at: noon - 1000,
            deduplicationKey: "01H",
            data: { price: 3, recipient: "x@example.com" },
          }),
          source: "pipelines",
          originalTimestamp: noon - 10_000,
          anonymousId: "anon-1",
        },
      )
      if (created === undefined || bought === undefined) return assert.fail("nothing was recorded")
      const subject = {
        svc_id: svcIdOf(created),
        id: "ada",
        email: "ada@example.com",
        name: "Ada",
        anonymous_id: null,
        object_type_id: null,
        object_id: null,
      }
      const boughtDocument = {
        operation_id: operationIdText(bought.workspace, bought.sequence, null),
        sequence: bought.sequence,
        at: toIso(noon - 1000),
        original_timestamp: toIso(noon - 10_000),
        received_at: receivedAt,
        processed_at: receivedAt,
        source: "pipelines",
        sender: null,
        kind: "event",
        name: "bought",
        outcome: "applied",
        reason: null,
        reasons: [],
        rule: "track-api §2.5",
        subject: { ...subject, anonymous_id: "anon-1" },
        id: "01H",
        trigger_eligible: true,
        data: { price: 3, recipient: "x@example.com" },
        refused: [],
        kept_as: [],
        effects: [],
        request: null,
        changes: [],
        message_overrides: { recipient: "x@example.com" },
      }
      const createdDocument = {
        operation_id: operationIdText(created.workspace, created.sequence, null),
        sequence: created.sequence,
        at: receivedAt,
        original_timestamp: null,
        received_at: receivedAt,
        processed_at: receivedAt,
        source: "track-v2",
        sender: null,
        kind: "identify",
        name: null,
        outcome: "created",
        reason: null,
        reasons: [],
        rule: "track-api §2.1 rule 1",
        subject,
        id: null,
        trigger_eligible: false,
        data: { email: "ada@example.com", first_name: "Ada" },
        refused: [],
        kept_as: [],
        effects: [],
        request: null,
        changes: [
          { path: "id", from: null, to: "ada" },
          { path: "email", from: null, to: "ada@example.com" },
          { path: "attributes.first_name", from: null, to: "Ada" },
        ],
      }
      const path = `/workspaces/${workspace.id}`
      const list = yield* call("GET", `${path}/activity`)
      assert.deepStrictEqual(list.json, {
        items: [boughtDocument, createdDocument],
        next: null,
        searched_to: null,
      })
      const ofPerson = yield* call("GET", `${path}/people/${subject.svc_id}/activity?order=asc`)
      assert.deepStrictEqual(ofPerson.json, {
        items: [createdDocument, boughtDocument],
        next: null,
        searched_to: null,
      })
      const one = yield* call("GET", `${path}/operations/${boughtDocument.operation_id}`)
      const explained = yield* call("GET", `${path}/operations/${boughtDocument.operation_id}/explanation`)
      assert.deepStrictEqual(one.json, {
        ...boughtDocument,
        explanation: explained.json,
        call: {
          protocol: "pipelines",
          method: "POST",
          path: "/v1/track",
          body: {
            userId: "ada",
            anonymousId: "anon-1",
            timestamp: (noon - 1000) / 1000,
            messageId: "01H",
            event: "bought",
            properties: { price: 3, recipient: "x@example.com" },
          },
        },
        call_reason: null,
        answer: null,
        forwards: [],
      })
    }),
  )

  it.effect("the management API filters activity by kind, outcome and name", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const api = yield* client
      yield* apply(
        identify(byId("ada"), [], { in: workspace }),
        event(byId("ada"), "a", { in: workspace }),
        event(byId("ada"), "b", { in: workspace, kind: "page" }),
        event(byAnonymousId("v"), "a", { in: workspace }),
        event(bySvcId(999), "a", { in: workspace }),
      )
      const count = (query: Parameters<typeof api.activity.list>[0]["query"]) =>
        Effect.map(api.activity.list({ params: { w: workspace.id }, query }), ({ items }) => items.length)
      assert.strictEqual(yield* count({}), 5)
      assert.strictEqual(yield* count({ kind: "page" }), 1)
      assert.strictEqual(yield* count({ name: "a" }), 3)
      assert.strictEqual(yield* count({ name: "a", outcome: "pending" }), 1)
      assert.strictEqual(yield* count({ outcome: "dropped", kind: "event", name: "a" }), 1)
      assert.strictEqual(yield* count({ outcome: "rejected" }), 0)
      for (const query of ["kind=party", "outcome=fine"]) {
        const answer = yield* call("GET", `/workspaces/${workspace.id}/activity?${query}`)
        assertProblem(answer, 400, "Bad Request", /^(kind|outcome): /)
      }
    }),
  )

  it.effect("the management API pages through activity in both orders", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const names = ["e1", "e2", "e3", "e4", "e5", "e6"]
      yield* apply(
        identify(byId("ada"), [], { in: workspace }),
        ...names.map((name) => event(byId("ada"), name, { in: workspace })),
      )
      for (const order of ["asc", "desc"] as const) {
        const seen = yield* readPages(
          `/workspaces/${workspace.id}/activity`,
          `kind=event&order=${order}`,
          "name",
        )
        assert.deepStrictEqual(seen, order === "asc" ? names : names.toReversed())
      }
    }),
  )

  it.effect(
    "the management API finds each operation of a batch by its index, and the first operation by the id of the batch",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        const batch = ["a", "b"].map((name, batchIndex) =>
          event(byId("ada"), name, { in: workspace, batchIndex }),
        )
        const [first] = yield* Ingest.use((ingest) => ingest.submit(batch, 100))
        const [single] = yield* apply(event(byId("ada"), "c", { in: workspace }))
        if (first === undefined || single === undefined) return assert.fail("nothing was recorded")
        const whole = operationIdText(first.workspace, first.sequence, null)
        const path = `/workspaces/${workspace.id}/operations`
        const named = Effect.fnUntraced(function* (id: string) {
          const { json, status } = yield* call("GET", `${path}/${id}`)
          return status === 404 ? "nothing" : JSON.stringify(json)
        })
        assert.include(yield* named(`${whole}-0`), `"operation_id":"${whole}-0"`)
        assert.include(yield* named(`${whole}-1`), '"name":"b"')
        assert.include(yield* named(whole), '"name":"a"')
        assert.include(yield* named(operationIdText(single.workspace, single.sequence, null)), '"name":"c"')
        assert.strictEqual(yield* named(`${whole}-2`), "nothing")
        assert.strictEqual(
          yield* named(operationIdText(first.workspace, Sequence.make(first.sequence + 1), null)),
          "nothing",
        )
        assert.strictEqual(yield* named("op9999999999"), "nothing")
        assert.strictEqual(yield* named("nonsense"), "nothing")
      }),
  )

  it.effect(
    "the management API shows a null svc_id for a visitor, and only the svc_id of a deleted person",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        const api = yield* client
        const [created] = yield* apply(
          identify(byId("ada"), [["secret", "s3cret"]], { in: workspace }),
          event(byId("ada"), "gone", { in: workspace }),
          remove(byId("ada"), { in: workspace }),
          event(byAnonymousId("v"), "later", { in: workspace }),
        )
        const svc_id = svcIdOf(created)
        const { items } = yield* api.activity.list({ params: { w: workspace.id }, query: {} })
        assert.deepStrictEqual(
          items.map(({ kind, subject }) => [kind, subject.svc_id, subject.id, subject.anonymous_id]),
          [
            ["event", null, null, "v"],
            ["delete", svc_id, null, null],
            ["identify", svc_id, null, null],
          ],
        )
        assert.notInclude(JSON.stringify(items), "s3cret")
        const path = `/workspaces/${workspace.id}/people/${svc_id}`
        assertProblem(yield* call("GET", path), 404, "Not Found", /person not found/)
        assertProblem(yield* call("GET", `${path}/activity`), 404, "Not Found", /person not found/)
        assertProblem(
          yield* call("GET", `/workspaces/${workspace.id}/people/nobody`),
          404,
          "Not Found",
          /person not found/,
        )
      }),
  )

  it.effect(
    "the management API shows a null svc_id for a deleted visitor, and for a visitor of a deleted person",
    () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        const api = yield* client
        const [, , , , created] = yield* apply(
          identify(byAnonymousId("v"), [], { in: workspace }),
          addDevice(byAnonymousId("v"), "phone", [], { in: workspace }),
          remove(byAnonymousId("v"), { in: workspace }),
          identify(byAnonymousId("w"), [], { in: workspace }),
          identify(byId("ada"), [], { in: workspace, anonymousId: "w" }),
          remove(byId("ada"), { in: workspace }),
        )
        const { items } = yield* api.activity.list({ params: { w: workspace.id }, query: { order: "asc" } })
        assert.deepStrictEqual(
          items.map(({ kind, subject }) => [kind, subject.svc_id]),
          [
            ["identify", null],
            ["add_device", null],
            ["delete", null],
            ["identify", null],
            ["identify", svcIdOf(created)],
            ["delete", svcIdOf(created)],
          ],
        )
      }),
  )

  it.effect("the management API shows the type and id of the object that an activity entry is about", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const api = yield* client
      const [acme, gone] = [objectOf("1", "acme"), objectOf("2", "gone")]
      yield* apply(
        identifyObject(acme, [], [[byId("ada")]], { in: workspace }),
        identifyObject(gone, [], [], { in: workspace }),
        deleteObject(gone, { in: workspace }),
      )
      const { items } = yield* api.activity.list({ params: { w: workspace.id }, query: { order: "asc" } })
      const nobody = { svc_id: null, id: null, email: null, name: null, anonymous_id: null }
      assert.deepStrictEqual(
        items.map(({ kind, outcome, subject }) => [kind, outcome, subject]),
        [
          ["object_identify", "created", { ...nobody, object_type_id: "1", object_id: "acme" }],
          ["object_identify", "created", { ...nobody, object_type_id: null, object_id: null }],
          ["object_delete", "applied", { ...nobody, object_type_id: "2", object_id: "gone" }],
        ],
      )
    }),
  )

  it.effect("the activity shows operations that were made through the management API", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const api = yield* client
      const params = { w: workspace.id }
      const { segment_id } = yield* api.segments.create({ params, payload: { name: "s" } })
      yield* api.segments.delete({ params: { ...params, segment_id } })
      const { items } = yield* api.activity.list({ params, query: { order: "asc" } })
      assert.deepStrictEqual(
        items.map(({ kind, outcome, source, subject }) => [source, kind, outcome, subject.svc_id]),
        [
          ["management", null, "created", null],
          ["management", null, "applied", null],
        ],
      )
    }),
  )
})
