import { assert, layer } from "@effect/vitest"
import { managementPath } from "@inlethq/contract/values/managementPath"
import { Snapshots, type Snapshot } from "@inlethq/core/catalog/Snapshots"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import { StoreUnavailable } from "@inlethq/core/ports/Store"
import { toIso } from "@inlethq/core/values/Timestamp"
import { plainDigest } from "@inlethq/store-conformance/script/digest"
import {
  byAnonymousId,
  byId,
  event,
  identify,
  identifyObject,
  noon,
  objectOf,
  register,
  remove,
  reportExcess,
  suppress,
} from "@inlethq/store-conformance/script/commands"
import { createSegment, joinSegment } from "@inlethq/store-conformance/script/segmentCommands"
import * as SqliteStore from "@inlethq/storage-sqlite/SqliteStore"
import { Effect, Fiber, Latch, Layer, Option, Schema } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { TestClock } from "effect/testing"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setImmediate } from "node:timers/promises"
import { Sessions } from "../../src/access/Sessions.ts"
import { installationId, Principals } from "../../src/access/Principals.ts"
import { apply, assertProblem, call, memory, newWorkspace, serverWith, token } from "./managementServer.ts"

const Line = Schema.fromJsonString(Schema.Record(Schema.String, Schema.Json))
const decodeLine = Schema.decodeUnknownEffect(Line)

/** Calls an export endpoint and returns the decoded lines of its response. */
const exported = Effect.fnUntraced(function* (path: string, headers: Readonly<Record<string, string>> = {}) {
  const request = HttpClientRequest.get(`${managementPath}${path}`).pipe(
    HttpClientRequest.bearerToken(token),
    HttpClientRequest.setHeaders(headers),
  )
  const response = yield* HttpClient.execute(request)
  assert.strictEqual(response.status, 200)
  assert.strictEqual(response.headers["content-type"], "application/x-ndjson")
  const lines = (yield* response.text).split("\n")
  assert.strictEqual(lines.pop(), "")
  return yield* Effect.forEach(lines, (line) => decodeLine(line))
})

const sqlite = Layer.unwrap(
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "inlet-"))),
      (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true })),
    ),
    (directory) =>
      Ingest.layer.pipe(
        Layer.provideMerge(SqliteStore.layer({ directory })),
        Layer.provideMerge(plainDigest),
      ),
  ),
)

const time = (minute: number) => toIso(noon + minute * 60_000)

const stores = { memory, sqlite }

