import { assert, describe, it, layer } from "@effect/vitest"
import { Requirement, requirementOf } from "@inlethq/contract/access/Access"
import { ManagementApi } from "@inlethq/contract/ManagementApi"
import { managementPath } from "@inlethq/contract/values/managementPath"
import { Context, Effect, Option, Schema } from "effect"
import { HttpClient, HttpClientRequest, type HttpMethod } from "effect/http"
import { HttpApi } from "effect/http-api"
import { assertProblem, call, newWorkspace, server } from "./managementServer.ts"

/**
 * What each operation requires: the scope, for the workspace in the path, for all workspaces, or for any. The last word is
 * what the audit log calls it.
 */
const requirements = `
GET /workspaces: read own
POST /workspaces: admin all workspace.create
GET /workspaces/:w: read workspace
GET /workspaces/:w/usage: read workspace
DELETE /workspaces/:w: admin all workspace.delete
PATCH /workspaces/:w: admin workspace workspace.update
GET /workspaces/:w/keys: read workspace
POST /workspaces/:w/keys: admin workspace key.create
DELETE /workspaces/:w/keys/:key_id: admin workspace key.revoke
GET /workspaces/:w/people: read workspace
GET /workspaces/:w/people/:svc_id: read workspace
GET /workspaces/:w/people/:svc_id/activity: read workspace
GET /workspaces/:w/people/:svc_id/provenance: read workspace
GET /workspaces/:w/people/:svc_id/merge-preview: read workspace
GET /workspaces/:w/people/:svc_id/merges: read workspace
GET /workspaces/:w/people/:svc_id/unmerge-preview: read workspace
GET /workspaces/:w/duplicates: read workspace
GET /workspaces/:w/duplicates/dismissed: read workspace
POST /workspaces/:w/duplicates/dismissed: write workspace duplicate.dismiss
DELETE /workspaces/:w/duplicates/dismissed/:one/:other: write workspace duplicate.restore
GET /workspaces/:w/activity: read workspace
GET /workspaces/:w/activity/stream: read workspace
GET /workspaces/:w/operations/:operation_id: read workspace
POST /workspaces/:w/operations: write workspace operation.apply
GET /workspaces/:w/operations/:operation_id/request: read workspace
GET /workspaces/:w/operations/:operation_id/explanation: read workspace
GET /workspaces/:w/operations/:operation_id/capsule: read workspace
GET /workspaces/:w/stats: read workspace
GET /workspaces/:w/stats/reasons: read workspace
GET /workspaces/:w/event-types: read workspace
GET /workspaces/:w/event-types/:kind/:name: read workspace
GET /workspaces/:w/drift: read workspace
GET /workspaces/:w/causes: read workspace
GET /workspaces/:w/plan: read workspace
PUT /workspaces/:w/plan: admin workspace plan.update
GET /workspaces/:w/plan/:kind/:name: read workspace
PUT /workspaces/:w/plan/:kind/:name: admin workspace plan.update
DELETE /workspaces/:w/plan/:kind/:name: admin workspace plan.delete
GET /workspaces/:w/alerts: read workspace
GET /workspaces/:w/views: read workspace
POST /workspaces/:w/views: write workspace view.create
PATCH /workspaces/:w/views/:view_id: write workspace view.update
DELETE /workspaces/:w/views/:view_id: write workspace view.delete
POST /workspaces/:w/what-if: read workspace
GET /workspaces/:w/what-if/:what_if_id: read workspace
POST /workspaces/:w/what-if/:what_if_id/stop: read workspace
GET /workspaces/:w/search: read workspace
GET /search: read own
GET /workspaces/:w/objects: read workspace
GET /workspaces/:w/objects/:object_type_id/:object_id: read workspace
GET /workspaces/:w/objects/:object_type_id/:object_id/people: read workspace
GET /workspaces/:w/segments: read workspace
POST /workspaces/:w/segments: write workspace segment.create
GET /workspaces/:w/segments/:segment_id: read workspace
PATCH /workspaces/:w/segments/:segment_id: write workspace segment.update
DELETE /workspaces/:w/segments/:segment_id: write workspace segment.delete
GET /workspaces/:w/segments/:segment_id/sizes: read workspace
GET /workspaces/:w/segments/:segment_id/people: read workspace
PUT /workspaces/:w/segments/:segment_id/people/:svc_id: write workspace segment.add_person
DELETE /workspaces/:w/segments/:segment_id/people/:svc_id: write workspace segment.remove_person
GET /workspaces/:w/segments/:segment_id/explain: read workspace
POST /workspaces/:w/segments/preview: read workspace
POST /workspaces/:w/segments/backtest: read workspace
GET /workspaces/:w/people/:svc_id/segments: read workspace
GET /workspaces/:w/suppressions: read workspace
GET /workspaces/:w/erasures: read workspace
GET /workspaces/:w/erasures/:erasure_id: read workspace
GET /erasure-key: read own
GET /erasure-ledger: admin all export.erasure_ledger
GET /workspaces/:w/forms: read workspace
GET /workspaces/:w/forms/:form_id: read workspace
PATCH /workspaces/:w/forms/:form_id: write workspace form.update
GET /workspaces/:w/deliveries: read workspace
GET /workspaces/:w/deliveries/:delivery_id: read workspace
PUT /workspaces/:w/deliveries/:delivery_id: write workspace delivery.register
GET /workspaces/:w/webhooks: read workspace
POST /workspaces/:w/webhooks: admin workspace webhook.create
GET /workspaces/:w/webhooks/:webhook_id: read workspace
PATCH /workspaces/:w/webhooks/:webhook_id: admin workspace webhook.update
DELETE /workspaces/:w/webhooks/:webhook_id: admin workspace webhook.delete
POST /workspaces/:w/webhooks/:webhook_id/rotate-secret: admin workspace webhook.rotate_secret
POST /workspaces/:w/webhooks/:webhook_id/test: write workspace webhook.test
GET /workspaces/:w/webhooks/:webhook_id/attempts: read workspace
GET /workspaces/:w/webhooks/:webhook_id/attempts/:attempt_id/request: read workspace
POST /workspaces/:w/webhooks/:webhook_id/attempts/:attempt_id/resend: write workspace webhook.resend
POST /workspaces/:w/webhooks/:webhook_id/attempts/:attempt_id/skip: write workspace webhook.skip
POST /workspaces/:w/webhooks/:webhook_id/recover: write workspace webhook.recover
GET /workspaces/:w/forwards: read workspace
POST /workspaces/:w/forwards: admin workspace forward.create
GET /workspaces/:w/forwards/:forward_id: read workspace
PATCH /workspaces/:w/forwards/:forward_id: admin workspace forward.update
DELETE /workspaces/:w/forwards/:forward_id: admin workspace forward.delete
POST /workspaces/:w/forwards/:forward_id/test: write workspace forward.test
GET /workspaces/:w/forwards/:forward_id/attempts: read workspace
POST /workspaces/:w/forwards/:forward_id/attempts/:attempt_id/resend: write workspace forward.resend
POST /workspaces/:w/forwards/:forward_id/attempts/:attempt_id/skip: write workspace forward.skip
POST /workspaces/:w/forwards/:forward_id/recover: write workspace forward.recover
GET /workspaces/:w/destinations: read workspace
POST /workspaces/:w/imports/people: write workspace import.people
POST /workspaces/:w/imports/events: write workspace import.events
POST /workspaces/:w/import: write workspace import.exported
POST /workspaces/:w/imports: write workspace import.start
GET /workspaces/:w/imports: read workspace
GET /workspaces/:w/imports/:import_id: read workspace
GET /workspaces/:w/imports/:import_id/errors: read workspace
POST /workspaces/:w/imports/:import_id/cancel: write workspace import.cancel
GET /workspaces/:w/export/people: read workspace export.people
GET /workspaces/:w/export/events: read workspace export.events
GET /workspaces/:w/export/objects: read workspace export.objects
GET /workspaces/:w/export/segments: read workspace export.segments
GET /workspaces/:w/export/deliveries: read workspace export.deliveries
GET /workspaces/:w/export/activity: read workspace export.activity
GET /workspaces/:w/export/replay: read workspace export.replay
GET /workspaces/:w/people/:svc_id/export: read workspace export.person
GET /workspaces/:w/lake: read workspace
GET /workspaces/:w/lake/files: read workspace
GET /workspaces/:w/lake/sql: read workspace
POST /workspaces/:w/lake/verify: admin workspace lake.verify
POST /workspaces/:w/lake/rewrite: admin workspace lake.rewrite
POST /workspaces/:w/lake/flush: admin workspace lake.flush
GET /rules/:rule: read own
GET /tokens: admin all
POST /tokens: admin all token.create
DELETE /tokens/:token_id: admin all token.revoke
GET /sessions: admin all
DELETE /sessions/:session_id: admin all session.revoke
POST /sign-in-links: read own session.link
GET /audit: admin own
GET /audit/export: admin own export.audit
GET /server: read all
GET /server/history: read all
GET /status: read all
`
  .trim()
  .split("\n")

