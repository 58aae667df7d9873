import { assert, describe, it } from "@effect/vitest"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { Digest } from "@inlethq/core/ports/Digest"
import { ExportFiles } from "@inlethq/core/ports/ExportFiles"
import { Registry } from "@inlethq/core/ports/Registry"
import { Store } from "@inlethq/core/ports/Store"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import { dayMs } from "@inlethq/core/values/Timestamp"
import { defaultSettings } from "@inlethq/core/workspace/Workspace"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import { Turns } from "@inlethq/engine/reads/ReadTurns"
import { Effect, Exit, Layer } from "effect"
import { TestClock } from "effect/testing"
import type { AppCall } from "../../src/appApi/AppCall.ts"
import { AppQuery } from "../../src/appApi/AppQuery.ts"
import { linkTo, readLink } from "../../src/appApi/exportLink.ts"
import { exportCustomers, getExport, linkMsMax, openExport } from "../../src/appApi/exports.ts"
import * as ExportsWorker from "../../src/appApi/exportsWorker.ts"
import { exportChecks } from "./exportChecks.ts"
import { memory } from "../management/managementServer.ts"

/** Runs an effect while a worker looks for exports, which would take long over the ticks of a whole day. */
const whileWorking = <E, R>(effect: Effect.Effect<void, E, R>) =>
  Effect.scoped(Effect.andThen(Layer.build(ExportsWorker.layer), effect))

/** Lets the worker look again, and what it compresses end. */
const look = Effect.andThen(
  TestClock.adjust("1 second"),
  Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve))),
)

const callOf = Effect.gen(function* () {
  const registry = yield* Registry
  const call: AppCall = {
    catalog: yield* Catalog,
    store: yield* Store,
    turns: yield* Turns,
    ingest: yield* Ingest,
    exports: yield* ExportFiles,
    exportChecks: yield* exportChecks,
    digest: yield* Digest,
    workspace: yield* registry.createWorkspace(defaultSettings("test", "us")),
    origin: "http://localhost",
    parameters: [],
    query: new AppQuery(""),
    body: { filters: { attribute: { field: "plan", operator: "exists" } } },
  }
  return call
})

describe("the file of an export", () => {
  it.effect("is gone after a day, from the disk too", () =>
    Effect.gen(function* () {
      const call = yield* callOf
      yield* exportCustomers(call)
      const [file] = yield* call.exports.list
      const id = Number(file?.name.split(".")[0])
      const names = Effect.map(call.exports.list, (keys) =>
        keys.map(({ name }) => name.split(".").slice(0, 2).join(".")).toSorted(),
      )
      const made = [`${id}.done`, `${id}.keys`, `${id}.rows`]
      const lookUntil = (is: (found: ReadonlyArray<string>) => boolean) =>
        whileWorking(Effect.repeat(look, { until: () => Effect.map(names, is) }))
      yield* lookUntil((found) => found.join() === made.join())
      assert.isTrue(Exit.isSuccess(yield* Effect.exit(openExport(call, call.workspace.id, id))))
      yield* TestClock.adjust(dayMs - 60_000)
      yield* whileWorking(look)
      assert.deepStrictEqual(yield* names, made)
      yield* TestClock.adjust(120_000)
      assert.isTrue(Exit.isFailure(yield* Effect.exit(openExport(call, call.workspace.id, id))))
      const asked = getExport({ ...call, parameters: [String(id)] })
      assert.isTrue(Exit.isFailure(yield* Effect.exit(asked)))
      yield* lookUntil((found) => found.length === 0)
    }).pipe(Effect.provide(memory)),
  )

  it.effect("has links that work for 15 minutes, and for nothing else", () =>
    Effect.gen(function* () {
      const digest = yield* Digest
      const [one, two] = [WorkspaceId.make(1), WorkspaceId.make(2)]
      const link = linkTo(digest, one, 7, linkMsMax)
      assert.deepStrictEqual(readLink(digest, link, linkMsMax - 1), { workspace: one, id: 7 })
      assert.isUndefined(readLink(digest, link, linkMsMax))
      assert.isUndefined(readLink(digest, link.replace("exports/7", "exports/8"), 0))
      assert.isUndefined(
        readLink(digest, linkTo(digest, two, 7, linkMsMax).replace("workspace=2", "workspace=1"), 0),
      )
      assert.isUndefined(readLink(digest, link.replace(/until=\d+/, "until=9999999999999"), 0))
      assert.isUndefined(readLink(digest, link.replace(/&signature=.*/, ""), 0))
    }).pipe(Effect.provide(memory)),
  )
})
