import { assert, layer } from "@effect/vitest"
import { requirementOf } from "@inlethq/contract/access/Access"
import { AuditDocument } from "@inlethq/contract/workspaces/Audit"
import { ManagementApi } from "@inlethq/contract/ManagementApi"
import { managementPath } from "@inlethq/contract/values/managementPath"
import { Effect, Schema } from "effect"
import { HttpClient, HttpClientRequest, type HttpMethod } from "effect/http"
import { HttpApi } from "effect/http-api"
import { TestClock } from "effect/testing"
import {
  assertProblem,
  call,
  memory,
  newWorkspace,
  readPages,
  server,
  serverWith,
} from "./managementServer.ts"

const AuditPage = Schema.Struct({ items: Schema.Array(AuditDocument), next: Schema.NullOr(Schema.String) })

const audit = Effect.fnUntraced(function* (query = "", headers: Record<string, string> = {}) {
  const { json } = yield* call("GET", `/audit?${query}`, { headers })
  return (yield* Schema.decodeUnknownEffect(AuditPage)(json)).items
})

const Issued = Schema.Struct({ token_id: Schema.String, token: Schema.String })

const issue = Effect.fnUntraced(function* (
  name: string,
  scope: string,
  workspaces: ReadonlyArray<number> | null,
) {
  const { json } = yield* call("POST", "/tokens", { body: { name, scope, workspaces } })
  const { token, token_id } = yield* Schema.decodeUnknownEffect(Issued)(json)
  return { token_id, headers: { authorization: `Bearer ${token}` } }
})

const environments = (headers: Record<string, string>) =>
  Effect.map(audit("", headers), (items) => items.map(({ environment_id }) => Number(environment_id)))

/** Lets the counts of refusals be written, and reads the records with an action. */
const counted = Effect.fnUntraced(function* (action: string) {
  yield* TestClock.adjust("1 second")
  let found = yield* audit(`action=${action}`)
  while (found.length === 0) {
    yield* TestClock.adjust("1 second")
    found = yield* audit(`action=${action}`)
  }
  return found
})

const operations: Array<{ readonly action: string; readonly method: string; readonly path: string }> = []
HttpApi.reflect(ManagementApi, {
  onGroup: () => {},
  onEndpoint: ({ endpoint }) => {
    const { action } = requirementOf(endpoint)
    if (action !== null) operations.push({ action, method: endpoint.method, path: endpoint.path })
  },
})

const isMethod = (text: string): text is HttpMethod.HttpMethod =>
  ["GET", "POST", "PUT", "PATCH", "DELETE"].includes(text)

layer(serverWith(memory))("the audit log of every operation", (it) => {
  it.effect("every operation with a name in the audit log leaves a record, whatever its outcome", () =>
    Effect.gen(function* () {
      const { id } = yield* newWorkspace
      for (const { action, method, path } of operations) {
        if (!isMethod(method)) return assert.fail(method)
        const url = path.replace(":w", String(id)).replaceAll(/:\w+/g, "x")
        const before = (yield* audit(`action=${action}`)).length
        const request = HttpClientRequest.make(method)(url).pipe(
          HttpClientRequest.bearerToken("the-management-token"),
          method === "GET" ? (same) => same : HttpClientRequest.bodyJsonUnsafe({}),
        )
        const { status } = yield* Effect.scoped(HttpClient.execute(request))
        const [record, ...others] = yield* audit(`action=${action}`)
        assert.strictEqual(others.length, before, url)
        assert.strictEqual(record?.status, status, url)
        assert.strictEqual(record?.outcome, status < 400 ? "done" : "refused", url)
        assert.deepStrictEqual(
          record?.actor,
          { kind: "token", id: "installation", name: "the installation's token" },
          url,
        )
      }
      assert.isAbove(operations.length, 25)
      assert.isTrue(operations.every(({ path }) => path.startsWith(managementPath)))
    }),
  )
})

