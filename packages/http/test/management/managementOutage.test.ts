import { assert, layer } from "@effect/vitest"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { Snapshots } from "@inlethq/core/catalog/Snapshots"
import { type Sequence, WorkspaceId } from "@inlethq/core/values/Identifier"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import { Overloaded } from "@inlethq/engine/commits/IngestBounds"
import { Dismissals } from "@inlethq/core/ports/Dismissals"
import { DestinationHours } from "@inlethq/core/ports/DestinationHours"
import { SavedViews } from "@inlethq/core/ports/SavedViews"
import { SegmentSizes } from "@inlethq/core/ports/SegmentSizes"
import { ErasureLedger } from "@inlethq/core/ports/ErasureLedger"
import { plainDigest } from "@inlethq/store-conformance/script/digest"
import { Alerts } from "@inlethq/core/ports/Alerts"
import { AuditLog } from "@inlethq/core/ports/AuditLog"
import { ImportFiles, ImportJobs } from "@inlethq/core/ports/ImportJobs"
import { ManagementTokens } from "@inlethq/core/ports/ManagementTokens"
import { Registry } from "@inlethq/core/ports/Registry"
import { StoreUnavailable } from "@inlethq/core/ports/Store"
import { defaultSettings } from "@inlethq/core/workspace/Workspace"
import { Effect, Layer, Option, PubSub } from "effect"
import { assertProblem, call, memory, newWorkspace, serverWith } from "./managementServer.ts"

const down = Effect.fail(new StoreUnavailable({ operation: "read", cause: "the disk is full" }))
const workspace = { ...defaultSettings("test", "us"), id: WorkspaceId.make(1) }

const failing = Layer.mergeAll(
  Layer.mock(Catalog, {
    person: () => down,
    evidence: () => down,
    people: () => down,
    activity: () => down,
    operation: () => down,
    objects: () => down,
    object: () => down,
    segments: () => down,
    segment: () => down,
    isSuppressed: () => down,
    forms: () => down,
    form: () => down,
    deliveries: () => down,
    delivery: () => down,
  }),
  Layer.mock(Snapshots, { open: () => down }),
  Layer.mock(Registry, {
    workspaces: down,
    workspace: (id) => (id === 1 ? Effect.succeed(Option.some(workspace)) : Effect.die("a fault")),
    createWorkspace: () => down,
    updateWorkspace: () => down,
    keys: () => down,
    addKey: () => down,
    sender: () => down,
    revokeKey: () => down,
  }),
  Layer.effect(AuditLog, AuditLog).pipe(Layer.provide(memory)),
  Layer.mock(ErasureLedger, { medium: "memory", workspaces: down, read: () => down, receipt: () => down }),
  Layer.mock(ImportJobs, { find: () => down, list: () => down }),
  Layer.mock(ImportFiles, {}),
  Layer.mock(DestinationHours, { add: () => down, since: () => down }),
  Layer.mock(SegmentSizes, { since: () => down }),
  Layer.mock(Dismissals, { list: () => down, of: () => down, save: () => down, remove: () => down }),
  Layer.mock(Alerts, { list: () => down, begin: () => down, end: () => down }),
  Layer.mock(SavedViews, { list: () => down, add: () => down, update: () => down, remove: () => down }),
  plainDigest,
  Layer.mock(ManagementTokens, { all: down, add: () => down, revoke: () => down, used: () => down }),
  Layer.effect(
    Ingest,
    Effect.map(PubSub.sliding<Sequence>(1), (commits) =>
      Ingest.of({
        commits: () => PubSub.subscribe(commits),
        submit: () => down,
        submitEncoded: () => down,
        status: Effect.die("not asked for"),
      }),
    ),
  ),
)