const endpoints: Array<{ readonly annotations: Context.Context<never>; readonly name: string }> = []
HttpApi.reflect(ManagementApi, {
  onGroup: () => {},
  onEndpoint: ({ endpoint: { annotations, method, path } }) => {
    endpoints.push({ annotations, name: `${method} ${path.replace(managementPath, "")}` })
  },
})

const IssuedJson = Schema.Struct({ token_id: Schema.String, token: Schema.String })

const issue = Effect.fnUntraced(function* (scope: string, workspaces: ReadonlyArray<number> | null) {
  const { json } = yield* call("POST", "/tokens", { body: { name: "a token", scope, workspaces } })
  return (yield* Schema.decodeUnknownEffect(IssuedJson)(json)).token
})

const isMethod = (text: string | undefined): text is HttpMethod.HttpMethod =>
  text === "GET" || text === "POST" || text === "PUT" || text === "PATCH" || text === "DELETE"

/** Sends a request to an operation with an empty object as its body, and does not read the answer. */
const statusOf = Effect.fnUntraced(function* (token: string, operation: string, workspace: number) {
  const [method, path = ""] = operation.split(" ")
  if (!isMethod(method)) return assert.fail(operation)
  const request = HttpClientRequest.make(method)(
    `${managementPath}${path.replace(":w", String(workspace)).replaceAll(/:\w+/g, "x")}`,
  ).pipe(
    HttpClientRequest.bearerToken(token),
    method === "GET" ? (same) => same : HttpClientRequest.bodyJsonUnsafe({}),
  )
  return (yield* Effect.scoped(HttpClient.execute(request))).status
})