layer(server)("the audit log", (it) => {
  it.effect("a record says who created and revoked a key, from where, and never the key", () =>
    Effect.gen(function* () {
      const { id } = yield* newWorkspace
      const { headers, token_id } = yield* issue("CI", "admin", [id])
      const made = yield* call("POST", `/workspaces/${id}/keys`, {
        headers: { ...headers, "user-agent": "ci/1 ".repeat(100), "x-forwarded-for": "192.0.2.7" },
        body: { kind: "track", name: "web" },
      })
      const { api_key, key_id } = yield* Schema.decodeUnknownEffect(
        Schema.Struct({ api_key: Schema.String, key_id: Schema.String }),
      )(made.json)
      yield* call("DELETE", `/workspaces/${id}/keys/${key_id}`, { headers })
      const [revoked, created] = yield* audit(`workspace=${id}`)
      assert.deepInclude(created, {
        environment_id: id,
        action: "key.create",
        outcome: "done",
        status: 201,
        actor: { kind: "token", id: token_id, name: "CI" },
        target: { id: key_id, name: "web" },
        details: { kind: "track" },
        forwarded_for: "192.0.2.7",
        user_agent: "ci/1 ".repeat(100).slice(0, 200),
        count: 1,
      })
      assert.match(created?.address ?? "", /^(127\.0\.0\.1|::1)$/)
      assert.deepInclude(revoked, { action: "key.revoke", status: 204, target: { id: key_id, name: "web" } })
      assert.notInclude(JSON.stringify([revoked, created]), api_key)
    }),
  )

  it.effect("a change of settings lists both values, and of a secret setting only its name", () =>
    Effect.gen(function* () {
      const { id } = yield* newWorkspace
      yield* call("PATCH", `/workspaces/${id}`, {
        body: { name: "shop", retention_days: 90, limits: { request_bytes: 40_000 } },
      })
      const [settings] = yield* audit(`workspace=${id}`)
      assert.deepStrictEqual(settings?.changes, [
        { setting: "name", from: "test", to: "shop", secret: false },
        { setting: "retention_days", from: null, to: 90, secret: false },
        { setting: "limits.request_bytes", from: 32_768, to: 40_000, secret: false },
      ])
      assert.deepStrictEqual(settings?.target, { id: String(id), name: "test" })
      const url = "https://1.1.1.1/hook/one-secret"
      const { json } = yield* call("POST", `/workspaces/${id}/webhooks`, {
        body: { name: "CRM", url, kind: "activity" },
      })
      const hook = yield* Schema.decodeUnknownEffect(Schema.Struct({ webhook_id: Schema.String }))(json)
      yield* call("PATCH", `/workspaces/${id}/webhooks/${hook.webhook_id}`, {
        body: { url: `${url}-more`, filter: "person:ada@example.com", enabled: false },
      })
      const [webhook] = yield* audit(`workspace=${id}&action=webhook.update`)
      assert.deepStrictEqual(webhook?.changes, [
        { setting: "url", from: null, to: null, secret: true },
        { setting: "filter", from: null, to: null, secret: true },
        { setting: "enabled", from: true, to: false, secret: false },
      ])
      const all = JSON.stringify(yield* audit(`workspace=${id}`))
      assert.notInclude(all, "one-secret")
      assert.notInclude(all, "ada@example.com")
    }),
  )

  it.effect("an operation is recorded by its kind and id, without the person's identifiers", () =>
    Effect.gen(function* () {
      const { id } = yield* newWorkspace
      const mark = "mark-of-ada"
      const applied = yield* call("POST", `/workspaces/${id}/operations`, {
        body: {
          type: "person",
          action: "identify",
          identifiers: { id: mark },
          attributes: { email: `${mark}@example.com`, [mark]: mark },
        },
      })
      const { operation_id } = yield* Schema.decodeUnknownEffect(
        Schema.Struct({ operation_id: Schema.String }),
      )(applied.json)
      yield* call("POST", `/workspaces/${id}/segments`, { body: { name: "beta" } })
      yield* call("PUT", `/workspaces/${id}/segments/1/people/${mark}`)
      yield* call("PUT", `/workspaces/${id}/deliveries/${mark}@example.com`, {
        body: { channel: "email", person: { id: mark }, recipient: `${mark}@example.com` },
      })
      const records = yield* audit(`workspace=${id}`)
      assert.deepStrictEqual(records.map(({ action }) => action).toReversed(), [
        "operation.apply",
        "segment.create",
        "segment.add_person",
        "delivery.register",
      ])
      assert.deepInclude(records[3], {
        target: { id: operation_id, name: null },
        details: { kind: "identify", outcome: "created" },
      })
      assert.notInclude(JSON.stringify(records), mark)
    }),
  )

  it.effect("a workspace's records stay after its deletion, and say who deleted it", () =>
    Effect.gen(function* () {
      yield* newWorkspace
      const { json } = yield* call("POST", "/workspaces", { body: { name: "gone" } })
      const { environment_id: id } = yield* Schema.decodeUnknownEffect(
        Schema.Struct({ environment_id: Schema.Int }),
      )(json)
      const [created] = yield* audit("action=workspace.create&limit=1")
      assert.deepInclude(created, { environment_id: null, target: { id: String(id), name: "gone" } })
      assert.strictEqual((yield* call("DELETE", `/workspaces/${id}?name=wrong`)).status, 409)
      assert.strictEqual((yield* call("DELETE", `/workspaces/${id}?name=gone`)).status, 204)
      const target = { id: String(id), name: "gone" }
      const [deleted, refused] = yield* audit(`workspace=${id}`)
      assert.deepInclude(deleted, { action: "workspace.delete", outcome: "done", status: 204, target })
      assert.deepInclude(refused, { action: "workspace.delete", outcome: "refused", status: 409, target })
    }),
  )

  it.effect("a page has the records that the filter selects", () =>
    Effect.gen(function* () {
      const { id } = yield* newWorkspace
      // Not far from where the clock begins, because everything that repeats runs for all the time between.
      yield* TestClock.setTime(Date.parse("1970-01-01T12:00:00Z"))
      const { headers, token_id } = yield* issue("filters", "admin", [id])
      const create = (name: string) => call("POST", `/workspaces/${id}/segments`, { headers, body: { name } })
      for (const name of ["one", "two", "three"]) {
        yield* create(name)
        yield* TestClock.adjust("1 minute")
      }
      yield* create("")
      const names = (query: string) =>
        Effect.map(audit(`workspace=${id}&${query}`), (items) => items.map(({ target }) => target?.name))
      assert.deepStrictEqual(yield* names("outcome=done"), ["three", "two", "one"])
      assert.deepStrictEqual(yield* names("order=asc&outcome=done&limit=2"), ["one", "two"])
      assert.deepStrictEqual(yield* names("outcome=refused"), [undefined])
      assert.deepStrictEqual(yield* names("action=segment&outcome=done&actor=filters"), [
        "three",
        "two",
        "one",
      ])
      assert.deepStrictEqual(yield* names(`action=segment.create&outcome=done&actor=${token_id}`), [
        "three",
        "two",
        "one",
      ])
      assert.deepStrictEqual(yield* names("action=seg"), [])
      assert.deepStrictEqual(yield* names("actor=installation"), [])
      const period = "since=1970-01-01T12:01:00Z&until=1970-01-01T12:02:00Z"
      assert.deepStrictEqual(yield* names(period), ["two"])
      assert.deepStrictEqual(yield* names(`${period}&order=asc`), ["two"])
      assert.deepStrictEqual(
        yield* readPages("/audit", `workspace=${id}&order=asc`, "status"),
        [201, 201, 201, 400],
      )
      assert.strictEqual((yield* call("GET", "/audit?after=p1")).status, 400)
      assert.strictEqual((yield* call("GET", "/audit?since=soon")).status, 400)
    }),
  )

  it.effect("an admin of some workspaces sees their records only, and others see none", () =>
    Effect.gen(function* () {
      const [inside, second, outside] = [yield* newWorkspace, yield* newWorkspace, yield* newWorkspace]
      for (const { id } of [inside, second, outside]) {
        yield* call("PATCH", `/workspaces/${id}`, { body: { name: `workspace ${id}` } })
      }
      const both = yield* issue("both", "admin", [inside.id, second.id])
      const one = yield* issue("one", "admin", [inside.id])
      assert.deepStrictEqual(yield* environments(both.headers), [second.id, inside.id])
      assert.deepStrictEqual(yield* environments(one.headers), [inside.id])
      assert.includeMembers(yield* environments({}), [0, inside.id, second.id, outside.id])
      for (const workspace of [0, outside.id]) {
        assertProblem(
          yield* call("GET", `/audit?workspace=${workspace}`, one),
          403,
          "Forbidden",
          `the token one may not use workspace ${workspace}`,
        )
      }
      const writer = yield* issue("writer", "write", [inside.id])
      assert.strictEqual((yield* call("GET", "/audit", writer)).status, 403)
    }),
  )

  it.effect("the export has all records, oldest first, and is recorded itself", () =>
    Effect.gen(function* () {
      const { id } = yield* newWorkspace
      for (let n = 0; n < 300; n++) yield* call("POST", `/workspaces/${id}/segments`, { body: {} })
      const request = HttpClientRequest.get(`${managementPath}/audit/export?workspace=${id}`).pipe(
        HttpClientRequest.bearerToken("the-management-token"),
      )
      const text = yield* Effect.flatMap(HttpClient.execute(request), (response) => response.text)
      const lines = text.trim().split("\n")
      assert.strictEqual(lines.at(-1), '{"end":true,"count":300}')
      const ids = lines.slice(0, -1).map((line) => String(JSON.parse(line).audit_id))
      assert.strictEqual(new Set(ids).size, 300)
      const [exported] = yield* audit("workspace=0&action=export.audit")
      assert.deepInclude(exported, { outcome: "done", details: { workspace: id } })
    }),
  )
})

