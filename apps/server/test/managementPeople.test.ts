import { assert, layer } from "@effect/vitest"
import { defaultSettings } from "@inlet/core/Workspace"
import { operationIdText, Sequence, svcIdText, WorkspaceId } from "@inlet/core/Identifier"
import { Directory } from "@inlet/core/Directory"
import { Ingest } from "@inlet/core/Ingest"
import { Registry } from "@inlet/core/Registry"
import { StoreUnavailable } from "@inlet/core/Store"
import { Effect, Layer, Option, PubSub } from "effect"
import {
  apply,
  assertProblem,
  call,
  client,
  deletion,
  event,
  identify,
  newWorkspace,
  server,
  serverBefore,
} from "./managementServer.ts"

const receivedAt = "2023-11-14T22:13:20.000Z"

layer(server)("people and activity", (it) => {
  it.effect("shows a person", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const [entry] = yield* apply(
        identify(workspace, "ada", {
          email: "Ada@Example.com",
          anonymousId: "anon-1",
          assignments: [
            { name: "plan", value: "pro" },
            { name: "tags", value: ["a", { b: 1 }] },
            { name: "created_at", value: 1_600_000_000 },
            { name: "unsubscribed", value: "TRUE" },
            { name: "svc_subscription_preferences.topics.news", value: false },
          ],
        }),
      )
      if (entry?.subject == null) return assert.fail("nobody was created")
      const svcId = svcIdText(entry.subject)
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
      assert.deepStrictEqual((yield* call("GET", `${people}/${svcId}`)).json, ada)
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

  it.effect("shows the profile's own time where the client sent none", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const api = yield* client
      yield* apply(identify(workspace, "bob"))
      const { items } = yield* api.people.list({ params: { w: workspace.id }, query: { id: "bob" } })
      assert.strictEqual(items[0]?.created_at, receivedAt)
      assert.isFalse(items[0]?.unsubscribed)
      assert.deepStrictEqual(items[0]?.subscription_preferences, {})
    }),
  )

  it.effect("takes one name at a time", () =>
    Effect.gen(function* () {
      const { id } = yield* newWorkspace
      for (const query of ["id=a&email=b", "id=a&q=b"]) {
        const answer = yield* call("GET", `/workspaces/${id}/people?${query}`)
        assertProblem(answer, 400, "Bad Request", /at most one of id, email, svc_id, anonymous_id and q/)
      }
      assertProblem(yield* call("GET", `/workspaces/${id}/people?id=`), 400, "Bad Request", /^id: /)
    }),
  )

  it.effect("pages through people both ways", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const api = yield* client
      const names = ["p1", "p2", "p3", "p4", "p5"]
      yield* apply(...names.map((name) => identify(workspace, name)))
      const params = { w: workspace.id }
      for (const order of ["asc", "desc"] as const) {
        const seen: Array<string | null> = []
        let page = yield* api.people.list({ params, query: { q: "p", limit: 2, order } })
        seen.push(...page.items.map(({ id }) => id))
        while (page.next !== null) {
          assert.isAtMost(page.items.length, 2)
          page = yield* api.people.list({ params, query: { q: "p", limit: 2, order, after: page.next } })
          seen.push(...page.items.map(({ id }) => id))
        }
        assert.deepStrictEqual(seen, order === "asc" ? names : names.toReversed())
      }
    }),
  )

  it.effect("shows an entry of the activity log", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const [created, bought] = yield* apply(
        identify(workspace, "ada", {
          email: "ada@example.com",
          assignments: [{ name: "plan", value: "pro" }],
        }),
        event(workspace, "bought", {
          source: "pipelines",
          at: 1_699_999_999_000,
          originalTimestamp: 1_699_999_990_000,
          deduplicationKey: "01H",
          anonymousId: "anon-1",
          data: { price: 3, recipient: "x@example.com" },
        }),
      )
      if (created?.subject == null || bought === undefined) return assert.fail("nothing was recorded")
      const subject = {
        svc_id: svcIdText(created.subject),
        id: "ada",
        email: "ada@example.com",
        anonymous_id: null,
        object_type_id: null,
        object_id: null,
      }
      const boughtDocument = {
        operation_id: operationIdText(bought.sequence, null),
        sequence: bought.sequence,
        at: "2023-11-14T22:13:19.000Z",
        original_timestamp: "2023-11-14T22:13:10.000Z",
        received_at: receivedAt,
        processed_at: receivedAt,
        source: "pipelines",
        kind: "event",
        name: "bought",
        outcome: "applied",
        reason: null,
        rule: "track-api §2.5",
        subject: { ...subject, anonymous_id: "anon-1" },
        id: "01H",
        trigger_eligible: true,
        data: { price: 3, recipient: "x@example.com" },
        changes: [],
        message_overrides: { recipient: "x@example.com" },
      }
      const createdDocument = {
        operation_id: operationIdText(created.sequence, null),
        sequence: created.sequence,
        at: receivedAt,
        original_timestamp: null,
        received_at: receivedAt,
        processed_at: receivedAt,
        source: "track-v1",
        kind: "identify",
        name: null,
        outcome: "created",
        reason: null,
        rule: "track-api §2.1 rule 1",
        subject,
        id: null,
        trigger_eligible: false,
        data: { email: "ada@example.com", plan: "pro" },
        changes: [
          { path: "id", from: null, to: "ada" },
          { path: "email", from: null, to: "ada@example.com" },
          { path: "attributes.plan", from: null, to: "pro" },
        ],
      }
      const path = `/workspaces/${workspace.id}`
      const list = yield* call("GET", `${path}/activity`)
      assert.deepStrictEqual(list.json, { items: [boughtDocument, createdDocument], next: null })
      const ofPerson = yield* call("GET", `${path}/people/${subject.svc_id}/activity?order=asc`)
      assert.deepStrictEqual(ofPerson.json, { items: [createdDocument, boughtDocument], next: null })
      const one = yield* call("GET", `${path}/operations/${boughtDocument.operation_id}`)
      assert.deepStrictEqual(one.json, boughtDocument)
    }),
  )

  it.effect("narrows activity by kind, outcome and name", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const api = yield* client
      yield* apply(
        identify(workspace, "ada"),
        event(workspace, "a"),
        event(workspace, "b", { kind: "page" }),
        event(workspace, "a", { target: { _tag: "ByIdentifier", kind: "anonymous_id", value: "v" } }),
        event(workspace, "a", { target: { _tag: "BySvcId", key: null } }),
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

  it.effect("pages through activity both ways", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const api = yield* client
      const names = ["e1", "e2", "e3", "e4", "e5", "e6"]
      yield* apply(identify(workspace, "ada"), ...names.map((name) => event(workspace, name)))
      const params = { w: workspace.id }
      for (const order of ["asc", "desc"] as const) {
        const seen: Array<string | null> = []
        let page = yield* api.activity.list({ params, query: { kind: "event", limit: 2, order } })
        seen.push(...page.items.map(({ name }) => name))
        while (page.next !== null) {
          const { next } = page
          page = yield* api.activity.list({ params, query: { kind: "event", limit: 2, order, after: next } })
          seen.push(...page.items.map(({ name }) => name))
        }
        assert.deepStrictEqual(seen, order === "asc" ? names : names.toReversed())
      }
    }),
  )

  it.effect("finds the operations of a batch by index, and by the id of the whole its first", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const batch = ["a", "b"].map((name, batchIndex) => event(workspace, name, { batchIndex }))
      const [first] = yield* Ingest.use((ingest) => ingest.submit(batch, 100))
      const [single] = yield* apply(event(workspace, "c"))
      if (first === undefined || single === undefined) return assert.fail("nothing was recorded")
      const whole = operationIdText(first.sequence, null)
      const path = `/workspaces/${workspace.id}/operations`
      const named = Effect.fnUntraced(function* (id: string) {
        const { json, status } = yield* call("GET", `${path}/${id}`)
        return status === 404 ? "nothing" : JSON.stringify(json)
      })
      assert.include(yield* named(`${whole}-0`), `"operation_id":"${whole}-0"`)
      assert.include(yield* named(`${whole}-1`), '"name":"b"')
      assert.include(yield* named(whole), '"name":"a"')
      assert.include(yield* named(operationIdText(single.sequence, null)), '"name":"c"')
      assert.strictEqual(yield* named(`${whole}-2`), "nothing")
      assert.strictEqual(yield* named(operationIdText(Sequence.make(first.sequence + 1), null)), "nothing")
      assert.strictEqual(yield* named("op9999999999"), "nothing")
      assert.strictEqual(yield* named("nonsense"), "nothing")
    }),
  )

  it.effect("shows no svc_id for visitors, and that of a person who was deleted", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const api = yield* client
      const [created] = yield* apply(
        identify(workspace, "ada", { assignments: [{ name: "secret", value: "s3cret" }] }),
        event(workspace, "gone"),
        deletion(workspace, "ada"),
        event(workspace, "later", { target: { _tag: "ByIdentifier", kind: "anonymous_id", value: "v" } }),
      )
      if (created?.subject == null) return assert.fail("nobody was created")
      const svc_id = svcIdText(created.subject)
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
      assertProblem(yield* call("GET", path), 404, "Not Found", /no such person/)
      assertProblem(yield* call("GET", `${path}/activity`), 404, "Not Found", /no such person/)
      assertProblem(
        yield* call("GET", `/workspaces/${workspace.id}/people/nobody`),
        404,
        "Not Found",
        /no such person/,
      )
    }),
  )

  it.effect("shows nothing of one workspace in another", () =>
    Effect.gen(function* () {
      const mine = yield* newWorkspace
      const other = yield* newWorkspace
      const [entry] = yield* apply(identify(mine, "ada", { email: "ada@example.com", anonymousId: "v" }))
      if (entry?.subject == null) return assert.fail("nobody was created")
      const path = `/workspaces/${other.id}`
      for (const list of [
        "people",
        "people?id=ada",
        "people?q=a",
        "people?anonymous_id=v",
        "activity",
        "keys",
      ]) {
        assert.deepStrictEqual((yield* call("GET", `${path}/${list}`)).json, { items: [], next: null })
      }
      const svcId = svcIdText(entry.subject)
      const found = yield* call("GET", `${path}/people?svc_id=${svcId}`)
      assert.deepStrictEqual(found.json, { items: [], next: null })
      for (const one of [
        `people/${svcId}`,
        `people/${svcId}/activity`,
        `operations/${operationIdText(entry.sequence, null)}`,
      ]) {
        assertProblem(yield* call("GET", `${path}/${one}`), 404, "Not Found", /there is no such/)
      }
    }),
  )
})

