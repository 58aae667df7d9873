import { assert, describe, it } from "@effect/vitest"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { Digest } from "@inlethq/core/ports/Digest"
import { ExportFiles } from "@inlethq/core/ports/ExportFiles"
import { Store } from "@inlethq/core/ports/Store"
import { emptyPerson } from "@inlethq/core/state/Person"
import { SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { defaultSettings } from "@inlethq/core/workspace/Workspace"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import { Turns } from "@inlethq/engine/reads/ReadTurns"
import { Effect, Fiber, Result, Schema } from "effect"
import { TestClock } from "effect/testing"
import { answerMsMax, type AppCall } from "../../src/appApi/AppCall.ts"
import { AppQuery } from "../../src/appApi/AppQuery.ts"
import { searchCustomers } from "../../src/appApi/customers.ts"
import { exportChecks } from "./exportChecks.ts"
import { memory } from "../management/managementServer.ts"

const id = WorkspaceId.make(1)

/** A workspace with a million people in which every read takes a second, and only one person has the attribute. */
const slowCatalog = (catalog: Catalog["Service"], wanted: number): Catalog["Service"] => ({
  ...catalog,
  people: (_workspace, _prefix, { after, limit }) =>
    Effect.delay(
      Effect.sync(() => {
        const from = (after ?? 0) + 1
        const items = Array.from({ length: limit }, (_, i) => {
          const key = SubjectKey.make(from + i)
          const plan = { value: key === wanted ? "pro" : "free", at: 0 }
          const person = { ...emptyPerson(key, id, 0), id: `p${key}`, attributes: new Map([["plan", plan]]) }
          return { person, relationships: [], segments: [] }
        })
        return { items, next: SubjectKey.make(from + limit - 1) }
      }),
      "1 second",
    ),
})

const Found = Schema.fromJsonString(
  Schema.Struct({ ids: Schema.Array(Schema.String), next: Schema.optionalKey(Schema.String) }),
)

const search = Effect.fnUntraced(function* (wanted: number) {
  const call: AppCall = {
    catalog: slowCatalog(yield* Catalog, wanted),
    store: yield* Store,
    turns: yield* Turns,
    ingest: yield* Ingest,
    exports: yield* ExportFiles,
    exportChecks: yield* exportChecks,
    digest: yield* Digest,
    origin: "http://localhost",
    workspace: { ...defaultSettings("test", "us"), id },
    parameters: [],
    query: new AppQuery(""),
    body: { filter: { attribute: { field: "plan", operator: "eq", value: "pro" } } },
  }
  const running = yield* Effect.forkChild(Effect.result(searchCustomers(call)))
  for (let second = 0; second <= answerMsMax / 1000; second++) yield* TestClock.adjust("1 second")
  return yield* Fiber.join(running)
})

describe("a filter that has to look at too many people", () => {
  it.effect("answers with whom it has found in time, and where to go on", () =>
    Effect.gen(function* () {
      const found = yield* search(700)
      if (Result.isFailure(found)) return assert.fail("it failed")
      const { ids, next } = yield* Schema.decodeUnknownEffect(Found)(found.success.json)
      assert.deepStrictEqual(ids, ["p700"])
      assert.isDefined(next)
    }).pipe(Effect.provide(memory)),
  )

  it.effect("fails with a 503 if it has found nobody, and never answers an empty page", () =>
    Effect.gen(function* () {
      const found = yield* search(-1)
      if (Result.isSuccess(found)) return assert.fail("it answered")
      assert.strictEqual(found.failure._tag, "AppRefused")
      if (found.failure._tag === "AppRefused") assert.strictEqual(found.failure.status, 503)
    }).pipe(Effect.provide(memory)),
  )
})
