import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Registry } from "@inlethq/core/ports/Registry"
import type { Json } from "@inlethq/core/values/Json"
import { Effect, Option, Schema } from "effect"
import {
  assertProblem,
  call,
  client,
  dataFolder,
  Invalidated,
  newWorkspace,
  readPages,
  server,
} from "./managementServer.ts"

layer(server)("workspaces in the management API", (it) => {
  it.effect("a patch of a lake in a folder may leave out the folder, which then stays", () =>
    Effect.gen(function* () {
      const { id } = yield* newWorkspace
      const patch = (lake: { readonly [name: string]: Json }) =>
        call("PATCH", `/workspaces/${id}`, { body: { lake } })
      assertProblem(
        yield* patch({ target: "folder" }),
        422,
        "Unprocessable Content",
        "lake.url: missing, and the workspace has no lake in a folder whose path could stay",
      )
      yield* patch({ target: "folder", url: "/srv/warehouse" })
      const { json, status } = yield* patch({ target: "folder", erasure_days: 3 })
      assert.strictEqual(status, 200)
      assert.deepInclude(json, {
        lake: { target: "folder", url: "/srv/warehouse", erasure_days: 3, readable_by: "owner" },
      })
    }),
  )

  it.effect("settings of a lake are refused that lead elsewhere than they say", () =>
    Effect.gen(function* () {
      const { id } = yield* newWorkspace
      const bucket = {
        target: "s3",
        url: "s3://events/inlet",
        endpoint: "https://storage.example.com",
        region: "eu",
        access_key_id: "key",
        secret_access_key: "secret",
      }
      const refused: ReadonlyArray<{ readonly [name: string]: Json }> = [
        { target: "folder", url: "/srv/lake\u0000/x" },
        { ...bucket, url: "s3://events/../other" },
        { ...bucket, url: "s3://events/inlet/." },
        { ...bucket, url: "s3://events/in\u0000let" },
        { ...bucket, endpoint: "https://storage.example.com@other.example" },
        { ...bucket, region: "eu\n" },
        { ...bucket, secret_access_key: "a\u0000" },
      ]
      for (const lake of refused) {
        const { status } = yield* call("PATCH", `/workspaces/${id}`, { body: { lake } })
        assert.strictEqual(status, 400, JSON.stringify(lake))
      }
      const kept = yield* call("PATCH", `/workspaces/${id}`, {
        body: { lake: { ...bucket, url: "s3://events/a..b/.c" } },
      })
      assert.strictEqual(kept.status, 200)
    }),
  )

  it.effect("a lake shares no folder with the data directory of the server", () =>
    Effect.gen(function* () {
      const { id } = yield* newWorkspace
      const outside = mkdtempSync(join(tmpdir(), "inlet-lake-"))
      mkdirSync(dataFolder, { recursive: true })
      symlinkSync(dataFolder, join(outside, "link"))
      const within = relative("/", dataFolder)
      const refused = [
        dataFolder,
        `${dataFolder}/x/..`,
        `${dataFolder}/lake`,
        `${dataFolder}/not/yet/there`,
        `${outside}/link`,
        `${outside}/link/lake`,
        dirname(dataFolder),
        `${outside}/..`,
        "/",
        `/srv/../${within}/lake`,
      ]
      for (const url of refused) {
        assertProblem(
          yield* call("PATCH", `/workspaces/${id}`, { body: { lake: { target: "folder", url } } }),
          422,
          "Unprocessable Content",
          `lake.url: ${url} is the data directory of the server, lies in it or contains it`,
        )
      }
      for (const url of [outside, `${dataFolder}-lake`, `${dataFolder}/../lake of inlet`]) {
        const { status } = yield* call("PATCH", `/workspaces/${id}`, {
          body: { lake: { target: "folder", url } },
        })
        assert.strictEqual(status, 200, url)
      }
      rmSync(outside, { recursive: true })
      rmSync(dataFolder, { recursive: true })
    }),
  )

  it.effect("the management API deletes a workspace only if its name is given, and not the last one", () =>
    Effect.gen(function* () {
      const invalidated = yield* Invalidated
      const api = yield* client
      const { id } = yield* newWorkspace
      const path = `/workspaces/${id}`
      assertProblem(yield* call("DELETE", path), 400, "Bad Request", /^name: required/)
      const wrong = yield* call("DELETE", `${path}?name=Test`)
      assertProblem(wrong, 409, "Conflict", `name: workspace ${id} has the name test`)
      const registry = yield* Registry
      const only = (yield* registry.workspaces).length === 1
      if (only) {
        const last = yield* call("DELETE", `${path}?name=test`)
        assertProblem(last, 409, "Conflict", "the last workspace cannot be deleted")
      }
      yield* newWorkspace
      yield* call("POST", `${path}/webhooks`, {
        body: { name: "hook", url: "https://example.com/", kind: "activity" },
      })
      invalidated.length = 0
      const deleted = yield* call("DELETE", `${path}?name=test`)
      assert.deepStrictEqual([deleted.status, deleted.json], [204, null])
      assert.deepStrictEqual(invalidated, [id])
      for (const below of ["", "/keys", "/people", "/activity", "/webhooks", "/usage"]) {
        assertProblem(yield* call("GET", path + below), 404, "Not Found", `workspace ${id} not found`)
      }
      assertProblem(yield* call("DELETE", `${path}?name=test`), 404, "Not Found", /not found/)
      const { erasing_workspaces } = yield* api.server.get()
      assert.include(
        erasing_workspaces.map(({ environment_id }) => environment_id),
        id,
      )
    }),
  )

  it.effect("the management API creates, shows and lists workspaces", () =>
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
        context: "keep",
        placeholder_ids: "mark",
        omit: [],
        bots: "mark",
        ip: "truncate",
        unknown_events: "allow",
        rate_limit: "throttle",
        kafka: null,
        lake: null,
        retention_days: null,
        audit_days: 365,
        history_days: 30,
        rejected_days: 7,
        alerts: { error_rate_percent: 5, errors_min: 10, lag_seconds: 900 },
        records_max: null,
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
          relationships_per_person: 1000,
          segments_per_person: 1000,
          devices_per_person: 100,
          identifiers_per_person: 1000,
          preferences_bytes: 16_384,
          topics_per_person: 300,
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

  it.effect("the management API estimates the space that a workspace needs", () =>
    Effect.gen(function* () {
      const { id: w } = yield* newWorkspace
      const api = yield* client
      const empty = { items: 0, bytes: 0, exact: true }
      const before = yield* api.workspaces.usage({ params: { w } })
      assert.deepStrictEqual(before, { records: 0, activity: empty, people: empty, objects: empty, bytes: 0 })
      const payload = {
        type: "person",
        action: "identify",
        identifiers: { id: "ada" },
        attributes: { plan: "pro" },
      }
      yield* call("POST", `/workspaces/${w}/operations`, { body: payload })
      const { activity, bytes, objects, people, records } = yield* api.workspaces.usage({ params: { w } })
      assert.deepStrictEqual([activity.items, people.items, objects.items], [1, 1, 0])
      assert.strictEqual(records, 1)
      assert.strictEqual(bytes, activity.bytes + people.bytes)
      for (let i = 0; i < 300; i++) {
        const attributes = { text: "x".repeat(100) }
        const operation = { type: "person", action: "identify", identifiers: { id: `user-${i}` }, attributes }
        yield* call("POST", `/workspaces/${w}/operations`, { body: operation })
      }
      const larger = yield* api.workspaces.usage({ params: { w } })
      assert.deepInclude(larger.people, { items: 301, exact: false })
      assert.deepInclude(larger.activity, { items: 301, exact: false })
      assert.strictEqual(larger.records, 301)
      assert.isAbove(larger.people.bytes, 300 * 100)
    }),
  )

  it.effect("the management API pages through workspaces in both orders", () =>
    Effect.gen(function* () {
      yield* Effect.forEach([1, 2, 3], () => newWorkspace)
      const all = yield* Registry.use((registry) => registry.workspaces)
      const ids = all.map(({ id }) => id)
      for (const order of ["asc", "desc"] as const) {
        const seen = yield* readPages("/workspaces", `order=${order}`, "environment_id")
        assert.deepStrictEqual(seen, order === "asc" ? ids : ids.toReversed())
      }
    }),
  )

  it.effect(
    "the management API updates the given fields of a workspace and clears the cached workspace",
    () =>
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

  it.effect("an error of the management API names the invalid field of a workspace", () =>
    Effect.gen(function* () {
      const { id } = yield* newWorkspace
      const wrong = [
        [{ identifiers: [] }, /^identifiers: /],
        [{ identifiers: ["phone"] }, /^identifiers\.0: /],
        [{ region: "mars" }, /^region: /],
        [{ rate_limit: true }, /^rate_limit: /],
        [{ retention_days: 29 }, /^retention_days: /],
        [{ retention_days: 36_501 }, /^retention_days: /],
        [{ audit_days: 0 }, /^audit_days: /],
        [{ audit_days: 3651 }, /^audit_days: /],
        [{ audit_days: null }, /^audit_days: /],
        [{ kafka: {} }, /^kafka\.topic: /],
        [{ kafka: { topic: "two words" } }, /^kafka\.topic: /],
        [{ kafka: { topic: ".." } }, /^kafka\.topic: /],
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

  it.effect("the management API updates each setting without changing other settings", () =>
    Effect.gen(function* () {
      const { id } = yield* newWorkspace
      const path = `/workspaces/${id}`
      const limits = [
        "request_bytes",
        "batch_bytes",
        "batch_item_bytes",
        "person_id_bytes",
        "object_id_bytes",
        "attribute_name_bytes",
        "attribute_value_bytes",
        "attributes_per_person",
        "attributes_per_object",
        "object_attributes_bytes",
        "event_name_bytes",
        "event_data_bytes",
        "segment_ids",
        "relationships_per_person",
        "segments_per_person",
        "devices_per_person",
        "identifiers_per_person",
        "preferences_bytes",
        "topics_per_person",
        "rate_requests",
        "rate_window_seconds",
      ]
      const patches = [
        { name: "Shop" },
        { region: "eu" },
        { identifiers: ["id"] },
        { email_update_by_id: true },
        { event_merging: false },
        { rate_limit: "throttle" },
        ...limits.map((limit, i) => ({ limits: { [limit]: 7 + i } })),
      ]
      const decode = Schema.decodeUnknownEffect(
        Schema.StructWithRest(Schema.Struct({ limits: Schema.Record(Schema.String, Schema.Int) }), [
          Schema.Record(Schema.String, Schema.Json),
        ]),
      )
      let expected = yield* decode((yield* call("GET", path)).json)
      assert.sameMembers(Object.keys(expected.limits), limits)
      for (const patch of patches) {
        expected = {
          ...expected,
          ...patch,
          limits: { ...expected.limits, ...("limits" in patch ? patch.limits : {}) },
        }
        const answer = yield* call("PATCH", path, { body: patch })
        assert.deepStrictEqual([answer.status, answer.json], [200, expected], JSON.stringify(patch))
        assert.deepStrictEqual((yield* call("GET", path)).json, expected)
      }
    }),
  )
})