for (const [name, store] of Object.entries(stores)) {
  layer(serverWith(Layer.orDie(store)))(`exports from the store ${name}`, (it) => {
    it.effect("an export of any kind of data ends with a line that has the number of lines before it", () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        const given = { in: workspace }
        yield* apply(
          identify(byId("ada"), [["plan", "pro"]], { ...given, email: "ada@example.com" }),
          identify(byId("bob"), [], given),
          createSegment("testers", given),
          joinSegment(3, [byId("ada"), byId("bob")], given),
          identifyObject(
            objectOf("1", "acme"),
            [["size", 7]],
            [[byId("ada"), [["role", "boss"]]], [byAnonymousId("anon")]],
            given,
          ),
          identifyObject(objectOf("2", "alone"), [], [], given),
          register("mail", byId("bob"), given),
          event(byId("ada"), "bought", { ...given, deduplicationKey: "one", data: { price: 7 } }),
          event(byId("ada"), "bought", { ...given, deduplicationKey: "one" }),
        )
        const path = `/workspaces/${workspace.id}/export`
        const people = yield* exported(`${path}/people`)
        assert.deepStrictEqual(people.at(-1), { end: true, count: 2 })
        assert.deepInclude(people[0], {
          id: "ada",
          email: "ada@example.com",
          attributes: { plan: "pro" },
          relationships: [{ object_type_id: "1", object_id: "acme", attributes: { role: "boss" } }],
          segments: [3],
        })

        const objects = yield* exported(`${path}/objects`)
        assert.deepStrictEqual(
          objects.map(({ count, object_id, people_total }) => [object_id ?? null, people_total ?? count]),
          [
            ["acme", 2],
            ["alone", 0],
            [null, 2],
          ],
        )
        const [acme, alone] = objects
        assert.deepStrictEqual(alone?.["relationships"], [])
        assert.deepStrictEqual(
          Schema.decodeUnknownSync(Schema.Array(Schema.Record(Schema.String, Schema.Json)))(
            acme?.["relationships"],
          ).map(({ anonymous_id, attributes, id }) => [id, anonymous_id, attributes]),
          [
            ["ada", null, { role: "boss" }],
            [null, "anon", {}],
          ],
        )

        const [segment, ...others] = yield* exported(`${path}/segments`)
        assert.deepInclude(segment, { segment_id: 3, name: "testers", size: 2 })
        assert.deepStrictEqual(segment?.["members"], [
          { svc_id: people[0]?.["svc_id"] ?? null, id: "ada", email: "ada@example.com" },
          { svc_id: people[1]?.["svc_id"] ?? null, id: "bob", email: null },
        ])
        assert.deepStrictEqual(others, [{ end: true, count: 1 }])

        const deliveries = yield* exported(`${path}/deliveries`)
        assert.deepStrictEqual(
          deliveries.map(({ count, delivery_id }) => delivery_id ?? count),
          ["mail", 1],
        )
        const events = yield* exported(`${path}/events`)
        assert.deepStrictEqual(
          events.map(({ count, data, id }) => [id ?? count, data ?? null]),
          [
            ["one", { price: 7 }],
            [1, null],
          ],
        )
        const activity = yield* exported(`${path}/activity`)
        assert.deepStrictEqual(activity.at(-1), { end: true, count: activity.length - 1 })
        assert.deepStrictEqual(
          activity.slice(0, -1).map(({ sequence }) => sequence),
          Array.from({ length: activity.length - 1 }, (_, i) => i + 1),
        )
      }),
    )

    it.effect(
      "an export of a period includes the entries at its start and excludes the entries at its end",
      () =>
        Effect.gen(function* () {
          const workspace = yield* newWorkspace
          const at = (receivedAt: number) => ({ in: workspace, receivedAt })
          const path = `/workspaces/${workspace.id}/export/events`
          assert.deepStrictEqual(yield* exported(`${path}?since=2020-01-01`), [{ end: true, count: 0 }])
          yield* apply(identify(byId("ada"), [], at(noon)))
          for (let minute = 0; minute < 450; minute++) {
            // Besides events, the log contains other entries, so the search for the start of the period has to skip
            // them.
            yield* apply(reportExcess(1, at(noon + minute * 60_000)))
            yield* apply(event(byId("ada"), `minute ${minute}`, at(noon + minute * 60_000)))
          }
          const named = (query: string) =>
            Effect.map(exported(`${path}?${query}`), (lines) => lines.map(({ count, name }) => name ?? count))
          assert.deepStrictEqual(yield* named(`since=${time(400)}&until=${time(402)}`), [
            "minute 400",
            "minute 401",
            2,
          ])
          assert.deepStrictEqual(yield* named(`until=${time(1)}`), ["minute 0", 1])
          assert.deepStrictEqual(yield* named(`since=${toIso(noon + 449 * 60_000 - 1)}`), ["minute 449", 1])
          assert.deepStrictEqual(yield* named(`since=${time(450)}`), [0])
          assert.strictEqual((yield* named(`since=${time(0)}`)).at(-1), 450)
        }),
    )

    it.effect("an export of events leaves out the events of deleted and suppressed people", () =>
      Effect.gen(function* () {
        const workspace = yield* newWorkspace
        const given = { in: workspace }
        for (const id of ["ada", "bob", "cyd"]) {
          yield* apply(identify(byId(id), [], given), event(byId(id), id, given))
        }
        yield* apply(remove(byId("ada"), given), suppress(byId("bob"), given))
        const events = yield* exported(`/workspaces/${workspace.id}/export/events`)
        assert.deepStrictEqual(
          events.map(({ count, name }) => name ?? count),
          ["cyd", 1],
        )
      }),
    )
  })
}