layer(serverWith(failing))("the management API without a store", (it) => {
  it.effect("the management API responds with 503 and Retry-After while the store is unavailable", () =>
    Effect.gen(function* () {
      const key = { kind: "track", name: "n" }
      const answers = [
        yield* call("GET", "/workspaces"),
        yield* call("POST", "/workspaces", { body: { name: "n" } }),
        yield* call("PATCH", "/workspaces/1", { body: { name: "n" } }),
        yield* call("GET", "/workspaces", { headers: { authorization: `Bearer imt_${"0".repeat(48)}` } }),
        yield* call("GET", "/tokens"),
        yield* call("POST", "/tokens", { body: { name: "n", scope: "read", workspaces: null } }),
        yield* call("DELETE", "/tokens/t"),
        yield* call("GET", "/workspaces/1/keys"),
        yield* call("POST", "/workspaces/1/keys", { body: key }),
        yield* call("DELETE", "/workspaces/1/keys/k"),
        yield* call("GET", "/workspaces/1/people"),
        yield* call("GET", "/workspaces/1/people/p11000000001"),
        yield* call("GET", "/workspaces/1/duplicates"),
        yield* call("GET", "/workspaces/1/alerts"),
        yield* call("GET", "/workspaces/1/activity"),
        yield* call("GET", "/workspaces/1/activity/stream"),
        yield* call("GET", "/workspaces/1/operations/op11000000001"),
        yield* call("GET", "/workspaces/1/objects"),
        yield* call("GET", "/workspaces/1/objects/1/acme"),
        yield* call("GET", "/workspaces/1/segments"),
        yield* call("GET", "/workspaces/1/segments/1"),
        yield* call("GET", "/workspaces/1/segments/1/people"),
        yield* call("POST", "/workspaces/1/segments", { body: { name: "n" } }),
        yield* call("DELETE", "/workspaces/1/segments/1"),
        yield* call("GET", "/workspaces/1/suppressions?id=ada"),
        yield* call("GET", "/workspaces/1/forms"),
        yield* call("GET", "/workspaces/1/forms/f"),
        yield* call("PATCH", "/workspaces/1/forms/f", { body: { mapping: {} } }),
        yield* call("GET", "/workspaces/1/deliveries"),
        yield* call("GET", "/workspaces/1/export/people"),
        yield* call("GET", "/workspaces/1/deliveries/d"),
        yield* call("PUT", "/workspaces/1/deliveries/d", { body: { channel: "email" } }),
      ]
      for (const answer of answers) {
        assertProblem(answer, 503, "Service Unavailable", "the store cannot read now")
        assert.strictEqual(answer.headers["retry-after"], "1")
      }
    }),
  )

  it.effect("the management API responds with 500 to an unexpected error without revealing its cause", () =>
    Effect.gen(function* () {
      const answer = yield* call("GET", "/workspaces/2")
      assertProblem(answer, 500, "Internal Server Error", /internal server error/)
    }),
  )
})

const withoutAuditLog = Layer.mock(AuditLog, { append: () => down }).pipe(Layer.provideMerge(memory))

layer(serverWith(withoutAuditLog))("the management API without an audit log", (it) => {
  it.effect("an action that cannot be recorded does not run", () =>
    Effect.gen(function* () {
      const { id } = yield* newWorkspace
      const answer = yield* call("PATCH", `/workspaces/${id}`, { body: { name: "changed" } })
      assertProblem(answer, 503, "Service Unavailable", "the store cannot read now")
      assert.strictEqual(answer.headers["retry-after"], "1")
      assert.deepInclude((yield* call("GET", `/workspaces/${id}`)).json, { name: "test" })
    }),
  )
})

const full = Layer.effect(
  Ingest,
  Effect.map(Ingest, (ingest) => Ingest.of({ ...ingest, submit: () => Effect.fail(new Overloaded()) })),
).pipe(Layer.provideMerge(memory))

layer(serverWith(full))("the management API with a full commit queue", (it) => {
  it.effect(
    "the management API responds to writes with 503 and Retry-After while the commit queue is full, and still serves reads",
    () =>
      Effect.gen(function* () {
        const { id } = yield* newWorkspace
        const path = `/workspaces/${id}`
        for (const answer of [
          yield* call("POST", `${path}/segments`, { body: { name: "n" } }),
          yield* call("DELETE", `${path}/segments/1`),
          yield* call("PATCH", `${path}/forms/f`, { body: { mapping: {} } }),
          yield* call("PUT", `${path}/deliveries/d`, { body: { channel: "email" } }),
        ]) {
          assertProblem(answer, 503, "Service Unavailable", "the commit queue is full")
          assert.strictEqual(answer.headers["retry-after"], "1")
        }
        assert.strictEqual((yield* call("GET", `${path}/segments`)).status, 200)
      }),
  )
})