const down = Effect.fail(new StoreUnavailable({ operation: "read", cause: "the disk is full" }))
const workspace = { ...defaultSettings("test", "us"), id: WorkspaceId.make(1) }

const failing = Layer.mergeAll(
  Layer.mock(Directory, {
    person: () => down,
    people: () => down,
    activity: () => down,
    operation: () => down,
  }),
  Layer.mock(Registry, {
    workspaces: down,
    workspace: (id) => (id === 1 ? Effect.succeed(Option.some(workspace)) : Effect.die("a fault")),
    createWorkspace: () => down,
    updateWorkspace: () => down,
    keys: () => down,
    addKey: () => down,
    revokeKey: () => down,
  }),
  Layer.effect(
    Ingest,
    Effect.map(PubSub.sliding<Sequence>(1), (commits) =>
      Ingest.of({ commits, submit: () => down, status: Effect.die("not asked for") }),
    ),
  ),
)

layer(serverBefore(failing))("without a store", (it) => {
  it.effect("answers 503 with Retry-After", () =>
    Effect.gen(function* () {
      const key = { kind: "track", name: "n" }
      const answers = [
        yield* call("GET", "/workspaces"),
        yield* call("POST", "/workspaces", { body: { name: "n" } }),
        yield* call("PATCH", "/workspaces/1", { body: { name: "n" } }),
        yield* call("GET", "/workspaces/1/keys"),
        yield* call("POST", "/workspaces/1/keys", { body: key }),
        yield* call("DELETE", "/workspaces/1/keys/k"),
        yield* call("GET", "/workspaces/1/people"),
        yield* call("GET", "/workspaces/1/people/p000000001"),
        yield* call("GET", "/workspaces/1/activity"),
        yield* call("GET", "/workspaces/1/activity/stream"),
        yield* call("GET", "/workspaces/1/operations/op0000000001"),
      ]
      for (const answer of answers) {
        assertProblem(answer, 503, "Service Unavailable", "the store cannot read now")
        assert.strictEqual(answer.headers["retry-after"], "1")
      }
    }),
  )

  it.effect("answers a fault of ours with 500 and tells nothing about it", () =>
    Effect.gen(function* () {
      const answer = yield* call("GET", "/workspaces/2")
      assertProblem(answer, 500, "Internal Server Error", /its log says why/)
    }),
  )
})