/** Makes a store whose snapshots have one person on the first page, and `second` instead of the second page. */
const withSecondPage = (second: Effect.Effect<never, StoreUnavailable>) => {
  const changed = (snapshot: Snapshot): Snapshot => ({
    ...snapshot,
    people: (workspace, prefix, page) =>
      page.after === null ? snapshot.people(workspace, prefix, { ...page, limit: 1 }) : second,
  })
  return Layer.provideMerge(
    Layer.effect(
      Snapshots,
      Effect.map(Snapshots, ({ open }) => Snapshots.of({ open: (id) => Effect.map(open(id), changed) })),
    ),
    memory,
  )
}

const broken = withSecondPage(
  Effect.fail(new StoreUnavailable({ operation: "read people", cause: "the disk is broken" })),
)

const isReading = Latch.makeUnsafe(false)
const endless = withSecondPage(Effect.andThen(isReading.open, Effect.never))

const newToken = Effect.gen(function* () {
  const { json } = yield* call("POST", "/tokens", {
    body: { name: "CI", scope: "read", workspaces: null },
  })
  const IssuedJson = Schema.Struct({ token: Schema.String, token_id: Schema.String })
  return yield* Schema.decodeUnknownEffect(IssuedJson)(json)
})

layer(serverWith(endless))("exports of people who lose access", (it) => {
  /** Starts an export that never ends, takes the access away, and expects that the export ends. */
  const expectEnd = Effect.fnUntraced(function* (
    headers: Readonly<Record<string, string>>,
    takeAway: Effect.Effect<unknown, unknown, HttpClient.HttpClient>,
  ) {
    const workspace = yield* newWorkspace
    for (const id of ["ada", "bob"]) yield* apply(identify(byId(id), [], { in: workspace }))
    yield* isReading.close
    const exporting = yield* Effect.forkChild(exported(`/workspaces/${workspace.id}/export/people`, headers))
    yield* isReading.await
    yield* takeAway
    while (exporting.pollUnsafe() === undefined) {
      yield* TestClock.adjust("500 millis")
      yield* Effect.promise(() => setImmediate())
    }
    const [ada, ...others] = yield* Fiber.join(exporting)
    assert.strictEqual(ada?.["id"], "ada")
    const error = "the token or session that started the export is no longer valid"
    assert.deepStrictEqual(others, [{ end: false, count: 1, error }])
  })

  it.effect("an export ends when the session that started it is signed out", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const holder = Option.getOrThrow(yield* Principals.use(({ ofId }) => ofId(installationId)))
      const { cookie, session } = yield* sessions.open(holder)
      const headers = {
        authorization: "",
        cookie: `${sessions.cookieName}=${cookie}`,
        "sec-fetch-site": "same-origin",
      }
      yield* expectEnd(headers, sessions.end(session.sessionId))
    }),
  )

  it.effect("an export ends when the token that started it is revoked", () =>
    Effect.gen(function* () {
      const made = yield* newToken
      yield* expectEnd({ authorization: `Bearer ${made.token}` }, call("DELETE", `/tokens/${made.token_id}`))
    }),
  )
})

layer(serverWith(broken))("exports that break", (it) => {
  it.effect("an export that fails halfway ends with a line that gives the reason", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      for (const id of ["ada", "bob"]) yield* apply(identify(byId(id), [], { in: workspace }))
      const [ada, ...others] = yield* exported(`/workspaces/${workspace.id}/export/people`)
      assert.strictEqual(ada?.["id"], "ada")
      assert.deepStrictEqual(others, [{ end: false, count: 1, error: "the store cannot read people now" }])
    }),
  )
})

layer(serverWith(memory))("exports in the management API", (it) => {
  it.effect(
    "an export of an unknown kind or workspace, or with an invalid parameter or time, is rejected",
    () =>
      Effect.gen(function* () {
        const { id } = yield* newWorkspace
        const path = `/workspaces/${id}/export`
        assert.strictEqual((yield* call("GET", `${path}/persons`)).status, 404)
        assert.strictEqual((yield* call("GET", "/workspaces/999/export/people")).status, 404)
        const period = yield* call("GET", `${path}/people?since=2026-01-01`)
        assertProblem(period, 400, "Bad Request", "since: unknown field")
        const time = yield* call("GET", `${path}/events?since=soon`)
        assertProblem(time, 400, "Bad Request", /since: Expected a time in ISO 8601/)
      }),
  )
})