layer(server)("refusals in the audit log", (it) => {
  it.effect("equal refusals of a minute are one record with a count", () =>
    Effect.gen(function* () {
      const [inside, outside] = [yield* newWorkspace, yield* newWorkspace]
      const { headers } = yield* issue("reader", "read", [inside.id])
      for (let n = 0; n < 3; n++) yield* call("GET", `/workspaces/${outside.id}/people`, { headers })
      yield* call("POST", `/workspaces/${inside.id}/segments`, { headers, body: { name: "n" } })
      const [read, ...others] = yield* counted("access.read")
      assert.deepStrictEqual(others, [])
      assert.deepInclude(read, {
        environment_id: null,
        outcome: "refused",
        status: 403,
        count: 3,
        details: { endpoint: "GET /workspaces/:w/people", workspace: outside.id },
      })
      const [write] = yield* counted("segment.create")
      assert.deepInclude(write, { environment_id: inside.id, outcome: "refused", status: 403, count: 1 })
      yield* call("GET", `/workspaces/${outside.id}/people`, { headers })
      yield* TestClock.adjust("1 second")
      let again = yield* counted("access.read")
      while (again[0]?.count !== 4) again = yield* counted("access.read")
      assert.strictEqual(again.length, 1)
      yield* TestClock.adjust("1 minute")
      yield* call("GET", `/workspaces/${outside.id}/people`, { headers })
      while (again.length < 2) again = yield* counted("access.read")
      assert.deepStrictEqual(
        again.map(({ count }) => count),
        [1, 4],
      )
    }),
  )

  it.effect("unknown tokens are counted, and never shown", () =>
    Effect.gen(function* () {
      for (let n = 0; n < 15; n++) {
        yield* call("GET", "/workspaces", { headers: { authorization: `Bearer guess-${n}` } })
      }
      const [record, ...others] = yield* counted("access.unknown_token")
      assert.deepStrictEqual(others, [])
      assert.deepInclude(record, {
        environment_id: null,
        outcome: "refused",
        status: 401,
        actor: { kind: "unknown", id: null, name: null },
        target: null,
        count: 15,
      })
      assert.notInclude(JSON.stringify(record), "guess")
    }),
  )

  it.effect("different refusals of a minute beyond a limit share a record", () =>
    Effect.gen(function* () {
      yield* TestClock.adjust("1 hour")
      const { id } = yield* newWorkspace
      const { headers } = yield* issue("curious", "admin", [id])
      for (let n = 0; n < 50; n++) yield* call("GET", `/workspaces/${1000 + n}/people`, { headers })
      const records = (yield* counted("access.read")).filter(({ at }) => at.startsWith("1970-01-01T01"))
      assert.strictEqual(records.length, 21)
      const shared = records.find(({ details }) => details["others"] === true)
      assert.deepInclude(shared, { count: 30, address: null, target: null })
    }),
  )
})