const scopes = ["read", "write", "admin"]

describe("requirements", () => {
  it("every operation of the management API declares the scope that it requires", () => {
    const declared = endpoints.map((endpoint) => {
      assert.isTrue(Option.isSome(Context.getOption(endpoint.annotations, Requirement)), endpoint.name)
      const { action, reach, scope } = requirementOf(endpoint)
      return `${endpoint.name}: ${scope} ${reach}${action === null ? "" : ` ${action}`}`
    })
    assert.deepStrictEqual(declared, requirements)
  })

  it("every operation that changes something has a name in the audit log", () => {
    const unnamed = requirements.filter(
      (line) => !line.startsWith("GET ") && !line.includes(": read ") && !/ [a-z]+\.[a-z_]+$/.test(line),
    )
    assert.deepStrictEqual(unnamed, [])
  })

  it("an operation that declares nothing requires an admin of all workspaces", () => {
    const { reach, scope } = requirementOf({ annotations: Context.empty() })
    assert.deepStrictEqual([scope, reach], ["admin", "all"])
  })
})

layer(server)("the scopes of management tokens", (it) => {
  it.effect("each token gets a 403 for exactly the operations that its scope and workspaces exclude", () =>
    Effect.gen(function* () {
      const [inside, outside] = [yield* newWorkspace, yield* newWorkspace]
      for (const [rank, scope] of scopes.entries()) {
        const limited = yield* issue(scope, [inside.id])
        const unlimited = yield* issue(scope, null)
        for (const line of requirements) {
          const [operation = "", needs = ""] = line.split(": ")
          const [needed = "", reach] = needs.split(" ")
          const hasScope = rank >= scopes.indexOf(needed)
          const inLimited = yield* statusOf(limited, operation, inside.id)
          const outLimited = yield* statusOf(limited, operation, outside.id)
          const inUnlimited = yield* statusOf(unlimited, operation, outside.id)
          assert.deepStrictEqual(
            [inLimited === 403, outLimited === 403, inUnlimited === 403],
            [!hasScope || reach === "all", !hasScope || reach !== "own", !hasScope],
            `${scope}: ${line}`,
          )
        }
      }
    }),
  )

  it.effect("a refusal says which scope or workspace is missing", () =>
    Effect.gen(function* () {
      const { id } = yield* newWorkspace
      const other = yield* newWorkspace
      const token = yield* issue("read", [id])
      const headers = { authorization: `Bearer ${token}` }
      assertProblem(
        yield* call("PATCH", `/workspaces/${id}`, { headers, body: { name: "n" } }),
        403,
        "Forbidden",
        "this needs a token with the scope `admin`; the scope of a token is `read`",
      )
      for (const workspace of [other.id, 999]) {
        assertProblem(
          yield* call("GET", `/workspaces/${workspace}/people`, { headers }),
          403,
          "Forbidden",
          `the token a token may not use workspace ${workspace}`,
        )
      }
      assertProblem(
        yield* call("GET", "/tokens", { headers }),
        403,
        "Forbidden",
        "this needs a token with the scope `admin` for all workspaces, which a token is not",
      )
    }),
  )

  it.effect("an admin of some workspaces cannot shorten their audit log", () =>
    Effect.gen(function* () {
      const { id } = yield* newWorkspace
      const limited = { authorization: `Bearer ${yield* issue("admin", [id])}` }
      const unlimited = { authorization: `Bearer ${yield* issue("admin", null)}` }
      const patch = (headers: typeof limited, days: number) =>
        call("PATCH", `/workspaces/${id}`, { headers, body: { audit_days: days } })
      assertProblem(
        yield* patch(limited, 1),
        403,
        "Forbidden",
        "audit_days: only a token for all workspaces may change it, which a token is not",
      )
      assert.strictEqual((yield* patch(limited, 365)).status, 200)
      assert.strictEqual((yield* patch(unlimited, 1)).status, 200)
    }),
  )

  it.effect("the list of workspaces has only those that the token may use", () =>
    Effect.gen(function* () {
      const { id } = yield* newWorkspace
      yield* newWorkspace
      const headers = { authorization: `Bearer ${yield* issue("read", [id])}` }
      const { json } = yield* call("GET", "/workspaces", { headers })
      const { items } = yield* Schema.decodeUnknownEffect(
        Schema.Struct({ items: Schema.Array(Schema.Struct({ environment_id: Schema.Int })) }),
      )(json)
      assert.deepStrictEqual(
        items.map((item) => item.environment_id),
        [id],
      )
    }),
  )
})
