import { assert, layer } from "@effect/vitest"
import { decodeCall } from "@inlethq/log/call/decodeCall"
import { defaultBrand } from "@inlethq/wire/decoding/Brand"
import { operationIdText } from "@inlethq/core/values/Identifier"
import type { Json } from "@inlethq/core/values/Json"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Effect } from "effect"
import { apply, assertProblem, call, client, newWorkspace, server } from "./managementServer.ts"

const receivedAt = Date.UTC(2026, 0, 31, 12)

/** Commits a call as its API does, and returns what the management API says of it. */
const operationOf = Effect.fnUntraced(function* (
  workspace: Workspace,
  method: "POST" | "PUT" | "DELETE",
  path: string,
  body: Json,
  strict?: true,
) {
  const sentBy = { path, userAgent: null, address: null, ...(strict && { strict }) }
  const commands = decodeCall(
    { workspace, brand: defaultBrand, receivedAt, client: sentBy },
    { method, path, body },
  )
  const [entry] = yield* apply(...(commands ?? []))
  assert.isDefined(entry)
  const { batchIndex, sequence } = entry
  const operation_id = operationIdText(workspace.id, sequence, batchIndex)
  const api = yield* client
  return yield* api.activity.operation({ params: { w: workspace.id, operation_id } })
})

layer(server)("the call of an operation", (it) => {
  it.effect("contract §16 calls: stands beside the entry and its explanation in one answer", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const body = { plan: "pro", unsubscribed: "yes" }
      const operation = yield* operationOf(workspace, "PUT", "/api/v1/customers/ada", body)
      assert.deepInclude(operation, { outcome: "created", call_reason: null, answer: null })
      assert.deepStrictEqual(operation.call, {
        protocol: "track-v1",
        method: "PUT",
        path: "/api/v1/customers/ada",
        body,
      })
      assert.include(operation.explanation.summary, "created the person")
    }),
  )

  it.effect("is one request for an item of a batch, with a time only if the client sent one", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const item = { type: "track", userId: "ada", event: "bought", properties: { price: 3 } }
      const { type: _, ...single } = item
      const timed = { ...item, timestamp: "2026-01-30T10:00:00.000Z" }
      const one = yield* operationOf(workspace, "POST", "/v1/batch", { batch: [item] })
      assert.deepStrictEqual(one.call?.path, "/v1/track")
      assert.deepStrictEqual(one.call?.body, single)
      const two = yield* operationOf(workspace, "POST", "/v1/batch", { batch: [timed] })
      assert.deepStrictEqual(two.call?.body, { ...single, timestamp: 1769767200 })
    }),
  )

  it.effect("is missing with a reason where the identifier is gone, or nothing was kept", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      yield* operationOf(workspace, "PUT", "/api/v1/customers/ada", {})
      const deleted = yield* operationOf(workspace, "DELETE", "/api/v1/customers/ada", null)
      assert.isNull(deleted.call)
      assert.strictEqual(deleted.call_reason?.code, "call_erasing")
      const gone = yield* operationOf(workspace, "DELETE", "/api/v1/customers/ada", null)
      assert.strictEqual(gone.call_reason?.code, "call_no_effect")
    }),
  )

  it.effect("has the answer to a rejected call, as its API gave it", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const entity = { type: "person", action: "identify", identifiers: {} }
      const v2 = yield* operationOf(workspace, "POST", "/api/v2/batch", { batch: [entity] })
      assert.deepStrictEqual(v2.call, {
        protocol: "track-v2",
        method: "POST",
        path: "/api/v2/entity",
        body: entity,
      })
      assert.deepStrictEqual(v2.answer?.status, 400)
      assert.deepNestedInclude(v2.answer?.body, { "errors[0].field": "identifiers" })
      const v1 = yield* operationOf(workspace, "POST", "/api/v1/merge_customers", { primary: 1 })
      assert.deepStrictEqual(v1.answer?.status, 400)
      assert.nestedProperty(v1.answer?.body, "meta.error")
      const wrong = { event: "", userId: "ada" }
      const lenient = yield* operationOf(workspace, "POST", "/v1/track", wrong)
      assert.deepStrictEqual(lenient.answer, { status: 200, body: { success: true } })
      const strict = yield* operationOf(workspace, "POST", "/v1/track", wrong, true)
      assert.deepStrictEqual(strict.answer?.status, 400)
      assert.deepNestedInclude(strict.answer?.body, { success: false, "meta.error": "event is required" })
    }),
  )

  it.effect("can be applied again by an operator, mended, without being a duplicate", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const body = { name: "bought", id: "01H", data: { price: 3 } }
      const first = yield* operationOf(workspace, "POST", "/api/v1/customers/ada/events", body)
      assert.deepStrictEqual(first.call?.body, body)
      const api = yield* client
      const again = yield* api.activity.apply({
        params: { w: workspace.id },
        payload: {
          ...(first.call ?? assert.fail("there is no call")),
          body: { ...body, data: { price: 4 } },
        },
      })
      assert.deepInclude(again, { source: "management", kind: "event", id: null, data: { price: 4 } })
    }),
  )

  it.effect("is refused by the operations of another workspace, and where no API has its path", () =>
    Effect.gen(function* () {
      const workspace = yield* newWorkspace
      const other = yield* newWorkspace
      const path = `/workspaces/${workspace.id}/operations`
      for (const to of [`/management/v1/workspaces/${other.id}/operations`, "/api/v1/nowhere"]) {
        const answer = yield* call("POST", path, { body: { method: "POST", path: to, body: {} } })
        assertProblem(answer, 400, "Bad Request", /^(?:the path of the call names|no API takes a call)/)
      }
    }),
  )
})
